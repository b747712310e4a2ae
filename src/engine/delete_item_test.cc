#include "engine/delete_item.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class DeleteItem : public ::testing::Test {
 protected:
  DeleteItem() { database_.create(testing::indexed_request("t")); }
  const Item key_ = {{"pk", S("a")}, {"sk", N("1")}};
  const Item item_ = {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}, {"l", S("y")}};
  Database database_;
};

TEST_F(DeleteItem, RemovesTheItemFromTableAndIndexes) {
  ASSERT_TRUE(database_.put("t", item_).has_value());
  const TableId table = (*database_.engine.catalog.find("t"))->id;
  EXPECT_EQ(testing::count_rows(*database_.store, table), 5u);
  const auto outcome = database_.remove("t", key_);
  ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
  ASSERT_TRUE(outcome->before.has_value());
  EXPECT_EQ(outcome->before->text(),
            R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"l":{"S":"y"}})");
  EXPECT_FALSE(outcome->after.has_value());
  EXPECT_EQ(testing::count_rows(*database_.store, table), 0u);
}

TEST_F(DeleteItem, OfAnAbsentItemSucceeds) {
  const auto outcome = database_.remove("t", key_);
  ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
  EXPECT_FALSE(outcome->before.has_value());
  EXPECT_EQ(outcome->consumed.total(), write_cost(0));
}

TEST_F(DeleteItem, KeepsTheItemWhereTheConditionFails) {
  ASSERT_TRUE(database_.put("t", item_).has_value());
  EXPECT_EQ(error_of(database_.remove("t", key_, {"g = :g", {{":g", S("other")}}})),
            "The conditional request failed");
  EXPECT_NE(database_.get("t", key_), "");
  EXPECT_TRUE(database_.remove("t", key_, {"g = :g", {{":g", S("x")}}}).has_value());
  EXPECT_EQ(database_.get("t", key_), "");
}

TEST_F(DeleteItem, NeedsTheTableAndItsKey) {
  EXPECT_EQ(error_of(database_.remove("absent", key_)), "Requested resource not found");
  EXPECT_EQ(error_of(database_.remove("t", item_)),
            "The provided key element does not match the schema");
}

}  // namespace
}  // namespace stator::engine
