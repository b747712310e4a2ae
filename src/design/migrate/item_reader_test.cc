#include "design/migrate/item_reader.h"

#include "design/test_support.h"

namespace stator::design {
namespace {

using client::Json;

constexpr const char* kBody = R"(
indexes:
  GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}
entities:
  Order:
    count: 10
    attributes:
      customerId: {format: id, stored: false}
      placedAt: {format: datetime}
      orderId: {format: id, unique: true, stored: false}
      status: {values: [OPEN, DONE]}
      line: {type: N, stored: false}
      rating: {type: N, stored: false, decimals: 2}
      place: {format: path, stored: false}
      name: {stored: false}
    keys:
      PK: "CUST#{customerId}"
      SK: "ORDER#{placedAt:day}#{orderId}"
      GSI1PK: OPEN
      GSI1SK: "{orderId}"
    sparse: {GSI1: status = OPEN}
  Customer:
    count: 10
    type: none
    attributes: {customerId: {format: id, unique: true, stored: false}}
    keys: {PK: "CUST#{customerId}", SK: PROFILE}
patterns: {}
)";

struct Case {
  const char* name;
  const char* key;
  const char* text;
  const char* field;
  const char* value;  // null: no match
};

constexpr Case kCases[] = {
    {"plain field", "CUST#{customerId}", "CUST#a1", "customerId", "a1"},
    {"another literal", "CUST#{customerId}", "USER#a1", "customerId", nullptr},
    {"a field has no delimiter", "CUST#{customerId}", "CUST#a#1", "customerId", nullptr},
    {"an empty field is none", "CUST#{customerId}", "CUST#", "customerId", nullptr},
    {"text behind the end", "CUST#{customerId}#X", "CUST#a1#XY", "customerId", nullptr},
    {"padded number is plain again", "ITEM#{line:03}", "ITEM#007", "line", "7"},
    {"number wider than its width", "ITEM#{line:03}", "ITEM#1000", "line", "1000"},
    {"number that is none", "ITEM#{line:03}", "ITEM#00x", "line", nullptr},
    {"decimals", "R#{rating:05.2}", "R#04.80", "rating", "4.8"},
    {"part of a time", "D#{placedAt:day}#{orderId}", "D#2026-06-01#o1", "placedAt", "2026-06-01"},
    {"not a time", "D#{placedAt:day}#{orderId}", "D#2026-0601x#o1", "placedAt", nullptr},
    {"a path takes delimiters", "P#{place}#{orderId}", "P#a#b#c#o1", "place", "a#b#c"},
    {"fields side by side are not told apart", "{orderId}{name}", "abc", "orderId", nullptr},
    {"one field twice has one value", "{orderId}#{orderId}", "a#a", "orderId", "a"},
    {"one field twice with two values", "{orderId}#{orderId}", "a#b", "orderId", nullptr},
    {"shard", "OPEN#{shard(orderId, 10)}#{orderId}", "OPEN#9#x", "orderId", "x"},
    {"shard that there is not", "OPEN#{shard(orderId, 10)}#{orderId}", "OPEN#10#x", "orderId", nullptr},
    {"shard with a zero in front", "OPEN#{shard(orderId, 20)}#{orderId}", "OPEN#09#x", "orderId", nullptr},
    {"braces of the text", "{{{orderId}}}", "{x}", "orderId", "x"},
};

TEST(MatchTemplate, FindsTheFieldsOfAText) {
  const Model model = model_of(kBody);
  for (const Case& one : kCases) {
    const auto found = match_template(template_of(one.key), *model.entity("Order"), '#', one.text);
    ASSERT_EQ(found.has_value(), one.value != nullptr) << one.name;
    if (found) {
      EXPECT_EQ(found->at(one.field).text, one.value) << one.name;
    }
  }
}

TEST(MatchTemplate, IsTheOtherDirectionOfEvaluate) {
  const Model model = model_of(kBody);
  const Template key = template_of("A#{placedAt:hour}#{line:05}#{shard(orderId, 16)}#{orderId}");
  KnownFields fields = {{"placedAt", {"2026-06-01T12:30:00Z", {}}}, {"line", {"42", {}}}, {"orderId", {"o-9", {}}}};
  const auto text = evaluate_known(key, fields, 0);
  ASSERT_TRUE(text);
  int shard = -1;
  const auto back = match_template(key, *model.entity("Order"), '#', *text, &shard);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->at("line").text, "42");
  EXPECT_EQ(back->at("orderId").text, "o-9");
  EXPECT_EQ(shard, shard_of("o-9", 16));
  EXPECT_EQ(*evaluate_known(key, *back, 0), *text);  // the hour is known well enough for the hour
}

TEST(KnownField, ServesWhatItSays) {
  const KnownField day{"2026-06-01", {.kind = FormatKind::time, .unit = TimeUnit::day}};
  EXPECT_TRUE(day.serves({.kind = FormatKind::time, .unit = TimeUnit::month}));
  EXPECT_TRUE(day.serves({.kind = FormatKind::time, .unit = TimeUnit::day}));
  EXPECT_FALSE(day.serves({.kind = FormatKind::time, .unit = TimeUnit::hour}));
  EXPECT_FALSE(day.serves({}));
  const KnownField upper{"ADA", {.kind = FormatKind::upper}};
  EXPECT_TRUE(upper.serves({.kind = FormatKind::upper}));
  EXPECT_FALSE(upper.serves({}));
}

TEST(ItemReader, TellsEntitiesApart) {
  const Model model = model_of(kBody);
  const ItemReader reader(model);
  const Json order = {
      {"PK", {{"S", "CUST#a"}}}, {"SK", {{"S", "ORDER#2026-06-01#o1"}}}, {"entity_type", {{"S", "Order"}}}};
  ASSERT_TRUE(reader.entity_of(order));
  EXPECT_EQ((*reader.entity_of(order))->name, "Order");
  const Json customer = {{"PK", {{"S", "CUST#a"}}}, {"SK", {{"S", "PROFILE"}}}};
  ASSERT_TRUE(reader.entity_of(customer));
  EXPECT_EQ((*reader.entity_of(customer))->name, "Customer");
  Json other = order;
  other["entity_type"] = {{"S", "Nobody"}};
  EXPECT_NE(reader.entity_of(other).error().message.find("Nobody"), std::string::npos);
  other = order;
  other["SK"] = {{"S", "PROFILE"}};  // says Order, has the key of a Customer
  EXPECT_FALSE(reader.entity_of(other));
  other.erase("entity_type");
  other["SK"] = {{"S", "SOMETHING"}};
  EXPECT_FALSE(reader.entity_of(other));
}

TEST(ItemReader, PrefersTheStoredAttribute) {
  const Model model = model_of(kBody);
  const ItemReader reader(model);
  Json order = {
      {"PK", {{"S", "CUST#a"}}}, {"SK", {{"S", "ORDER#2026-06-01#o1"}}}, {"placedAt", {{"S", "2026-06-01T10:00:00Z"}}}};
  EXPECT_EQ(reader.fields_of(*model.entity("Order"), order).at("placedAt").text, "2026-06-01T10:00:00Z");
  order.erase("placedAt");
  const KnownFields fields = reader.fields_of(*model.entity("Order"), order);
  EXPECT_EQ(fields.at("placedAt").text, "2026-06-01");
  EXPECT_EQ(fields.at("customerId").text, "a");
  EXPECT_EQ(fields.at("orderId").text, "o1");
}

TEST(ItemReader, KnowsWhoMayBeInASparseIndex) {
  const Model model = model_of(kBody);
  const ItemReader reader(model);
  const Entity& order = *model.entity("Order");
  EXPECT_TRUE(reader.may_have(order, "GSI1PK", {{"status", {"OPEN", {}}}}));
  EXPECT_FALSE(reader.may_have(order, "GSI1PK", {{"status", {"DONE", {}}}}));
  EXPECT_FALSE(reader.may_have(order, "GSI1PK", {}));
}

}  // namespace
}  // namespace stator::design
