// What outbox rows do to indexes, in whatever order and however often they are applied.

#include "engine/propagate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/builder.h"
#include "engine/expiry.h"
#include "engine/outbox_sweep.h"
#include "engine/propagate_test_support.h"
#include "engine/transact_write_items.h"
#include "engine/update_time_to_live.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

TEST_F(Propagate, MakesIndexesOfNewMovedRewrittenAndDeletedItems) {
  put("1", {{"g", S("x")}, {"h", N("1")}});
  put("2", {{"g", S("x")}});
  put("3", {{"a", S("in no index")}});
  ASSERT_TRUE(apply().has_value());
  expect_equal();
  put("1", {{"g", S("y")}, {"h", N("1")}, {"a", S("moved")}});
  put("2", {{"g", S("x")}, {"a", S("rewritten")}});
  put("3", {{"g", S("z")}});
  ASSERT_TRUE(apply().has_value());
  expect_equal();
  remove("1");
  put("2", {});
  ASSERT_TRUE(apply().has_value());
  expect_equal();
}

TEST_F(Propagate, TakesManyChangesOfAnItemInOneCommit) {
  for (int i = 0; i < 10; ++i) put("1", {{"g", S(i % 3 == 0 ? "x" : "y")}, {"h", N(std::to_string(i).c_str())}});
  EXPECT_EQ(pending(), 10u);
  int commits = 0;
  hooked().before_commit = [&](const store::Batch&) { ++commits; };
  ASSERT_TRUE(apply().has_value());
  EXPECT_EQ(commits, 1);
  expect_equal();
}

TEST_F(Propagate, IsWaitedForByAQueryOfTheIndex) {
  put("1", {{"g", S("x")}});
  EXPECT_EQ(count("global_keys", "x"), 1u);
  remove("1");
  EXPECT_EQ(count("global_keys", "x"), 0u);
}

TEST_F(Propagate, EndsInTheSameWhateverTheOrderAndHoweverOften) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const std::vector<std::string> groups = {"x", "y", "z"};
    for (int i = 0; i < 8; ++i) {
      const char* sort = random() % 2 == 0 ? "1" : "2";
      const std::string& group = groups[random() % groups.size()];
      switch (random() % 4) {
        case 0:
          remove(sort);
          break;
        case 1:
          put(sort, {{"a", S(group)}});
          break;
        default:
          put(sort, {{"g", S(group)}, {"h", N(std::to_string(random() % 3))}, {"b", S(group)}});
      }
    }
    std::vector<QueuedItem> rows = take_rows();
    std::vector<QueuedItem> twice = rows;
    std::shuffle(rows.begin(), rows.end(), random);
    std::shuffle(twice.begin(), twice.end(), random);
    for (const QueuedItem& row : rows) ASSERT_TRUE(sync_wait(propagate(database_.engine, row)).has_value());
    for (const QueuedItem& row : twice) ASSERT_TRUE(sync_wait(propagate(database_.engine, row)).has_value());
    expect_equal();
  }
}

TEST_F(Propagate, IsRightForAnIndexOfAnotherMeaningForEachKindOfItem) {
  put("1", {{"g", S("user#1")}, {"h", N("1")}});
  put("2", {{"g", S("order#1")}, {"h", N("2")}});
  ASSERT_TRUE(apply().has_value());
  put("1", {{"g", S("order#1")}, {"h", N("2")}});  // the place of another item, but for the table's key
  put("2", {{"g", S("user#1")}, {"h", N("1")}});
  ASSERT_TRUE(apply().has_value());
  expect_equal();
}

TEST_F(Propagate, BeginsAgainWhenTheItemChangesMeanwhile) {
  put("1", {{"g", S("x")}});
  bool changed = false;
  hooked().before_read = [&](std::string_view) {
    if (std::exchange(changed, true)) return;
    put("1", {{"g", S("y")}});
  };
  ASSERT_TRUE(apply().has_value());
  hooked().before_read = nullptr;
  EXPECT_EQ(count("global_keys", "y"), 1u);
  EXPECT_EQ(count("global_keys", "x"), 0u);
  expect_equal();
}

TEST_F(Propagate, CountsARowOnceThatTwoNodesApplyAtOnce) {
  put("1", {{"g", S("x")}});
  Engine other(*database_.store, database_.clock, testing::outbox_options());
  ASSERT_TRUE(sync_wait(other.catalog.load()).has_value());
  const std::vector<QueuedItem> rows = take_rows();
  bool applied = false;
  hooked().before_commit = [&](const store::Batch& batch) {
    if (batch.guards.empty() || std::exchange(applied, true)) return;
    EXPECT_TRUE(sync_wait(propagate(other, rows.front())).has_value());
  };
  ASSERT_TRUE(sync_wait(propagate(database_.engine, rows.front())).has_value());
  hooked().before_commit = nullptr;
  EXPECT_TRUE(applied);
  expect_equal();
}

// A process that ends after so many changes, of writes and of their application; another one goes on.
class InterruptedPropagate : public Propagate, public ::testing::WithParamInterface<int> {};
TEST_P(InterruptedPropagate, IsFinishedByTheNextProcess) {
  put("1", {{"g", S("x")}});
  put("2", {{"g", S("x")}, {"h", N("5")}});
  ASSERT_TRUE(apply().has_value());
  hooked().before_change = testing::fail_after(GetParam());
  const Item first = {{"pk", S("a")}, {"sk", N("1")}};
  static_cast<void>(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("y")}}));
  static_cast<void>(apply());
  static_cast<void>(database_.put("t", {{"pk", S("a")}, {"sk", N("2")}, {"g", S("y")}}));
  static_cast<void>(database_.put("t", {{"pk", S("a")}, {"sk", N("3")}, {"g", S("z")}}));
  static_cast<void>(apply());
  static_cast<void>(database_.remove("t", first));
  static_cast<void>(apply());
  hooked().before_change = nullptr;
  Engine next(*database_.store, database_.clock, testing::outbox_options());
  ASSERT_TRUE(sync_wait(next.catalog.load()).has_value());
  const Result<void> swept = sync_wait(sweep_outbox(next));
  ASSERT_TRUE(swept.has_value()) << error_of(swept);
  expect_equal();
  EXPECT_TRUE(testing::outbox_marks(*database_.store).empty());
}
INSTANTIATE_TEST_SUITE_P(AfterChanges, InterruptedPropagate, ::testing::Range(0, 10));

// A commit of which nobody knows whether it was applied.
class OpenCommit : public Propagate {
 protected:
  // Puts an item of group y, and answers that the store does not answer.
  void put_with_open_end(const char* sort, bool applied) {
    const Error gone{ErrorCode::unavailable, "no answer"};
    const auto fails = [gone, done = false]() mutable { return std::exchange(done, true) ? std::nullopt : std::optional(gone); };
    (applied ? hooked().answer : hooked().before_change) = fails;
    EXPECT_FALSE(database_.put("t", {{"pk", S("a")}, {"sk", N(sort)}, {"g", S("y")}}).has_value());
    hooked().answer = nullptr;
    hooked().before_change = nullptr;
  }
};

TEST_F(OpenCommit, ThatWasAppliedIsPropagated) {
  put("1", {{"g", S("x")}});
  ASSERT_TRUE(apply().has_value());
  put_with_open_end("1", true);
  ASSERT_TRUE(apply().has_value());
  EXPECT_EQ(count("global_keys", "y"), 1u);
  expect_equal();
}

TEST_F(OpenCommit, ThatWasNotAppliedCannotComeAfterwards) {
  for (const char* sort : {"1", "2"}) {  // of an item that is there, and of one that is not
    if (std::string_view(sort) == "1") put("1", {{"g", S("x")}});
    ASSERT_TRUE(apply().has_value());
    std::vector<std::pair<std::string, store::Version>> guards;
    hooked().before_commit = [&](const store::Batch& batch) {
      for (const store::Guard& guard : batch.guards) guards.emplace_back(guard.key, guard.version);
    };
    put_with_open_end(sort, false);
    hooked().before_commit = nullptr;
    ASSERT_EQ(guards.size(), 1u);
    ASSERT_TRUE(apply().has_value());
    EXPECT_EQ(count("global_keys", "y"), 0u);
    store::Batch late;
    late.guards.push_back({guards[0].first, guards[0].second});
    const Result<void> committed = sync_wait(database_.store->commit(late));
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code, ErrorCode::conflict);
    expect_equal();
  }
}

TEST_F(Propagate, IsDoneForTransactionsAndBatches) {
  std::vector<TransactAction> actions;
  const std::vector<Item> items = {{{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}},
                                   {{"pk", S("b")}, {"sk", N("2")}, {"g", S("y")}}};
  for (const Item& item : items) {
    TransactAction& action = actions.emplace_back();
    action.kind = TransactKind::put;
    action.table_name = "t";
    action.attributes = item;
  }
  const TransactWriteRequest request = {actions, "token", "f", false};
  ASSERT_TRUE(sync_wait(transact_write_items(database_.engine, request, database_.arena)).has_value());
  EXPECT_EQ(pending(), 2u);
  EXPECT_EQ(count("global_keys", "x"), 1u);
  EXPECT_EQ(count("global_keys", "y"), 1u);
  expect_equal();
}

TEST_F(Propagate, IsDoneForItemsThatExpire) {
  const auto on = sync_wait(update_time_to_live(database_.engine, "t", "expires", true));
  ASSERT_TRUE(on.has_value());
  ASSERT_TRUE(sync_wait(advance_building(database_.engine, *on)).has_value());
  const std::string past = std::to_string(database_.clock.now_ms() / 1000 - 10);
  put("1", {{"g", S("x")}, {"expires", N(past)}});
  put("2", {{"g", S("x")}});
  ASSERT_TRUE(apply().has_value());
  ASSERT_EQ(sync_wait(delete_expired(database_.engine, table())).value_or(0), 1u);
  EXPECT_EQ(count("global_keys", "x"), 1u);
  expect_equal();
}

TEST_F(Propagate, LeavesNothingOfATableThatIsDropped) {
  put("1", {{"g", S("x")}});
  const TableId id = table()->id;
  ASSERT_TRUE(sync_wait(database_.engine.catalog.drop("t", 0)).has_value());
  database_.create(testing::indexed_request("t"));
  ASSERT_TRUE(apply().has_value());
  EXPECT_EQ(testing::count_rows(*database_.store, id), 0u);
  EXPECT_EQ(database_.engine.outbox->queue().rows(), 0u);
}

TEST_F(Propagate, MeasuresTheLagOfEachIndex) {
  put("1", {{"g", S("x")}});
  ASSERT_TRUE(apply().has_value());
  const auto lag = database_.engine.outbox->lag().snapshot();
  const auto place = [&](std::string_view index) { return OutboxLag::Place{table()->id, table()->find_index(index)->id}; };
  EXPECT_FALSE(lag.contains(place("global_all")));  // it has no h
  ASSERT_TRUE(lag.contains(place("global_keys")));
  EXPECT_EQ(lag.at(place("global_keys")).count, 1u);
}

}  // namespace
}  // namespace stator::engine
