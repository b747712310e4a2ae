#include "store/rocksdb/row_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "store/version_slots.h"

namespace stator::store {
namespace {

class RowCacheTest : public testing::Test {
 protected:
  void insert(std::string_view key, Version version, std::string_view value) {
    cache_.insert(slots_.hash(key), key, version, value);
  }
  std::string find(std::string_view key, Version version) {
    Bytes value;
    return cache_.find(slots_.hash(key), key, version, value) ? std::string(value.view())
                                                              : "<miss>";
  }

  VersionSlots slots_;
  RowCache cache_{{.bytes_max = 1 << 20}};
};

TEST_F(RowCacheTest, FindsWhatWasInsertedAtThatVersionOnly) {
  insert("k", 7, "value");
  EXPECT_EQ(find("k", 7), "value");
  EXPECT_EQ(find("k", 8), "<miss>");
  EXPECT_EQ(find("k", 6), "<miss>");
  EXPECT_EQ(find("other", 7), "<miss>");
}

TEST_F(RowCacheTest, AWriteRefreshesWhatIsThereAndBringsInNothing) {
  insert("k", 1, "first");
  cache_.refresh(slots_.hash("k"), "k", 2, "other");  // as long: in place
  EXPECT_EQ(find("k", 1), "<miss>");
  EXPECT_EQ(find("k", 2), "other");
  const std::size_t bytes = cache_.bytes();
  cache_.refresh(slots_.hash("k"), "k", 3, "longer one");
  EXPECT_EQ(find("k", 3), "longer one");
  EXPECT_EQ(cache_.bytes(), bytes + 5);
  cache_.refresh(slots_.hash("absent"), "absent", 4, "value");
  EXPECT_EQ(find("absent", 4), "<miss>");
  cache_.refresh(slots_.hash("k"), "k", 5, std::string(1 << 19, 'x'));  // too large to be kept
  EXPECT_EQ(find("k", 5), "<miss>");
  EXPECT_EQ(cache_.bytes(), 0u);
}

TEST_F(RowCacheTest, ARefreshLeavesValuesAloneThatWereGivenOut) {
  insert("k", 1, "first");
  Bytes given;
  ASSERT_TRUE(cache_.find(slots_.hash("k"), "k", 1, given));
  cache_.refresh(slots_.hash("k"), "k", 2, "other");
  EXPECT_EQ(given.view(), "first");
  EXPECT_EQ(find("k", 2), "other");
}

TEST_F(RowCacheTest, ANewerVersionTakesThePlaceOfTheOlder) {
  insert("k", 1, "old");
  const std::size_t bytes = cache_.bytes();
  insert("k", 2, "new");
  EXPECT_EQ(find("k", 1), "<miss>");
  EXPECT_EQ(find("k", 2), "new");
  EXPECT_EQ(cache_.bytes(), bytes);
}

TEST_F(RowCacheTest, KeysWithTheSameHashAreKeptApart) {
  cache_.insert(1, "a", 7, "of a");
  Bytes value;
  EXPECT_FALSE(cache_.find(1, "b", 7, value));
  EXPECT_TRUE(cache_.find(1, "a", 7, value));
}

TEST_F(RowCacheTest, ValuesOutliveTheirEntries) {
  insert("k", 1, "old");
  Bytes held;
  ASSERT_TRUE(cache_.find(slots_.hash("k"), "k", 1, held));
  insert("k", 2, "new");
  EXPECT_EQ(held.view(), "old");
}

TEST_F(RowCacheTest, EmptyValuesAreValues) {
  insert("k", 1, "");
  EXPECT_EQ(find("k", 1), "");
}

TEST_F(RowCacheTest, LargeValuesAreLeftOut) {
  insert("k", 1, std::string(100'000, 'v'));
  EXPECT_EQ(find("k", 1), "<miss>");
  EXPECT_EQ(cache_.bytes(), 0u);
}

TEST_F(RowCacheTest, StaysBelowItsLimit) {
  const std::string value(1000, 'v');
  for (int i = 0; i < 10'000; ++i) {
    insert("key " + std::to_string(i), 1, value);
    ASSERT_LE(cache_.bytes(), std::size_t{1} << 20);
  }
  EXPECT_GT(cache_.bytes(), (std::size_t{1} << 20) / 2) << "and is not empty for that";
}

TEST_F(RowCacheTest, RowsInUseOutlastRowsThatAreReadOnce) {
  const std::string value(500, 'v');
  insert("hot", 1, "hot value");
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) {
    insert("cold " + std::to_string(i), 1, value);
    if (find("hot", 1) == "hot value") {
      ++hits;
    } else {
      insert("hot", 1,
             "hot value");  // as a reader does after a miss; the table also grows meanwhile
    }
  }
  EXPECT_GT(hits, 19'900);
}

TEST_F(RowCacheTest, ManyThreadsSeeOnlyWholeRowsOfTheRightVersion) {
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (unsigned i = 0; i < 20'000; ++i) {
        const unsigned row = (i * 7 + thread) % 100;
        const Version version = i % 3;
        const std::string key = "key " + std::to_string(row);
        const std::string value = std::to_string(row) + " at " + std::to_string(version);
        insert(key, version, value);
        const std::string found = find(key, version);
        ASSERT_TRUE(found == value || found == "<miss>") << found;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace stator::store
