#include "engine/batch_get_item.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class BatchGetItem : public ::testing::Test {
 protected:
  BatchGetItem() {
    database_.create(testing::simple_request("one"));
    database_.create(testing::simple_request("two"));
  }
  void put(std::string_view table, std::string_view partition, std::string_view text) {
    const auto done = database_.put(table, {{"pk", S(partition)}, {"v", S(text)}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  BatchGetTable table(std::string_view name, std::initializer_list<std::string_view> partitions) {
    std::vector<item::Attributes> keys;
    for (const std::string_view partition : partitions) {
      const item::Attribute key[] = {{"pk", S(database_.keep(partition))}};
      keys.push_back(database_.arena.copy(item::Attributes(key)));
    }
    BatchGetTable result;
    result.table_name = name;
    result.keys = database_.arena.copy(std::span<const item::Attributes>(keys));
    return result;
  }
  Result<std::vector<BatchGetTableResult>> get(const std::vector<BatchGetTable>& tables) {
    return sync_wait(batch_get_item(database_.engine, tables, database_.arena));
  }

  Database database_;
};

TEST_F(BatchGetItem, FindsItemsOfSeveralTables) {
  put("one", "a", "1");
  put("one", "b", "2");
  put("two", "a", "3");
  const auto results = get({table("two", {"a"}), table("one", {"b", "absent", "a"})});
  ASSERT_TRUE(results.has_value()) << error_of(results);
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].items.view(), R"({"pk":{"S":"a"},"v":{"S":"3"}})");
  EXPECT_EQ((*results)[1].items.view(),
            R"({"pk":{"S":"b"},"v":{"S":"2"}},{"pk":{"S":"a"},"v":{"S":"1"}})");
  EXPECT_TRUE((*results)[1].unprocessed.empty());
}

TEST_F(BatchGetItem, CostsEachItemByItself) {
  const std::string large(5000, 'x');
  put("one", "a", large);
  put("one", "b", "small");
  BatchGetTable asked = table("one", {"a", "b", "absent"});
  EXPECT_EQ(get({asked})->front().consumed.total(), 2 + 1 + 1);
  asked.consistent = true;
  EXPECT_EQ(get({asked})->front().consumed.total(), 4 + 2 + 2);
}

TEST_F(BatchGetItem, ProjectsPerTable) {
  put("one", "a", "1");
  put("two", "a", "2");
  BatchGetTable one = table("one", {"a"});
  one.projection = "v";
  const auto results = get({one, table("two", {"a"})});
  ASSERT_TRUE(results.has_value()) << error_of(results);
  EXPECT_EQ((*results)[0].items.view(), R"({"v":{"S":"1"}})");
  EXPECT_EQ((*results)[1].items.view(), R"({"pk":{"S":"a"},"v":{"S":"2"}})");
}

TEST_F(BatchGetItem, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(error_of(get({table("one", {"a", "b", "a"})})),
            "Provided list of item keys contains duplicates");
  EXPECT_TRUE(get({table("one", {"a"}), table("two", {"a"})}).has_value());
}

TEST_F(BatchGetItem, NeedsEveryTableAndItsKeys) {
  EXPECT_EQ(error_of(get({table("one", {"a"}), table("absent", {"a"})})),
            "Requested resource not found");
  EXPECT_EQ(error_of(get({table("one", {""})})),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
}

TEST_F(BatchGetItem, LeavesWhatDoesNotFitIntoSixteenMegabytes) {
  const std::string large(400'000, 'x');
  std::vector<std::string> partitions;
  for (int i = 0; i < 50; ++i) partitions.push_back(std::to_string(100 + i));
  BatchGetTable asked = table("one", {});
  std::vector<item::Attributes> keys;
  for (const std::string& partition : partitions) {
    put("one", partition, large);
    const item::Attribute key[] = {{"pk", S(partition)}};
    keys.push_back(database_.arena.copy(item::Attributes(key)));
  }
  asked.keys = keys;
  asked.projection = "pk";  // the limit is of items as they are stored
  const auto results = get({asked, table("two", {"absent"})});
  ASSERT_TRUE(results.has_value()) << error_of(results);
  const BatchGetTableResult& result = results->front();
  const std::size_t expected = kBatchGetBytesMax / (400'000 + 2 + 3 + 1);
  EXPECT_EQ(testing::split_items(result.items.view()).size(), expected);
  ASSERT_EQ(result.unprocessed.size(), 50 - expected);
  EXPECT_EQ(result.unprocessed.front(), expected);
  EXPECT_EQ(result.unprocessed.back(), 49u);
  EXPECT_EQ(result.consumed.total(), static_cast<HalfUnits>(expected) * read_cost(400'006, false));
}

}  // namespace
}  // namespace stator::engine
