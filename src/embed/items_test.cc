#include "embed/test_support.h"

namespace stator {
namespace {

class Items : public AppTest {};
STATOR_ON_BOTH_BACKENDS(Items);

AttributeValue nested(int levels) {
  AttributeValue value = "bottom";
  for (int i = 0; i < levels; ++i) {
    value = i % 2 == 0 ? AttributeValue(List{std::move(value)})
                       : AttributeValue(Item{{"m", std::move(value)}});
  }
  return value;
}

TEST_P(Items, OfEveryTypeComeBackAsTheyWereWritten) {
  const Item item = {
      {"PK", "TYPES"},
      {"SK", "1"},
      {"string", "caf\u00e9 \"quoted\"\n\U0001F600"},
      {"empty string", ""},
      {"integer", -42},
      {"38 digits", Number("12345678901234567890123456789012345678")},
      {"smallest", Number("1E-130")},
      {"largest", Number("9.9999999999999999999999999999999999999E+125")},
      {"binary", Binary(std::string("\x00\x01\xfe\xff", 4))},
      {"empty binary", Binary()},
      {"true", true},
      {"false", false},
      {"null", nullptr},
      {"list", List{1, "two", List{}, nullptr, Item{{"deep", List{Binary("x")}}}}},
      {"map", Item{{"", "empty name inside a map"}, {"inner", Item{{"n", Number("0.5")}}}}},
      {"empty map", Item{}},
      {"strings", StringSet{"b", "a", ""}},
      {"numbers", NumberSet{3, Number("-1.5"), 0}},
      {"binaries", BinarySet{Binary(std::string("\0", 1)), Binary("\xff")}},
      {"deepest", nested(31)},
  };
  put(item);
  const std::optional<Item> read = get("TYPES", "1");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, item) << to_json(*read);
  EXPECT_EQ(read->at("38 digits").as_number().text(), "12345678901234567890123456789012345678");
}

TEST_P(Items, ThatAreNotThereAreNothing) { EXPECT_FALSE(get("NOBODY", "1")); }

TEST_P(Items, AreProjected) {
  put({{"PK", "C"},
       {"SK", "1"},
       {"name", "Ada"},
       {"address", Item{{"city", "Bonn"}, {"zip", "53111"}}}});
  const auto got = db().get_item({.table_name = "app",
                                  .key = {{"PK", "C"}, {"SK", "1"}},
                                  .projection = "#n, address.city",
                                  .names = {{"#n", "name"}}});
  EXPECT_EQ(got.value().item, (Item{{"name", "Ada"}, {"address", Item{{"city", "Bonn"}}}}));
}

TEST_P(Items, AreReplacedOnlyIfTheConditionHolds) {
  const PutItemRequest first = {.table_name = "app",
                                .item = {{"PK", "C"}, {"SK", "1"}, {"v", 1}},
                                .condition = "attribute_not_exists(PK)",
                                .return_item_on_failure = true};
  EXPECT_TRUE(db().put_item(first));
  const auto second = db().put_item(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::conditional_check_failed);
  EXPECT_EQ(second.error().text(),
            "ConditionalCheckFailedException: The conditional request failed");
  EXPECT_EQ(second.error().item, first.item);
}

TEST_P(Items, ReturnWhatTheyWereBefore) {
  put({{"PK", "C"}, {"SK", "1"}, {"v", 1}});
  const auto replaced = db().put_item({.table_name = "app",
                                       .item = {{"PK", "C"}, {"SK", "1"}, {"v", 2}},
                                       .return_values = ReturnValues::all_old});
  EXPECT_EQ(replaced.value().attributes, (Item{{"PK", "C"}, {"SK", "1"}, {"v", 1}}));
  const auto removed = db().delete_item({.table_name = "app",
                                         .key = {{"PK", "C"}, {"SK", "1"}},
                                         .condition = "v = :two",
                                         .values = {{":two", 2}},
                                         .return_values = ReturnValues::all_old});
  EXPECT_EQ(removed.value().attributes, (Item{{"PK", "C"}, {"SK", "1"}, {"v", 2}}));
  EXPECT_FALSE(get("C", "1"));
}

TEST_P(Items, AreUpdatedAndReturnTheAskedForAttributes) {
  const struct {
    ReturnValues wanted;
    std::optional<Item> attributes;
  } cases[] = {
      {ReturnValues::none, std::nullopt},
      {ReturnValues::all_old, Item{{"PK", "C"}, {"SK", "1"}, {"n", 1}, {"other", "x"}}},
      {ReturnValues::updated_old, Item{{"n", 1}}},
      {ReturnValues::all_new,
       Item{{"PK", "C"}, {"SK", "1"}, {"n", 3}, {"other", "x"}, {"tags", StringSet{"t"}}}},
      {ReturnValues::updated_new, Item{{"n", 3}, {"tags", StringSet{"t"}}}},
  };
  for (const auto& [wanted, attributes] : cases) {
    put({{"PK", "C"}, {"SK", "1"}, {"n", 1}, {"other", "x"}});
    const auto updated = db().update_item({.table_name = "app",
                                           .key = {{"PK", "C"}, {"SK", "1"}},
                                           .update = "SET #n = #n + :two ADD tags :tags",
                                           .names = {{"#n", "n"}},
                                           .values = {{":two", 2}, {":tags", StringSet{"t"}}},
                                           .return_values = wanted});
    EXPECT_EQ(updated.value().attributes, attributes) << static_cast<int>(wanted);
  }
}

TEST_P(Items, AreCreatedByAnUpdate) {
  const auto made = db().update_item({.table_name = "app", .key = {{"PK", "NEW"}, {"SK", "1"}}});
  EXPECT_FALSE(made.value().attributes);
  EXPECT_EQ(get("NEW", "1"), (Item{{"PK", "NEW"}, {"SK", "1"}}));
}

TEST_P(Items, TellWhatTheyConsumed) {
  const Item item = {{"PK", "C"}, {"SK", "1"}, {"status", "open"}, {"placed", "2024"}};
  const auto written = db().put_item({.table_name = "app",
                                      .item = item,
                                      .return_consumed_capacity = ReturnConsumedCapacity::indexes});
  const ConsumedCapacity& capacity = written.value().consumed_capacity.value();
  EXPECT_EQ(capacity.table_name, "app");
  EXPECT_EQ(capacity.capacity_units, 2);
  EXPECT_EQ(capacity.table_units, 1);
  EXPECT_EQ(capacity.global_indexes, (std::map<std::string, double>{{"by-status", 1}}));
  const auto read = db().get_item({.table_name = "app",
                                   .key = {{"PK", "C"}, {"SK", "1"}},
                                   .return_consumed_capacity = ReturnConsumedCapacity::total});
  EXPECT_EQ(read.value().consumed_capacity.value().capacity_units, 0.5);
}

TEST_P(Items, AreRefusedWithTheTextsOfTheService) {
  const auto with = [](AttributeValue value) {
    return PutItemRequest{.table_name = "app",
                          .item = {{"PK", "C"}, {"SK", "1"}, {"v", std::move(value)}}};
  };
  const struct {
    PutItemRequest request;
    std::string error;
  } cases[] = {
      {{.table_name = "no", .item = {}},
       "ValidationException: 1 validation error detected: Value 'no' at 'tableName' failed to "
       "satisfy constraint: "
       "Member must have length greater than or equal to 3"},
      {{.table_name = "none", .item = {{"PK", "C"}}},
       "ResourceNotFoundException: Requested resource not found"},
      {{.table_name = "app", .item = {{"PK", "C"}}},
       "ValidationException: One or more parameter values were invalid: Missing the key SK in the "
       "item"},
      {with(Number("12x")),
       "ValidationException: The parameter cannot be converted to a numeric value: 12x"},
      {with(StringSet{}),
       "ValidationException: One or more parameter values were invalid: An string set  may not be "
       "empty"},
      {with(NumberSet{}),
       "ValidationException: One or more parameter values were invalid: An number set  may not be "
       "empty"},
      {with(BinarySet{}),
       "ValidationException: One or more parameter values were invalid: Binary sets should not be "
       "empty"},
      {with(nested(32)),
       "ValidationException: Nesting Levels have exceeded supported limits: Attributes in the item "
       "have nested "
       "levels beyond supported limit"},
      {with("\xff"),
       "ValidationException: One or more parameter values were invalid: Strings and attribute "
       "names must be UTF-8"},
      {with(std::string(400 * 1024, 'x')),
       "ValidationException: Item size has exceeded the maximum allowed size"},
  };
  for (const auto& [request, error] : cases) EXPECT_EQ(error_text(db().put_item(request)), error);
}

TEST_P(Items, AreNotTouchedByRequestsWithBadParameters) {
  EXPECT_EQ(error_text(db().put_item({.table_name = "app",
                                      .item = {{"PK", "C"}, {"SK", "1"}},
                                      .return_values = ReturnValues::all_new})),
            "ValidationException: ReturnValues can only be ALL_OLD or NONE");
  EXPECT_EQ(error_text(db().put_item(
                {.table_name = "app", .item = {{"PK", "C"}, {"SK", "1"}}, .condition = ""})),
            "ValidationException: Invalid ConditionExpression: The expression can not be empty;");
  EXPECT_EQ(error_text(db().update_item({.table_name = "app",
                                         .key = {{"PK", "C"}, {"SK", "1"}},
                                         .update = "SET a = :v",
                                         .values = {{":v", NumberSet{}}}})),
            "ValidationException: ExpressionAttributeValues contains invalid value: One or more "
            "parameter values "
            "were invalid: An number set  may not be empty for key :v");
  EXPECT_EQ(error_text(db().get_item({.table_name = "app", .key = {{"PK", "C"}}})),
            "ValidationException: The provided key element does not match the schema");
  EXPECT_FALSE(get("C", "1"));
}

}  // namespace
}  // namespace stator
