#include "engine/item_write.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/describe_table.h"
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

// Every row and every statistic of the database's tables.
std::string everything(Database& database) {
  std::string text;
  for (const auto& [key, value] : testing::StoredRows(*database.store, "", "").rows) {
    text += testing::hex(key) + "=" + testing::hex(value) + "\n";
  }
  const auto tables = database.engine.catalog.tables();
  for (const auto& [name, table] : *tables) {
    const auto report = sync_wait(describe_table(database.engine, name));
    EXPECT_TRUE(report.has_value()) << error_of(report);
    text += std::to_string(report->statistics.items) + "/" +
            std::to_string(report->statistics.bytes) + "\n";
    for (const auto& [id, statistics] : report->index_statistics) {
      text += std::to_string(statistics.items) + "/" + std::to_string(statistics.bytes) + "\n";
    }
  }
  return text;
}

class ItemWrite : public ::testing::Test {
 protected:
  ItemWrite() { database_.create(testing::indexed_request("orders")); }
  HookedStore& hooked() { return static_cast<HookedStore&>(*database_.store); }

  const Item key_ = {{"pk", S("a")}, {"sk", N("1")}};
  const Item item_ = {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}, {"n", N("1")}};
  Database database_{std::make_unique<HookedStore>()};
};

TEST_F(ItemWrite, AFailedConditionLeavesEverythingAsItWas) {
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  const std::string before = everything(database_);
  const Item other = {{"pk", S("a")}, {"sk", N("1")}, {"g", S("y")}};
  const auto failed = {
      error_of(database_.put("orders", other, {"attribute_not_exists(pk)", {}})),
      error_of(database_.remove("orders", key_, {"n = :n", {{":n", N("2")}}})),
      error_of(database_.update("orders", key_, {"SET g = :g", {{":g", S("y")}}}, "n = g")),
      error_of(
          database_.put("orders", {{"pk", S("b")}, {"sk", N("1")}}, {"attribute_exists(pk)", {}})),
  };
  for (const std::string& error : failed) EXPECT_EQ(error, "The conditional request failed");
  EXPECT_EQ(everything(database_), before);
}

TEST_F(ItemWrite, AFailedConditionShowsTheItem) {
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  const auto failed = database_.put("orders", item_, {"attribute_not_exists(pk)", {}});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::condition_failed);
  const auto* detail = dynamic_cast<const ConditionFailedDetail*>(failed.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->item_text, R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"n":{"N":"1"}})");
}

TEST_F(ItemWrite, AnUpdateThatCannotBeAppliedLeavesEverythingAsItWas) {
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  const std::string before = everything(database_);
  EXPECT_EQ(error_of(database_.update("orders", key_, {"SET n = g + :n", {{":n", N("1")}}})),
            "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(everything(database_), before);
}

TEST_F(ItemWrite, TriesAgainAfterConflicts) {
  hooked().before_change = testing::conflict_times(5);
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  hooked().before_change = testing::conflict_times(5);
  ASSERT_TRUE(database_.update("orders", key_, {"ADD n :n", {{":n", N("1")}}}).has_value());
  EXPECT_EQ(database_.get("orders", key_),
            R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"n":{"N":"2"}})");
  hooked().before_change = testing::conflict_times(5);
  EXPECT_EQ(error_of(database_.remove("orders", key_, {"n = :n", {{":n", N("1")}}})),
            "The conditional request failed");
  hooked().before_change = testing::conflict_times(5);
  ASSERT_TRUE(database_.remove("orders", key_).has_value());
  EXPECT_EQ(database_.get("orders", key_), "");
}

TEST_F(ItemWrite, DecidesOnTheItemThatAFasterWriterLeft) {
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  // Between its read and its commit another writer changes the item.
  hooked().before_change = [&]() -> std::optional<Error> {
    hooked().before_change = nullptr;
    EXPECT_TRUE(database_.update("orders", key_, {"ADD n :n", {{":n", N("10")}}}).has_value());
    return std::nullopt;
  };
  const auto outcome = database_.update("orders", key_, {"ADD n :n", {{":n", N("1")}}});
  ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
  EXPECT_EQ(outcome->write.before->find_text("n"), R"({"N":"11"})");
  EXPECT_EQ(outcome->write.after->find_text("n"), R"({"N":"12"})");
}

TEST_F(ItemWrite, RefusesOnTheItemThatAFasterWriterLeft) {
  ASSERT_TRUE(database_.put("orders", item_).has_value());
  hooked().before_change = [&]() -> std::optional<Error> {
    hooked().before_change = nullptr;
    EXPECT_TRUE(database_.remove("orders", key_).has_value());
    return std::nullopt;
  };
  EXPECT_EQ(error_of(database_.put("orders", item_, {"attribute_exists(pk)", {}})),
            "The conditional request failed");
  EXPECT_EQ(database_.get("orders", key_), "");
}

TEST_F(ItemWrite, GivesAnErrorOfTheStoreOn) {
  hooked().before_change = testing::fail_after(0);
  EXPECT_EQ(error_of(database_.put("orders", item_)), "closed");
  EXPECT_EQ(error_of(database_.remove("orders", key_, {"attribute_exists(pk)", {}})), "closed");
}

TEST_F(ItemWrite, TellsTheItemCollectionOfATableWithLocalIndexes) {
  const auto asked = database_.put("orders", item_, {}, true);
  ASSERT_TRUE(asked.has_value()) << error_of(asked);
  ASSERT_TRUE(asked->collection.has_value());
  EXPECT_EQ(asked->collection->partition_key_name, "pk");
  EXPECT_EQ(asked->collection->partition_key_text, R"({"S":"a"})");
  EXPECT_EQ(asked->collection->lower_gb, 0);
  EXPECT_EQ(asked->collection->upper_gb, 1);
  EXPECT_FALSE(database_.put("orders", item_)->collection.has_value());
  database_.create(testing::simple_request("simple"));
  EXPECT_FALSE(database_.put("simple", {{"pk", S("a")}}, {}, true)->collection.has_value());
}

TEST_F(ItemWrite, RefusesToGrowACollectionAboveTenGigabytes) {
  const TablePtr table = *database_.engine.catalog.find("orders");
  const auto key = find_key_values(table->key, item_, database_.arena);
  const std::string_view collection = collection_key(*table, key->partition, database_.arena);
  const std::int64_t nearly_all[] = {kCollectionBytesMax - 10};
  store::Batch batch;
  batch.adds.push_back({collection, nearly_all});
  ASSERT_TRUE(sync_wait(database_.store->commit(batch)).has_value());

  const auto refused = database_.put("orders", item_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::collection_too_large);
  EXPECT_EQ(database_.get("orders", key_), "");
  EXPECT_TRUE(database_.put("orders", {{"pk", S("b")}, {"sk", N("1")}}).has_value());
  EXPECT_TRUE(database_.remove("orders", key_).has_value());
}

// Threads add to few items; whatever the order, nothing is lost and index and statistics agree.
TEST_F(ItemWrite, LosesNoUpdateOfManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kUpdates = 250;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kUpdates; ++i) {
        base::Arena arena;
        const Item key = {{"pk", S("a")}, {"sk", N(i % 2 == 0 ? "1" : "2")}};
        const Item values = {{":n", N("1")}, {":g", S(thread % 2 == 0 ? "even" : "odd")}};
        UpdateItemRequest request;
        request.table_name = "orders";
        request.key = key;
        request.update = "SET g = :g ADD n :n";
        request.parameters.values = values;
        const auto done = sync_wait(update_item(database_.engine, request, arena));
        ASSERT_TRUE(done.has_value()) << error_of(done);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const char* sort : {"1", "2"}) {
    const std::string text = database_.get("orders", {{"pk", S("a")}, {"sk", N(sort)}});
    EXPECT_NE(text.find(R"("n":{"N":"500"})"), std::string::npos) << text;
  }
  const auto report = sync_wait(describe_table(database_.engine, "orders"));
  ASSERT_TRUE(report.has_value()) << error_of(report);
  EXPECT_EQ(report->statistics.items, 2);
  const Index& index = *report->table->find_index("global_keys");
  EXPECT_EQ(report->index_statistics.at(index.id).items, 2);
  EXPECT_EQ(testing::count_rows(*database_.store, report->table->id), 2u + 2 + 2);
}

}  // namespace
}  // namespace stator::engine
