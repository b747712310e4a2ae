#include "engine/get_item.h"

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

class GetItem : public ::testing::Test {
 protected:
  GetItem() { database_.create(testing::sorted_request("t")); }
  Result<GetItemResult> get(const Item& key, bool consistent = false) {
    GetItemRequest request;
    request.table_name = "t";
    request.key = key;
    request.consistent = consistent;
    return sync_wait(get_item(database_.engine, request, database_.arena));
  }
  Database database_;
};

TEST_F(GetItem, FindsByTheWholeKey) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"v", S("x")}}).has_value());
  EXPECT_EQ(database_.get("t", {{"sk", N("1")}, {"pk", S("a")}}),
            R"({"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"x"}})");
  EXPECT_EQ(database_.get("t", {{"pk", S("a")}, {"sk", N("2")}}), "");
  EXPECT_EQ(database_.get("t", {{"pk", S("b")}, {"sk", N("1")}}), "");
}

TEST_F(GetItem, CostsHalfAUnitPerFourKilobytesUnlessConsistent) {
  const std::string large(5000, 'x');
  const Item key = {{"pk", S("a")}, {"sk", N("1")}};
  EXPECT_EQ(get(key)->consumed.total(), 1);
  EXPECT_EQ(get(key, true)->consumed.total(), 2);
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"v", S(large)}}).has_value());
  EXPECT_EQ(get(key)->consumed.total(), 2);
  EXPECT_EQ(get(key, true)->consumed.total(), 4);
}

TEST_F(GetItem, GivesTheProjectionThatWasAskedFor) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"v", S("x")}, {"w", S("y")}})
                  .has_value());
  const Item key = {{"pk", S("a")}, {"sk", N("1")}};
  const expr::Name names[] = {{"#v", "v"}};
  GetItemRequest request;
  request.table_name = "t";
  request.key = key;
  request.projection = "#v, absent";
  request.parameters.names = names;
  const auto result = sync_wait(get_item(database_.engine, request, database_.arena));
  ASSERT_TRUE(result.has_value()) << error_of(result);
  ASSERT_TRUE(result->item && result->projection);
  base::Buffer text;
  result->projection->append(text, *result->item, database_.arena);
  EXPECT_EQ(text.view(), R"({"v":{"S":"x"}})");
}

TEST_F(GetItem, ChecksExpressionThenTableThenKey) {
  GetItemRequest request;
  request.table_name = "absent";
  request.projection = "a,";
  EXPECT_EQ(error_of(sync_wait(get_item(database_.engine, request, database_.arena))).substr(0, 29),
            "Invalid ProjectionExpression:");
  request.projection.reset();
  EXPECT_EQ(error_of(sync_wait(get_item(database_.engine, request, database_.arena))),
            "Requested resource not found");
  EXPECT_EQ(error_of(get({{"pk", S("a")}})), "The provided key element does not match the schema");
}

}  // namespace
}  // namespace stator::engine
