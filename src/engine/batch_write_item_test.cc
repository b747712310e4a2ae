#include "engine/batch_write_item.h"

#include <gtest/gtest.h>

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

class BatchWriteItem : public ::testing::Test {
 protected:
  BatchWriteItem() {
    database_.create(testing::indexed_request("t"));
    database_.create(testing::simple_request("other"));
  }
  BatchWrite put(std::string_view table, const Item& item) {
    return {table, database_.arena.copy(item::Attributes(item)), true};
  }
  BatchWrite remove(std::string_view table, const Item& key) {
    return {table, database_.arena.copy(item::Attributes(key)), false};
  }
  Result<std::vector<WriteOutcome>> write(const std::vector<BatchWrite>& writes,
                                          bool collection_metrics = false) {
    TRY(BatchWriteResult result,
        sync_wait(batch_write_item(database_.engine, writes, collection_metrics, database_.arena)));
    EXPECT_TRUE(result.unprocessed.empty());
    return std::move(result.outcomes);
  }
  std::string get(const char* sort) {
    return database_.get("t", {{"pk", S("a")}, {"sk", N(sort)}});
  }

  Database database_{std::make_unique<HookedStore>()};
};

TEST_F(BatchWriteItem, PutsAndDeletesInSeveralTables) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}).has_value());
  const auto outcomes =
      write({remove("t", {{"pk", S("a")}, {"sk", N("1")}}),
             put("t", {{"pk", S("a")}, {"sk", N("2")}, {"g", S("x")}}),
             put("other", {{"pk", S("a")}}), remove("other", {{"pk", S("absent")}})});
  ASSERT_TRUE(outcomes.has_value()) << error_of(outcomes);
  EXPECT_EQ(get("1"), "");
  EXPECT_EQ(get("2"), R"({"pk":{"S":"a"},"sk":{"N":"2"},"g":{"S":"x"}})");
  EXPECT_EQ(database_.get("other", {{"pk", S("a")}}), R"({"pk":{"S":"a"}})");
  ASSERT_EQ(outcomes->size(), 4u);
  // Table, global_keys and global_some.
  EXPECT_EQ((*outcomes)[0].consumed.total(), 3 * write_cost(1));
  EXPECT_EQ((*outcomes)[3].consumed.total(), write_cost(0));
  const auto report = sync_wait(describe_table(database_.engine, "t"));
  EXPECT_EQ(report->statistics.items, 1);
}

TEST_F(BatchWriteItem, RefusesTwoWritesOfOneItem) {
  const Item item = {{"pk", S("a")}, {"sk", N("1")}};
  const std::string_view text = "Provided list of item keys contains duplicates";
  EXPECT_EQ(error_of(write({put("t", item), put("t", item)})), text);
  EXPECT_EQ(error_of(write({put("t", item), remove("t", item)})), text);
  EXPECT_EQ(get("1"), "");
  EXPECT_TRUE(write({put("t", item), put("other", {{"pk", S("a")}})}).has_value());
}

TEST_F(BatchWriteItem, WritesNothingWhereOneWriteIsWrong) {
  const std::string large(409'600, 'x');
  const Item good = {{"pk", S("a")}, {"sk", N("1")}};
  const std::pair<BatchWrite, std::string_view> cases[] = {
      {put("absent", good), "Requested resource not found"},
      {put("t", {{"pk", S("b")}}), "The provided key element does not match the schema"},
      {put("t", {{"pk", S("b")}, {"sk", S("1")}}),
       "The provided key element does not match the schema"},
      {remove("t", {{"pk", S("b")}}), "The provided key element does not match the schema"},
      {put("t", {{"pk", S("b")}, {"sk", N("1")}, {"v", S(large)}}),
       "Item size has exceeded the maximum allowed size"},
      {put("t", {{"pk", S("b")}, {"sk", N("1")}, {"g", N("1")}}),
       "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S "
       "Actual: N IndexName: global_all"},
  };
  for (const auto& [bad, error] : cases) {
    EXPECT_EQ(error_of(write({put("t", good), bad})), error);
    EXPECT_EQ(get("1"), "");
  }
}

TEST_F(BatchWriteItem, TriesAgainAfterConflicts) {
  static_cast<HookedStore&>(*database_.store).before_change = testing::conflict_times(3);
  ASSERT_TRUE(write({put("t", {{"pk", S("a")}, {"sk", N("1")}}),
                     put("t", {{"pk", S("a")}, {"sk", N("2")}})})
                  .has_value());
  EXPECT_NE(get("1"), "");
  EXPECT_NE(get("2"), "");
  EXPECT_EQ(sync_wait(describe_table(database_.engine, "t"))->statistics.items, 2);
}

TEST_F(BatchWriteItem, TellsItemCollectionsOfTablesWithLocalIndexes) {
  const auto outcomes =
      write({put("t", {{"pk", S("a")}, {"sk", N("1")}}), put("other", {{"pk", S("a")}})}, true);
  ASSERT_TRUE(outcomes.has_value()) << error_of(outcomes);
  ASSERT_TRUE((*outcomes)[0].collection.has_value());
  EXPECT_EQ((*outcomes)[0].collection->partition_key_text, R"({"S":"a"})");
  EXPECT_FALSE((*outcomes)[1].collection.has_value());
}

}  // namespace
}  // namespace stator::engine
