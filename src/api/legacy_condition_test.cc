#include "api/legacy_condition.h"

#include <fmt/format.h>

#include "api/legacy_test_support.h"

namespace stator::api {
namespace {

using testing::error_of;
using testing::Request;

std::string expected_error(std::string_view expected, std::string_view more = "") {
  Request request(fmt::format(R"({{"Expected":{}{}}})", expected, more));
  return error_of(expected_condition(read_expected(request.in()), request.conditional_operator(),
                                     request.arena));
}

std::string filter_error(std::string_view condition) {
  Request request(fmt::format(R"({{"ScanFilter":{{"a":{}}}}})", condition));
  return error_of(
      filter_condition(read_conditions(request.in(), "ScanFilter"), std::nullopt, request.arena));
}

// Whether `expected` holds for `item`, the JSON of its attributes or "" for no item.
bool holds(std::string_view item, std::string_view expected, std::string_view more = "") {
  const std::string with_item = item.empty() ? "" : fmt::format(R"("Item":{},)", item);
  Request request(fmt::format(R"({{{}"Expected":{}{}}})", with_item, expected, more));
  const auto condition = expected_condition(read_expected(request.in()),
                                            request.conditional_operator(), request.arena);
  EXPECT_EQ(error_of(condition), "");
  EXPECT_TRUE(condition->has_value());
  return (*condition)->matches(request.item(), request.arena);
}

TEST(Expected, RefusesMembersThatDoNotGoTogether) {
  const std::string_view kInvalid = "One or more parameter values were invalid: ";
  const struct {
    std::string_view entry;
    std::string_view text;
  } kCases[] = {
      {R"({"Exists":true,"ComparisonOperator":"EQ","Value":{"S":"x"},"AttributeValueList":[]})",
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {R"({"Value":{"S":"x"},"AttributeValueList":[]})",
       "Value and AttributeValueList cannot be used together for Attribute: a"},
      {R"({"Exists":true,"AttributeValueList":[]})",
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {R"({"Exists":false,"Value":{"S":"x"}})",
       "Value cannot be used when Exists is false for Attribute: a"},
      {R"({})", "Value must be provided when Exists is null for Attribute: a"},
      {R"({"Exists":true})", "Value must be provided when Exists is true for Attribute: a"},
      {R"({"ComparisonOperator":"GT"})",
       "Value or AttributeValueList must be used with ComparisonOperator: GT for Attribute: a"},
      {R"({"ComparisonOperator":"GT","AttributeValueList":[]})",
       "Invalid number of argument(s) for the GT ComparisonOperator"},
      {R"({"ComparisonOperator":"NULL","Value":{"S":"x"}})",
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {R"({"ComparisonOperator":"CONTAINS","Value":{"L":[]}})",
       "ComparisonOperator CONTAINS is not valid for L AttributeValue type"},
      {"null", "ExpectedAttributeValue must not be null for Attribute: a"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(expected_error(fmt::format(R"({{"a":{}}})", test.entry)),
              fmt::format("{}{}", kInvalid, test.text))
        << test.entry;
  }
}

TEST(Expected, ReportsAWrongValueBeforeTheNumberOfValues) {
  EXPECT_EQ(expected_error(
                R"({"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"},{"N":"y"}]}})"),
            "The parameter cannot be converted to a numeric value: y");
  EXPECT_EQ(
      expected_error(R"({"a":{"Value":{}}})"),
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

TEST(Expected, IsNoConditionWhereItIsEmpty) {
  Request request(R"({"Expected":{}})");
  const auto condition =
      expected_condition(read_expected(request.in()), std::nullopt, request.arena);
  ASSERT_TRUE(condition.has_value());
  EXPECT_FALSE(condition->has_value());
}

TEST(Expected, IsNotLargerThanAnItem) {
  const std::string half(200 * 1024, 'x');
  const auto entries = [&](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) {
      fmt::format_to(std::back_inserter(text), R"({}"a{}":{{"Value":{{"S":"{}"}}}})",
                     i > 0 ? "," : "", i, half);
    }
    return text + "}";
  };
  EXPECT_EQ(expected_error(entries(1)), "");
  EXPECT_EQ(expected_error(entries(3)), "Item size has exceeded the maximum allowed size");
}

TEST(ConditionalOperator, NeedsTwoConditions) {
  const std::string_view kAnd = R"(,"ConditionalOperator":"AND")";
  const std::string_view kWithout = "ConditionalOperator cannot be used without Filter or Expected";
  EXPECT_EQ(expected_error("null", kAnd), kWithout);
  EXPECT_EQ(expected_error("{}", kAnd), kWithout);
  EXPECT_EQ(
      expected_error(R"({"a":{"Exists":false}})", kAnd),
      "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  EXPECT_EQ(expected_error(R"({"a":{"Exists":false},"b":{"Exists":false}})", kAnd), "");
}

TEST(ConditionalOperator, JoinsConditions) {
  const std::string_view kItem = R"({"a":{"N":"1"}})";
  const std::string_view kBoth = R"({"a":{"Value":{"N":"1.0"}},"b":{"Value":{"N":"2"}}})";
  EXPECT_FALSE(holds(kItem, kBoth));
  EXPECT_FALSE(holds(kItem, kBoth, R"(,"ConditionalOperator":"AND")"));
  EXPECT_TRUE(holds(kItem, kBoth, R"(,"ConditionalOperator":"OR")"));
}

TEST(Expected, ComparesWithTheItem) {
  const std::string_view kItem =
      R"({"n":{"N":"5"},"s":{"S":"text"},"ss":{"SS":["x","y"]},"l":{"L":[{"BOOL":true}]},"z":{"NULL":true}})";
  const struct {
    std::string_view expected;
    bool holds;
    bool holds_without_item;
  } kCases[] = {
      {R"({"n":{"Value":{"N":"5"}}})", true, false},
      {R"({"n":{"Exists":true,"Value":{"N":"6"}}})", false, false},
      {R"({"n":{"Exists":false}})", false, true},
      {R"({"m":{"ComparisonOperator":"NE","Value":{"N":"5"}}})", true, true},
      {R"({"n":{"ComparisonOperator":"NE","Value":{"S":"5"}}})", true, true},
      {R"({"n":{"ComparisonOperator":"LE","Value":{"N":"5"}}})", true, false},
      {R"({"n":{"ComparisonOperator":"LT","Value":{"S":"9"}}})", false, false},
      {R"({"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"5"},{"N":"6"}]}})", true,
       false},
      {R"({"n":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"4"},{"N":"5"}]}})", true,
       false},
      {R"({"ss":{"ComparisonOperator":"EQ","Value":{"SS":["y","x"]}}})", true, false},
      {R"({"z":{"ComparisonOperator":"NULL"}})", false, true},
      {R"({"z":{"ComparisonOperator":"NOT_NULL","AttributeValueList":[]}})", true, false},
      {R"({"ss":{"ComparisonOperator":"CONTAINS","Value":{"S":"x"}}})", true, false},
      {R"({"l":{"ComparisonOperator":"CONTAINS","Value":{"BOOL":true}}})", true, false},
      {R"({"s":{"ComparisonOperator":"NOT_CONTAINS","Value":{"S":"q"}}})", true, false},
      {R"({"s":{"ComparisonOperator":"NOT_CONTAINS","Value":{"S":"ex"}}})", false, false},
      {R"({"m":{"ComparisonOperator":"NOT_CONTAINS","Value":{"S":"q"}}})", false, false},
      {R"({"s":{"ComparisonOperator":"BEGINS_WITH","Value":{"S":"te"}}})", true, false},
      {R"({"n":{"ComparisonOperator":"BEGINS_WITH","Value":{"S":"5"}}})", false, false},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(holds(kItem, test.expected), test.holds) << test.expected;
    EXPECT_EQ(holds("", test.expected), test.holds_without_item) << test.expected;
  }
}

TEST(Filter, ChecksNumberThenTypesThenOrder) {
  const struct {
    std::string_view condition;
    std::string_view text;
  } kCases[] = {
      {R"({"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"b"},{"N":"1"},{"M":{}}]})",
       "One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN "
       "ComparisonOperator"},
      {R"({"ComparisonOperator":"IN","AttributeValueList":[{"M":{}},{"S":"a"}]})",
       "One or more parameter values were invalid: AttributeValues inside AttributeValueList must "
       "be of same type"},
      {R"({"ComparisonOperator":"BETWEEN","AttributeValueList":[{"SS":["b"]},{"SS":["a"]}]})",
       "One or more parameter values were invalid: ComparisonOperator BETWEEN is not valid for SS "
       "AttributeValue type"},
      {R"({"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"10"},{"N":"9"}]})",
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
       "bound"},
      {R"({"ComparisonOperator":"EQ","AttributeValueList":[{"M":{}}]})", ""},
      {R"({"ComparisonOperator":"CONTAINS","AttributeValueList":[{"NULL":true}]})", ""},
      {"null", "The filter condition for an attribute cannot be null: a"},
  };
  for (const auto& test : kCases) EXPECT_EQ(filter_error(test.condition), test.text);
}

TEST(Filter, NamesTheAttributesThatItReads) {
  Request request(
      R"({"F":{"b":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]},
               "a.b":{"ComparisonOperator":"NULL"}}})");
  const auto condition =
      filter_condition(read_conditions(request.in(), "F"), std::nullopt, request.arena);
  ASSERT_TRUE(condition.has_value());
  const auto names = (*condition)->attribute_names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0], "b");
  EXPECT_EQ(names[1], "a.b");
}

}  // namespace
}  // namespace stator::api
