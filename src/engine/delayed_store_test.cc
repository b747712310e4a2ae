// Reads that lag behind, as an application sees them.

#include "engine/delayed_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/batch_get_item.h"
#include "engine/hooked_store.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

constexpr std::int64_t kDelayMs = 1000;

class DelayedReads : public ::testing::Test {
 protected:
  DelayedReads() { database_.create(testing::indexed_request("t")); }

  void put(std::string_view sort, std::string_view group, std::string_view text = "x") {
    const auto done =
        database_.put("t", {{"pk", S("a")}, {"sk", N(sort)}, {"g", S(group)}, {"h", N("1")}, {"v", S(text)}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  void remove(std::string_view sort) {
    const auto done = database_.remove("t", {{"pk", S("a")}, {"sk", N(sort)}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  std::string get(std::string_view sort, bool consistent) {
    const Item key = {{"pk", S("a")}, {"sk", N(sort)}};
    GetItemRequest request;
    request.table_name = "t";
    request.key = key;
    request.consistent = consistent;
    const auto result = sync_wait(get_item(database_.engine, request, database_.arena));
    EXPECT_TRUE(result.has_value()) << error_of(result);
    if (!result || !result->item) return "-";
    return std::string(result->item->find("v", database_.arena)->text());
  }
  // The sort keys that a query shows, in its order.
  std::string query(std::optional<std::string_view> index, bool consistent, bool forward = true,
                    std::optional<std::int64_t> limit = std::nullopt) {
    const Item values = {{":k", S(index ? "g1" : "a")}};
    QueryRequest request;
    request.page.table_name = "t";
    request.page.index_name = index;
    request.page.parameters.values = values;
    request.page.consistent = consistent;
    request.page.limit = limit;
    request.key_condition = index ? "g = :k" : "pk = :k";
    request.forward = forward;
    return sort_keys(database_.query(request));
  }
  std::string scan(std::optional<std::string_view> index, bool consistent = false) {
    ScanRequest request;
    request.page.table_name = "t";
    request.page.index_name = index;
    request.page.consistent = consistent;
    return sort_keys(database_.scan(request));
  }
  std::string sort_keys(const Result<testing::PageText>& page) {
    EXPECT_TRUE(page.has_value()) << error_of(page);
    std::string keys;
    if (!page) return keys;
    for (const std::string_view text : testing::split_items(page->items)) {
      for (const item::Attribute& attribute : database_.attributes(text)) {
        if (attribute.name == "sk") keys += fmt::format("{}{}", keys.empty() ? "" : " ", attribute.value.text());
      }
    }
    return keys;
  }

  Database database_{std::make_unique<HookedStore>(), {.index_delay_ms = kDelayMs}};
};

TEST_F(DelayedReads, OfAnIndexLagUntilTheDelayHasPassed) {
  put("1", "g1");
  EXPECT_EQ(query("global_all", false), "");
  EXPECT_EQ(scan("global_all"), "");
  database_.clock.advance(kDelayMs - 1);
  EXPECT_EQ(query("global_all", false), "");
  database_.clock.advance(1);
  EXPECT_EQ(query("global_all", false), "1");
  EXPECT_EQ(scan("global_all"), "1");
}

TEST_F(DelayedReads, OfATableLagUnlessTheyAreConsistent) {
  put("1", "g1", "old");
  database_.clock.advance(kDelayMs);
  put("1", "g1", "new");
  put("2", "g1");
  EXPECT_EQ(get("1", false), "old");
  EXPECT_EQ(get("1", true), "new");
  EXPECT_EQ(get("2", false), "-");
  EXPECT_EQ(query(std::nullopt, false), "1");
  EXPECT_EQ(query(std::nullopt, true), "1 2");
  EXPECT_EQ(scan(std::nullopt, false), "1");
  EXPECT_EQ(scan(std::nullopt, true), "1 2");
  database_.clock.advance(kDelayMs);
  EXPECT_EQ(get("1", false), "new");
  EXPECT_EQ(query(std::nullopt, false), "1 2");
}

TEST_F(DelayedReads, OfManyKeysLagUnlessTheyAreConsistent) {
  put("1", "g1", "old");
  database_.clock.advance(kDelayMs);
  put("1", "g1", "new");
  put("2", "g1", "new");
  const Item first = {{"pk", S("a")}, {"sk", N("1")}};
  const Item second = {{"pk", S("a")}, {"sk", N("2")}};
  const std::vector<item::Attributes> keys = {first, second};
  const auto items = [&](bool consistent) {
    BatchGetTable request;
    request.table_name = "t";
    request.keys = keys;
    request.consistent = consistent;
    const auto results = sync_wait(batch_get_item(database_.engine, {&request, 1}, database_.arena));
    EXPECT_TRUE(results.has_value()) << error_of(results);
    return results ? std::string(results->front().items.view()) : std::string();
  };
  EXPECT_NE(items(false).find("old"), std::string::npos);
  EXPECT_EQ(items(false).find("new"), std::string::npos);
  EXPECT_EQ(testing::split_items(items(true)).size(), 2u);
  EXPECT_EQ(items(true).find("old"), std::string::npos);
}

TEST_F(DelayedReads, StillShowWhatWasDeletedInItsPlace) {
  for (const char* sort : {"1", "2", "3", "4"}) put(sort, "g1");
  database_.clock.advance(kDelayMs);
  remove("1");
  remove("3");
  remove("4");
  put("5", "g1");
  EXPECT_EQ(query(std::nullopt, true), "2 5");
  EXPECT_EQ(query(std::nullopt, false), "1 2 3 4");
  EXPECT_EQ(query(std::nullopt, false, false), "4 3 2 1");
  EXPECT_EQ(query(std::nullopt, false, true, 3), "1 2 3");
  EXPECT_EQ(query(std::nullopt, false, false, 2), "4 3");
  EXPECT_EQ(query("global_all", false), "1 2 3 4");
  database_.clock.advance(kDelayMs);
  EXPECT_EQ(query(std::nullopt, false, false), "5 2");
}

TEST_F(DelayedReads, ShowEachOfSeveralChangesInItsTurn) {
  put("1", "g1", "first");
  database_.clock.advance(kDelayMs / 2);
  put("1", "g2", "second");
  database_.clock.advance(kDelayMs / 4);
  remove("1");
  EXPECT_EQ(get("1", false), "-");
  database_.clock.advance(kDelayMs / 4);
  EXPECT_EQ(get("1", false), "first");
  EXPECT_EQ(query("global_all", false), "1");
  database_.clock.advance(kDelayMs / 2);
  EXPECT_EQ(get("1", false), "second");
  EXPECT_EQ(query("global_all", false), "");
  database_.clock.advance(kDelayMs / 4);
  EXPECT_EQ(get("1", false), "-");
}

TEST_F(DelayedReads, NeverShowAWriteThatFailed) {
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  put("1", "g1", "old");
  database_.clock.advance(kDelayMs);
  hooked.before_change = [] { return Error{ErrorCode::out_of_space, "full"}; };
  EXPECT_FALSE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"v", S("lost")}}).has_value());
  hooked.before_change = nullptr;
  EXPECT_EQ(get("1", false), "old");
  database_.clock.advance(kDelayMs);
  EXPECT_EQ(get("1", false), "old");
}

TEST_F(DelayedReads, DoNotSeeACommitBeforeItIsAnswered) {
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  put("1", "g1", "old");
  database_.clock.advance(kDelayMs);
  std::string seen;
  hooked.after_commit = [&] { seen = get("1", false); };
  put("1", "g1", "new");
  hooked.after_commit = nullptr;
  EXPECT_EQ(seen, "old");
}

TEST_F(DelayedReads, DoNotHoldBackConditions) {
  put("1", "g1");
  const auto again = database_.put("t", {{"pk", S("a")}, {"sk", N("1")}}, {"attribute_not_exists(pk)", {}});
  EXPECT_EQ(error_of(again), "The conditional request failed");
}

TEST(RowHistory, ForgetsTheOldestWhenItIsFull) {
  testing::ManualClock clock;
  RowHistory history(kDelayMs, clock, 10'000);
  for (int i = 0; i < 100; ++i) {
    history.end(history.begin({{std::to_string(i), std::string(500, 'x')}}), true);
  }
  EXPECT_LE(history.bytes(), 10'000u);
  const RowHistory::Reading reading(history);
  EXPECT_FALSE(reading.find("0").has_value());
  EXPECT_TRUE(reading.find("99").has_value());
}

TEST(RowHistory, IsEmptyWhenEveryChangeIsOldEnough) {
  testing::ManualClock clock;
  RowHistory history(kDelayMs, clock, 10'000);
  history.end(history.begin({{"a", std::nullopt}, {"b", "1"}}), true);
  const RowHistory::ChangePtr failed = history.begin({{"b", "2"}});
  EXPECT_GT(history.bytes(), 0u);
  clock.advance(kDelayMs);
  history.end(failed, false);
  EXPECT_EQ(history.bytes(), 0u);
}

TEST(RowHistory, KeepsWhatAReadUnderWayMayAskFor) {
  testing::ManualClock clock;
  RowHistory history(kDelayMs, clock, 10'000);
  history.end(history.begin({{"a", "old"}}), true);
  {
    const RowHistory::Reading reading(history);
    clock.advance(5 * kDelayMs);
    history.end(history.begin({{"b", std::nullopt}}), true);
    ASSERT_TRUE(reading.find("a").has_value());
    EXPECT_EQ(reading.find("a")->value, "old");
  }
  history.end(history.begin({{"c", std::nullopt}}), true);
  const RowHistory::Reading later(history);
  EXPECT_FALSE(later.find("a").has_value());
}

}  // namespace
}  // namespace stator::engine
