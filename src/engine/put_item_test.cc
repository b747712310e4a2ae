#include "engine/put_item.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class PutItem : public ::testing::Test {
 protected:
  PutItem() { database_.create(testing::simple_request("t")); }
  const Item key_ = {{"pk", S("a")}};
  Database database_;
};

TEST_F(PutItem, StoresEveryType) {
  const item::Value strings[] = {S("x"), S("")};
  const item::Value numbers[] = {N("1"), N("-2.5")};
  const item::Value binaries[] = {testing::B("\x01")};
  const item::Attribute nested[] = {{"in\"side", item::Value::list(strings)}};
  using item::Type;
  const Item item = {{"pk", S("a")},
                     {"s", S("\u00e4\n")},
                     {"n", N("1")},
                     {"b", testing::B(std::string_view("\0\xff", 2))},
                     {"t", item::Value::boolean(true)},
                     {"f", item::Value::boolean(false)},
                     {"z", item::Value::null()},
                     {"m", item::Value::map(nested)},
                     {"l", item::Value::list({})},
                     {"ss", item::Value::set(Type::string_set, strings)},
                     {"ns", item::Value::set(Type::number_set, numbers)},
                     {"bs", item::Value::set(Type::binary_set, binaries)}};
  ASSERT_TRUE(database_.put("t", item).has_value());
  EXPECT_EQ(database_.get("t", key_),
            "{\"pk\":{\"S\":\"a\"},\"s\":{\"S\":\"\u00e4\\n\"},\"n\":{\"N\":\"1\"},"
            R"("b":{"B":"AP8="},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true},)"
            R"("m":{"M":{"in\"side":{"L":[{"S":"x"},{"S":""}]}}},"l":{"L":[]},)"
            R"("ss":{"SS":["","x"]},"ns":{"NS":["-2.5","1"]},"bs":{"BS":["AQ=="]}})");
}

TEST_F(PutItem, ReplacesTheWholeItemAndGivesTheOldOne) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"x", N("1")}}).has_value());
  const auto outcome = database_.put("t", {{"pk", S("a")}, {"y", N("2")}});
  ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
  ASSERT_TRUE(outcome->before.has_value());
  EXPECT_EQ(outcome->before->text(), R"({"pk":{"S":"a"},"x":{"N":"1"}})");
  EXPECT_EQ(database_.get("t", key_), R"({"pk":{"S":"a"},"y":{"N":"2"}})");
}

TEST_F(PutItem, PutsWhereTheConditionHolds) {
  EXPECT_TRUE(database_.put("t", key_, {"attribute_not_exists(pk)", {}}).has_value());
  const testing::Expression smaller = {"attribute_not_exists(v) OR v < :v", {{":v", N("2")}}};
  EXPECT_TRUE(database_.put("t", {{"pk", S("a")}, {"v", N("2")}}, smaller).has_value());
  EXPECT_EQ(error_of(database_.put("t", {{"pk", S("a")}, {"v", N("1")}}, smaller)),
            "The conditional request failed");
}

TEST_F(PutItem, RefusesAnItemAbove400Kilobytes) {
  // "pk" + "a" + "v" are 4 bytes.
  const std::string fits(409'600 - 4, 'x');
  const std::string too_large = fits + "x";
  EXPECT_TRUE(database_.put("t", {{"pk", S("a")}, {"v", S(fits)}}).has_value());
  EXPECT_EQ(error_of(database_.put("t", {{"pk", S("b")}, {"v", S(too_large)}})),
            "Item size has exceeded the maximum allowed size");
  // Found before the table is looked for.
  EXPECT_EQ(error_of(database_.put("absent", {{"pk", S("b")}, {"v", S(too_large)}})),
            "Item size has exceeded the maximum allowed size");
}

TEST_F(PutItem, ChecksExpressionThenTableThenKey) {
  EXPECT_EQ(error_of(database_.put("absent", {}, {"a = :b", {}})),
            "Invalid ConditionExpression: An expression attribute value used in expression is not "
            "defined; attribute value: :b");
  EXPECT_EQ(error_of(database_.put("absent", {}, {})), "Requested resource not found");
  EXPECT_EQ(error_of(database_.put("t", {{"v", N("1")}})),
            "One or more parameter values were invalid: Missing the key pk in the item");
}

TEST_F(PutItem, CostsAUnitPerKilobyteOfTheLargerItem) {
  const std::string large(2500, 'x');
  EXPECT_EQ(database_.put("t", key_)->consumed.table_cost, write_cost(3));
  EXPECT_EQ(database_.put("t", {{"pk", S("a")}, {"v", S(large)}})->consumed.table_cost,
            write_cost(2504));
  EXPECT_EQ(database_.put("t", key_)->consumed.table_cost, write_cost(2504));
  EXPECT_EQ(database_.put("t", key_)->consumed.table->name, "t");
}

}  // namespace
}  // namespace stator::engine
