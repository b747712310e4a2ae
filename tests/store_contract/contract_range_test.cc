// The store contract over ranges of keys: scans (S5), counters, and the erasing of a range.

#include <array>

#include "contract.h"

namespace stator::store {
namespace {

// S5

struct ScanCase {
  const char* name;
  Range range;
  std::string expected;  // the keys, ascending
};

TEST_P(StoreContract, S5ScanVisitsTheRangeInOrderOfUnsignedBytes) {
  const std::string high = "\xff";
  put_rows({{"b", "1"}, {"a", "2"}, {"c", "3"}, {"d", "4"}, {high, "5"}, {"B", "6"}});
  const ScanCase cases[] = {
      {"everything", {}, "Babcd" + high},
      {"from", {"b", ""}, "bcd" + high},
      {"to", {"", "c"}, "Bab"},
      {"from and to", {"b", "d"}, "bc"},
      {"bounds between keys", {"aa", "cc"}, "bc"},
      {"empty range", {"b", "b"}, ""},
      {"range the wrong way round", {"d", "b"}, ""},
      {"range without rows", {"e", "f"}, ""},
      {"beyond the end", {"\xff\xff", ""}, ""},
      {"one row", {"c", std::string_view("c\0", 2)}, "c"},
  };
  for (const ScanCase& tested : cases) {
    SCOPED_TRACE(tested.name);
    std::string ascending;
    for (const auto& [key, value] : scan(*store_, tested.range)) ascending += key;
    EXPECT_EQ(ascending, tested.expected);
    std::string descending;
    for (const auto& [key, value] : scan(*store_, tested.range, Direction::descending))
      descending += key;
    EXPECT_EQ(descending, std::string(tested.expected.rbegin(), tested.expected.rend()));
  }
}

TEST_P(StoreContract, S5ScanGivesValues) {
  put_rows({{"a", "1"}, {"b", ""}});
  EXPECT_EQ(scan(*store_, {}), (Rows{{"a", "1"}, {"b", ""}}));
}

TEST_P(StoreContract, S5ScanStopsWhenTheVisitorSaysSo) {
  put_rows({{"a", "1"}, {"b", "2"}, {"c", "3"}});
  EXPECT_EQ(scan(*store_, {}, Direction::ascending, 2), (Rows{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(scan(*store_, {}, Direction::descending, 2), (Rows{{"c", "3"}, {"b", "2"}}));
}

TEST_P(StoreContract, GetRangeGivesTheFirstRowsInOrder) {
  put_rows({{"a", "1"}, {"b", ""}, {"c", "3"}, {"d", "4"}});
  Batch erasure;
  erasure.erases.push_back("c");
  ASSERT_OK(commit(*store_, erasure));
  const auto rows_of = [&](Range range, std::size_t count_max) {
    Result<std::vector<KeyedRow>> found = base::sync_wait(store_->get_range(range, count_max));
    Rows rows;
    if (!found) return Rows{{"error", found.error().message}};
    for (const KeyedRow& row : *found) {
      EXPECT_TRUE(row.row.exists) << row.key;
      rows.emplace_back(row.key, row.row.value.view());
    }
    return rows;
  };
  EXPECT_EQ(rows_of({}, 10), (Rows{{"a", "1"}, {"b", ""}, {"d", "4"}}));
  EXPECT_EQ(rows_of({}, 2), (Rows{{"a", "1"}, {"b", ""}}));
  EXPECT_EQ(rows_of({"b", "d"}, 10), (Rows{{"b", ""}}));
  EXPECT_EQ(rows_of({"b", ""}, 10), (Rows{{"b", ""}, {"d", "4"}}));
  EXPECT_EQ(rows_of({}, 0), Rows{});
  EXPECT_EQ(rows_of({"x", "z"}, 10), Rows{});
  EXPECT_EQ(rows_of({"z", "a"}, 10), Rows{});
}

TEST_P(StoreContract, S3VersionsOfGetRangeAreThoseOfGet) {
  put_rows({{"a", "1"}, {"b", "2"}});
  const auto guarded = [&](bool written_between) {
    const Result<std::vector<KeyedRow>> found = base::sync_wait(store_->get_range({}, 10));
    EXPECT_TRUE(found.has_value() && found->size() == 2);
    EXPECT_EQ(found->front().row.version, get(*store_, "a", ReadMode::latest).version);
    if (written_between) EXPECT_OK(put(*store_, "a", "1"));
    Batch batch;
    for (const KeyedRow& row : *found) batch.guards.push_back({row.key, row.row.version});
    batch.puts = {{"a", "decided"}};
    return commit(*store_, batch).has_value();
  };
  EXPECT_TRUE(guarded(false));
  EXPECT_FALSE(guarded(true));
  EXPECT_TRUE(guarded(false));
}

TEST_P(StoreContract, S5ScanDoesNotShowErasedRowsOrCounters) {
  put_rows({{"a", "1"}, {"b", "2"}, {"c", "3"}});
  Batch batch;
  batch.erases = {"b"};
  const std::array<std::int64_t, 1> deltas = {7};
  batch.adds = {{"aa", deltas}};
  ASSERT_OK(commit(*store_, batch));
  EXPECT_EQ(scan(*store_, {}), (Rows{{"a", "1"}, {"c", "3"}}));
}

// Counters

TEST_P(StoreContract, CountersAreZeroAtFirst) {
  EXPECT_EQ(counters(*store_, "absent", 3), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_TRUE(counters(*store_, "absent", 0).empty());
}

TEST_P(StoreContract, CountersSumDeltasOfDifferentLengths) {
  const std::vector<std::vector<std::int64_t>> deltas = {
      {1}, {10, 20, 30}, {-5, 5}, {}, {0, 0, INT64_MAX}};
  for (const auto& delta : deltas) {
    Batch batch;
    batch.adds.push_back({"n", delta});
    ASSERT_OK(commit(*store_, batch));
  }
  const std::int64_t wrapped = INT64_MIN + 29;  // 30 + INT64_MAX
  EXPECT_EQ(counters(*store_, "n", 4), (std::vector<std::int64_t>{6, 25, wrapped, 0}));
  EXPECT_EQ(counters(*store_, "n", 1), (std::vector<std::int64_t>{6}));
}

TEST_P(StoreContract, OneCommitMayAddToOneCounterTwice) {
  const std::array<std::int64_t, 1> one = {1};
  const std::array<std::int64_t, 2> two = {2, 2};
  Batch batch;
  batch.adds = {{"n", one}, {"n", two}};
  ASSERT_OK(commit(*store_, batch));
  EXPECT_EQ(counters(*store_, "n", 2), (std::vector<std::int64_t>{3, 2}));
}

TEST_P(StoreContract, ManySmallAddsSumUp) {
  const std::array<std::int64_t, 2> deltas = {1, 3};
  Batch batch;
  batch.adds = {{"n", deltas}};
  for (int i = 0; i < 200; ++i) ASSERT_OK(commit(*store_, batch));
  EXPECT_EQ(counters(*store_, "n", 2), (std::vector<std::int64_t>{200, 600}));
}

// erase_range

TEST_P(StoreContract, EraseRangeRemovesExactlyTheRange) {
  const std::string high = "\xff\xff";
  struct Case {
    const char* name;
    Range range;
    std::string left;
  };
  const Case cases[] = {
      {"inside", {"b", "d"}, "ad" + high},
      {"from", {"c", ""}, "ab"},
      {"to", {"", "c"}, "cd" + high},
      {"everything", {}, ""},
      {"nothing", {"c", "c"}, "abcd" + high},
      {"wrong way round", {"d", "a"}, "abcd" + high},
      {"no rows there", {"x", "y"}, "abcd" + high},
  };
  for (const Case& tested : cases) {
    SCOPED_TRACE(tested.name);
    put_rows({{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}, {high, "5"}});
    ASSERT_OK(base::sync_wait(store_->erase_range(tested.range)));
    std::string left;
    for (const auto& [key, value] : scan(*store_, {})) left += key;
    EXPECT_EQ(left, tested.left);
    EXPECT_EQ(get(*store_, "c").exists, tested.left.find('c') != std::string::npos);
  }
}

TEST_P(StoreContract, EraseRangeOfAnEmptyStoreSucceeds) {
  EXPECT_OK(base::sync_wait(store_->erase_range({})));
  EXPECT_OK(base::sync_wait(store_->erase_range({"a", "b"})));
}

TEST_P(StoreContract, EraseRangeTakesCountersToo) {
  const std::array<std::int64_t, 1> deltas = {5};
  Batch batch;
  batch.adds = {{"a", deltas}, {"b", deltas}};
  ASSERT_OK(commit(*store_, batch));
  ASSERT_OK(base::sync_wait(store_->erase_range({"b", ""})));
  EXPECT_EQ(counters(*store_, "a", 1), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(counters(*store_, "b", 1), (std::vector<std::int64_t>{0}));
}

TEST_P(StoreContract, EraseRangeBreaksGuards) {
  ASSERT_OK(put(*store_, "k", "v"));
  Batch batch;
  batch.guards = {{"k", get(*store_, "k").version}};
  batch.puts = {{"k", "decided on what is gone"}};
  ASSERT_OK(base::sync_wait(store_->erase_range({"a", "z"})));
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
}

TEST_P(StoreContract, RowsCanComeBackAfterEraseRange) {
  ASSERT_OK(put(*store_, "k", "old"));
  ASSERT_OK(base::sync_wait(store_->erase_range({"a", "z"})));
  ASSERT_OK(put(*store_, "k", "new"));
  EXPECT_EQ(scan(*store_, {}), (Rows{{"k", "new"}}));
}

}  // namespace
}  // namespace stator::store
