#include "engine/update_item.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/test_support.h"
#include "item/size.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Expression;
using testing::Item;
using testing::N;
using testing::S;

class UpdateItem : public ::testing::Test {
 protected:
  UpdateItem() { database_.create(testing::indexed_request("t")); }
  std::string item() { return database_.get("t", key_); }
  const Item key_ = {{"pk", S("a")}, {"sk", N("1")}};
  Database database_;
};

TEST_F(UpdateItem, CreatesAnAbsentItemWithItsKey) {
  ASSERT_TRUE(database_.update("t", key_, {}).has_value());
  EXPECT_EQ(item(), R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
  const Item other = {{"pk", S("b")}, {"sk", N("1")}};
  ASSERT_TRUE(database_.update("t", other, {"SET v = :v", {{":v", S("x")}}}).has_value());
  EXPECT_EQ(database_.get("t", other), R"({"pk":{"S":"b"},"sk":{"N":"1"},"v":{"S":"x"}})");
}

TEST_F(UpdateItem, CreatesNothingWhereItOnlyRemoves) {
  ASSERT_TRUE(database_.update("t", key_, {"REMOVE v", {}}).has_value());
  EXPECT_EQ(item(), "");
}

TEST_F(UpdateItem, ChangesWhatItNamesAndKeepsTheRest) {
  ASSERT_TRUE(
      database_
          .put("t",
               {{"pk", S("a")}, {"sk", N("1")}, {"keep", S("k")}, {"n", N("1")}, {"gone", S("x")}})
          .has_value());
  const auto outcome = database_.update(
      "t", key_, {"SET v = :v REMOVE gone ADD n :n", {{":v", S("new")}, {":n", N("2")}}});
  ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
  EXPECT_EQ(item(),
            R"({"pk":{"S":"a"},"sk":{"N":"1"},"keep":{"S":"k"},"v":{"S":"new"},"n":{"N":"3"}})");
  EXPECT_EQ(outcome->write.after->text(), item());
  EXPECT_EQ(outcome->write.before->find_text("n"), R"({"N":"1"})");
  base::Buffer updated;
  outcome->targets.append(updated, *outcome->write.after, database_.arena);
  EXPECT_EQ(database_.attributes(updated.view()).size(), 2u) << updated.view();
}

TEST_F(UpdateItem, CountsTheBytesOfTheChangedItem) {
  const std::string long_text(100, 'x');
  const Expression updates[] = {
      {"SET v = :v", {{":v", S(long_text)}}},         {"SET v = :v", {{":v", S("short")}}},
      {"SET m = :m", {{":m", item::Value::map({})}}}, {"SET m.k = :v", {{":v", S(long_text)}}},
      {"ADD n :n", {{":n", N("123456789")}}},         {"REMOVE v", {}},
  };
  for (const Expression& update : updates) {
    const auto outcome = database_.update("t", key_, update);
    ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
    const item::StoredItem& after = *outcome->write.after;
    EXPECT_EQ(after.item_bytes(), item::item_bytes(after.decode(database_.arena))) << update.text;
  }
}

TEST_F(UpdateItem, CannotTouchTheKey) {
  const std::string text =
      "One or more parameter values were invalid: Cannot update attribute {}. This attribute is "
      "part of the key";
  for (const std::string_view name : {"pk", "sk"}) {
    for (const std::string_view form : {"SET {} = :v", "REMOVE {}", "ADD {} :v", "REMOVE {}.x", "SET {}[0] = :v"}) {
      const std::string update = fmt::format(fmt::runtime(form), name);
      Item values;
      if (update.find(":v") != std::string::npos) values = {{":v", N("1")}};
      EXPECT_EQ(error_of(database_.update("t", key_, {update, values})),
                fmt::format(fmt::runtime(text), name));
    }
  }
}

TEST_F(UpdateItem, CannotMakeAnIndexKeyUnusable) {
  const std::pair<Expression, std::string_view> cases[] = {
      {{"SET g = :v", {{":v", N("1")}}},
       "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S "
       "Actual: N IndexName: global_all"},
      {{"SET l = :v", {{":v", item::Value::boolean(true)}}},
       "One or more parameter values were invalid: Type mismatch for Index Key l Expected: S "
       "Actual: BOOL IndexName: local_all"},
      {{"SET g.x = :v", {{":v", N("1")}}},
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
       "allowed: "
       "IndexKey: g"},
      {{"SET g[0] = :v", {{":v", N("1")}}},
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
       "allowed: "
       "IndexKey: g"},
      {{"SET a = g.x", {}},
       "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
       "allowed: "
       "IndexKey: g"},
      {{"SET l.x = :v, g = a + :v", {{":v", N("1")}}},
       "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S "
       "Actual: N IndexName: global_all"},
      {{"SET g = sk", {}},
       "The update expression attempted to update the secondary index key to unsupported type"},
      {{"SET g = :v", {{":v", S("")}}},
       "One or more parameter values are not valid. The update expression attempted to update a "
       "secondary index key to a value that is not supported. The AttributeValue for a key "
       "attribute cannot contain an empty string value."},
  };
  for (const auto& [update, error] : cases) {
    EXPECT_EQ(error_of(database_.update("t", key_, update)), error);
  }
  EXPECT_EQ(item(), "");
}

TEST_F(UpdateItem, OfAnItemThatIsNotThereReadsItsKey) {
  ASSERT_TRUE(database_.update("t", key_, {"SET g = pk, a = if_not_exists(b, sk)", {}}).has_value());
  EXPECT_EQ(item(), R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"a"},"a":{"N":"1"}})");
}

TEST_F(UpdateItem, MovesIndexRows) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}).has_value());
  const auto query = [&](std::string_view value) {
    const Item values = {{":g", S(value)}};
    QueryRequest request;
    request.page.table_name = "t";
    request.page.index_name = "global_keys";
    request.page.parameters.values = values;
    request.key_condition = "g = :g";
    return database_.query(request)->items;
  };
  EXPECT_EQ(query("x"), R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"}})");
  ASSERT_TRUE(database_.update("t", key_, {"SET g = :g", {{":g", S("y")}}}).has_value());
  EXPECT_EQ(query("x"), "");
  EXPECT_EQ(query("y"), R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"y"}})");
  ASSERT_TRUE(database_.update("t", key_, {"REMOVE g", {}}).has_value());
  EXPECT_EQ(query("y"), "");
}

TEST_F(UpdateItem, CannotGrowAnItemAbove400Kilobytes) {
  const std::string half(205'000, 'x');
  ASSERT_TRUE(database_.update("t", key_, {"SET a = :v", {{":v", S(half)}}}).has_value());
  EXPECT_EQ(error_of(database_.update("t", key_, {"SET b = :v", {{":v", S(half)}}})),
            "Item size to update has exceeded the maximum allowed size");
  EXPECT_EQ(item().find("\"b\""), std::string::npos);
}

TEST_F(UpdateItem, ChecksExpressionsThenTableThenKey) {
  EXPECT_EQ(error_of(database_.update("absent", {}, {"SET a = :b", {}})),
            "Invalid UpdateExpression: An expression attribute value used in expression is not "
            "defined; attribute value: :b");
  EXPECT_EQ(error_of(database_.update("absent", {}, {"REMOVE a", {}})),
            "Requested resource not found");
  EXPECT_EQ(error_of(database_.update("t", {{"pk", S("a")}}, {"REMOVE a", {}})),
            "The provided key element does not match the schema");
}

}  // namespace
}  // namespace stator::engine
