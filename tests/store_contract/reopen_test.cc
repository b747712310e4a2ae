// S2 without faults: what was answered is there after the store was opened again.

#include <array>

#include "backends.h"

namespace stator::store {
namespace {

class Reopen : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override { open(); }
  void TearDown() override {
    if (store_) EXPECT_OK(store_->close());
  }
  void open() {
    Result<std::unique_ptr<Store>> opened = backend_->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }
  void reopen() {
    ASSERT_OK(store_->close());
    store_.reset();
    open();
  }

  std::unique_ptr<Backend> backend_ = GetParam().make();
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Reopen, testing::ValuesIn(backends_that_keep_data()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(Reopen, KeepsRowsErasesAndCounters) {
  const std::array<std::int64_t, 2> deltas = {3, -4};
  for (int round = 1; round <= 3; ++round) {
    Batch batch;
    const std::string value = std::to_string(round);
    batch.puts = {{"a", value}, {"b", value}};
    batch.adds = {{"n", deltas}};
    ASSERT_OK(commit(*store_, batch));
    Batch erase;
    erase.erases = {"b"};
    ASSERT_OK(commit(*store_, erase));
    reopen();
    EXPECT_EQ(scan(*store_, {}), (Rows{{"a", value}}));
    EXPECT_EQ(counters(*store_, "n", 2), (std::vector<std::int64_t>{3 * round, -4 * round}));
  }
}

TEST_P(Reopen, KeepsErasedRangesErased) {
  ASSERT_OK(put(*store_, "a", "1"));
  ASSERT_OK(put(*store_, "b", "1"));
  reopen();
  ASSERT_OK(base::sync_wait(store_->erase_range({"b", ""})));
  reopen();
  EXPECT_EQ(scan(*store_, {}), (Rows{{"a", "1"}}));
}

TEST_P(Reopen, GuardsWorkOnRowsFromBefore) {
  ASSERT_OK(put(*store_, "k", "1"));
  reopen();
  Batch batch;
  batch.guards = {{"k", get(*store_, "k", ReadMode::latest).version}};
  batch.puts = {{"k", "2"}};
  EXPECT_OK(commit(*store_, batch));
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
}

// After a reopen nothing is in a cache: these reads and scans leave the calling thread.
TEST_P(Reopen, ReadsFromDiskGiveTheSame) {
  Rows expected;
  for (int i = 0; i < 2000; ++i) {
    expected.emplace_back("key " + std::to_string(100000 + i),
                          std::string(300, static_cast<char>('a' + i % 26)));
  }
  Batch batch;
  for (const auto& [key, value] : expected) batch.puts.push_back({key, value});
  ASSERT_OK(commit(*store_, batch));
  reopen();
  EXPECT_EQ(value_of(*store_, expected[1234].first), expected[1234].second);
  reopen();
  EXPECT_EQ(scan(*store_, {}), expected);
  reopen();
  EXPECT_EQ(scan(*store_, {expected[500].first, expected[1500].first}, Direction::descending),
            Rows(expected.rbegin() + 500, expected.rbegin() + 1500));
  reopen();
  // The middle is in the cache, the rest is not: a scan changes over on its way.
  EXPECT_TRUE(get(*store_, expected[0].first).exists);
  EXPECT_EQ(scan(*store_, {}), expected);
  reopen();
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : expected) keys.push_back(key);
  const auto rows = base::sync_wait(store_->get_many(keys, ReadMode::committed));
  ASSERT_OK(rows);
  ASSERT_EQ(rows->size(), expected.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ((*rows)[i].value.view(), expected[i].second);
}

TEST_P(Reopen, ThreadsThatAreNoExecutorGetTheirAnswersToo) {
  ASSERT_OK(put(*store_, "k", "v"));
  reopen();
  std::string seen;
  auto use = [&]() -> base::Detached {
    const Result<Row> row = co_await store_->get("k", ReadMode::committed);
    Batch batch;
    batch.puts = {{"k", "w"}};
    const Result<void> done = co_await store_->commit(batch);
    seen = done ? std::string(row->value.view()) : done.error().message;
  };
  ASSERT_EQ(base::Executor::current(), nullptr);
  use();
  EXPECT_EQ(seen, "v");
  EXPECT_EQ(value_of(*store_, "k"), "w");
}

}  // namespace
}  // namespace stator::store
