// Splits for heat: when they come, when they do not, and what they are good for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capacity/resource.h"
#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

std::string ascending_key(std::int64_t n) { return fmt::format("EVENT#2026-06-08T{:012}", n); }
std::string random_key(std::int64_t n) { return fmt::format("EVENT#{:016x}", key_hash(spread(n))); }

// Twenty keys of the lower sixteenth of the hash: one partition, many keys.
Place crowded(std::int64_t n) { return make_place(key_hash(spread(n % 20)) >> 4, 7); }

TEST(Heat, SplitsAPartitionOfManyHotKeys) {
  Resource table(ResourceKind::table, provisioned(1, 4000), Tuning{}, kTestStart);
  Player player{table};
  player.play(Direction::write, 1500, 9 * 60, 2, crowded);
  EXPECT_EQ(0U, table.snapshot(player.now, false).splits) << "nine minutes are not enough";
  EXPECT_GT(player.refused, 0);
  player.play(Direction::write, 1500, 3 * 60, 2, crowded);
  EXPECT_EQ(1U, table.snapshot(player.now, false).splits);
  player.refused = 0;
  player.play(Direction::write, 1500, 60, 2, crowded);
  EXPECT_LT(player.refused, 1500 * 60 / 20) << "two partitions share the load";
}

TEST(Heat, DoesNotSplitWhenTheLoadIsShort) {
  Resource table(ResourceKind::table, provisioned(1, 4000), Tuning{}, kTestStart);
  Player player{table};
  for (int i = 0; i < 5; ++i) {
    player.play(Direction::write, 1500, 7 * 60, 2, crowded);
    player.wait(5 * 60);
  }
  EXPECT_EQ(0U, table.snapshot(player.now, false).splits);
}

TEST(Heat, SplitsACollectionOfKeysInNoOrder) {
  Resource table(ResourceKind::table, provisioned(1, 4000), Tuning{}, kTestStart);
  Player player{table};
  player.play(Direction::write, 1500, 13 * 60, 2, one_collection, random_key);
  EXPECT_EQ(1U, table.snapshot(player.now, false).splits);
  player.refused = 0;
  player.play(Direction::write, 1500, 60, 2, one_collection, random_key);
  EXPECT_LT(player.refused, 1500 * 60 / 20);
}

TEST(Heat, DoesNotSplitACollectionThatGrowsAtItsEnd) {
  Resource table(ResourceKind::table, provisioned(1, 4000), Tuning{}, kTestStart);
  Player player{table};
  player.play(Direction::write, 1500, 40 * 60, 2, one_collection, ascending_key);
  const ResourceSnapshot snapshot = table.snapshot(player.now, false);
  EXPECT_EQ(0U, snapshot.splits);
  EXPECT_EQ(1U, snapshot.isolations) << "the key stands alone, so that its neighbours have room";
  player.refused = 0;
  player.play(Direction::write, 1500, 60, 2, one_collection, ascending_key);
  EXPECT_NEAR(500 * 60, static_cast<double>(player.refused), 1100);
  EXPECT_EQ("TableWriteKeyRangeThroughputExceeded", reason_name(player.last_refusal.reason));
}

TEST(Heat, KeepsCollectionsWholeWithLocalIndexes) {
  Settings settings = provisioned(1, 4000);
  settings.has_local_indexes = true;
  Resource table(ResourceKind::table, settings, Tuning{}, kTestStart);
  Player player{table};
  player.play(Direction::write, 1500, 40 * 60, 2, one_collection, random_key);
  const ResourceSnapshot snapshot = table.snapshot(player.now, true);
  EXPECT_EQ(0U, snapshot.splits);
  EXPECT_EQ(1U, snapshot.isolations);
}

TEST(Heat, IsolatesAnItemAndNeverSplitsIt) {
  Resource table(ResourceKind::table, provisioned(4000, 1), Tuning{}, kTestStart);
  Player player{table};
  // The hot item takes nearly all of its partition; its neighbours are throttled with it.
  const auto mixed = [](std::int64_t n) {
    return n % 6 == 0 ? make_place(key_hash(one_key(0)) + 1 + n % 64, 0) : one_key(n);
  };
  player.play(Direction::read, 3600, 13 * 60, 2, mixed);
  ResourceSnapshot snapshot = table.snapshot(player.now, true);
  EXPECT_EQ(1U, snapshot.isolations);
  player.refused = 0;
  player.play(Direction::read, 3600, 60, 2, mixed);
  EXPECT_EQ(0, player.refused) << "3,000 for the item and 600 for the others";
  player.play(Direction::read, 4000, 40 * 60, 2, one_key);
  snapshot = table.snapshot(player.now, false);
  EXPECT_EQ(1U, snapshot.isolations);
  EXPECT_EQ(0U, snapshot.splits);
  EXPECT_EQ("TableReadKeyRangeThroughputExceeded", reason_name(player.last_refusal.reason));
}

}  // namespace
}  // namespace stator::capacity
