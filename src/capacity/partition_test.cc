#include "capacity/partition.h"

#include <gtest/gtest.h>

#include <set>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

// Ranges follow each other without a gap, and every place is found in the partition whose range holds it.
void expect_sound(const PartitionMap& map) {
  const std::vector<Partition*> leaves = map.leaves();
  ASSERT_EQ(map.leaf_count(), static_cast<int>(leaves.size()));
  EXPECT_TRUE(leaves.front()->range.first == 0);
  EXPECT_TRUE(leaves.back()->range.last == kLastPlace);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (i > 0) {
      EXPECT_TRUE(leaves[i]->range.first == leaves[i - 1]->range.last + 1) << i;
    }
    EXPECT_EQ(leaves[i], &map.find(leaves[i]->range.first)) << i;
    EXPECT_EQ(leaves[i], &map.find(leaves[i]->range.last)) << i;
  }
}

TEST(PartitionMap, DividesTheHashEvenly) {
  for (const int count : {1, 2, 3, 4, 7, 54, 1000}) {
    const PartitionMap map(count, Tuning{}, kTestStart);
    EXPECT_EQ(count, map.leaf_count());
    expect_sound(map);
  }
}

TEST(PartitionMap, GrowsByHalvingAll) {
  PartitionMap map(3, Tuning{}, kTestStart);
  EXPECT_TRUE(map.grow(4, kTestStart));
  EXPECT_EQ(6, map.leaf_count());
  EXPECT_TRUE(map.grow(6, kTestStart));
  EXPECT_EQ(6, map.leaf_count());
  expect_sound(map);
}

TEST(PartitionMap, SplitsAtAPlace) {
  PartitionMap map(2, Tuning{}, kTestStart);
  const Place at = make_place(1ULL << 62, 0);
  EXPECT_TRUE(map.split(map.find(at), at, kTestStart));
  EXPECT_EQ(3, map.leaf_count());
  EXPECT_NE(&map.find(at), &map.find(at - 1));
  expect_sound(map);
  EXPECT_FALSE(map.split(map.find(at), at, kTestStart)) << "it starts there already";
}

TEST(PartitionMap, IsolatesAnItemAndAKey) {
  PartitionMap map(1, Tuning{}, kTestStart);
  const Place item = one_key(0);
  EXPECT_TRUE(map.isolate(map.find(item), item, false, kTestStart));
  EXPECT_TRUE(map.find(item).range.one_item());
  EXPECT_NE(&map.find(item), &map.find(item + 1));
  EXPECT_NE(&map.find(item), &map.find(item - 1));
  EXPECT_FALSE(map.isolate(map.find(item), item, false, kTestStart));
  expect_sound(map);

  const Place other = spread(5);
  EXPECT_TRUE(map.isolate(map.find(other), other, true, kTestStart));
  EXPECT_TRUE(map.find(other).range.one_key());
  EXPECT_EQ(&map.find(other), &map.find(make_place(key_hash(other), 0)));
  EXPECT_EQ(&map.find(other), &map.find(make_place(key_hash(other), UINT64_MAX)));
  expect_sound(map);
}

TEST(PartitionMap, IsolatesAtTheEndsOfTheHash) {
  for (const Place place : {Place{0}, kLastPlace}) {
    PartitionMap map(1, Tuning{}, kTestStart);
    EXPECT_TRUE(map.isolate(map.find(place), place, false, kTestStart));
    EXPECT_EQ(2, map.leaf_count());
    EXPECT_TRUE(map.find(place).range.one_item());
    expect_sound(map);
  }
}

TEST(PartitionMap, HasALimit) {
  Tuning tuning;
  tuning.partitions_max = 8;
  PartitionMap map(5, tuning, kTestStart);
  EXPECT_FALSE(map.grow(100, kTestStart));
  EXPECT_EQ(8, map.leaf_count());
  expect_sound(map);
}

TEST(HashBytes, IsTheSameInEveryVersion) {
  EXPECT_EQ(0xf52a15e9a9b5e89bULL, hash_bytes(""));
  std::set<std::uint64_t> tops;
  for (std::int64_t i = 0; i < 1000; ++i) tops.insert(key_hash(spread(i)) >> 60);
  EXPECT_EQ(16U, tops.size());
}

}  // namespace
}  // namespace stator::capacity
