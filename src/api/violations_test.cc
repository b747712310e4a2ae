#include "api/violations.h"

#include <gtest/gtest.h>

namespace stator::api {
namespace {

std::string text_of(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(Violations, OfNothingAreNoError) {
  Violations violations;
  violations.required("key", true);
  violations.one_of("select", "COUNT", {"COUNT"});
  violations.one_of("select", std::nullopt, {"COUNT"});
  violations.range("limit", 1, 1);
  violations.length("name", "abc", 3, 3);
  violations.name("indexName", "a.b-C_9");
  EXPECT_TRUE(violations.empty());
  EXPECT_TRUE(violations.result().has_value());
}

TEST(Violations, HaveTheTextOfTheirConstraint) {
  using Check = void (*)(Violations&);
  const std::pair<Check, std::string_view> cases[] = {
      {[](Violations& v) { v.required("key", false); },
       "Value null at 'key' failed to satisfy constraint: Member must not be null"},
      {[](Violations& v) {
         v.one_of("select", "X", {"A", "B"});
       },
       "Value 'X' at 'select' failed to satisfy constraint: Member must satisfy enum value set: "
       "[A, B]"},
      {[](Violations& v) { v.range("limit", 0, 1); },
       "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or "
       "equal to 1"},
      {[](Violations& v) { v.range("limit", 101, 1, 100); },
       "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or "
       "equal to 100"},
      {[](Violations& v) { v.length("name", "", 1, 3); },
       "Value '' at 'name' failed to satisfy constraint: Member must have length greater than or "
       "equal to 1"},
      {[](Violations& v) { v.length("name", "abcd", 1, 3); },
       "Value 'abcd' at 'name' failed to satisfy constraint: Member must have length less than or "
       "equal to 3"},
      {[](Violations& v) { v.count("keys", "[]", 0, 1, 3); },
       "Value '[]' at 'keys' failed to satisfy constraint: Member must have length greater than or "
       "equal to 1"},
      {[](Violations& v) { v.name("indexName", "a b"); },
       "Value 'a b' at 'indexName' failed to satisfy constraint: Member must satisfy regular "
       "expression pattern: [a-zA-Z0-9_.-]+"},
      {[](Violations& v) { v.name("indexName", "ab"); },
       "Value 'ab' at 'indexName' failed to satisfy constraint: Member must have length greater "
       "than or equal to 3"},
      {[](Violations& v) { v.return_consumed_capacity("X"); },
       "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
       "enum value set: [INDEXES, TOTAL, NONE]"},
      {[](Violations& v) { v.return_values("X"); },
       "Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value "
       "set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"},
      {[](Violations& v) { v.return_item_collection_metrics("X"); },
       "Value 'X' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must "
       "satisfy enum value set: [SIZE, NONE]"},
      {[](Violations& v) { v.return_values_on_failure("X"); },
       "Value 'X' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member "
       "must satisfy enum value set: [ALL_OLD, NONE]"},
      {[](Violations& v) { v.table_name(std::nullopt); },
       "Value null at 'tableName' failed to satisfy constraint: Member must not be null"},
      {[](Violations& v) { v.table_name(""); },
       "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than "
       "or equal to 1"},
      {[](Violations& v) { v.add("", "Limit", "x"); },
       "Value at 'Limit' failed to satisfy constraint: x"},
  };
  for (const auto& [check, text] : cases) {
    Violations violations;
    check(violations);
    EXPECT_EQ(text_of(violations.result()),
              std::string("1 validation error detected: ").append(text));
  }
}

TEST(Violations, AreReportedTogetherInTheirOrder) {
  Violations violations;
  violations.required("b", false);
  violations.required("a", false);
  EXPECT_EQ(text_of(violations.result()),
            "2 validation errors detected: Value null at 'b' failed to satisfy constraint: Member "
            "must not be null; Value null at 'a' failed to satisfy constraint: Member must not be "
            "null");
}

TEST(Violations, AreShownUpToTen) {
  Violations violations;
  for (int i = 0; i < 12; ++i)
    violations.required(std::string("m").append(std::to_string(i)), false);
  const std::string text = text_of(violations.result());
  EXPECT_TRUE(text.starts_with("12 validation errors detected: ")) << text;
  EXPECT_NE(text.find("'m9'"), std::string::npos);
  EXPECT_EQ(text.find("'m10'"), std::string::npos);
}

TEST(Violations, OfTheTableNameOfTableOperations) {
  EXPECT_EQ(text_of(check_required_table_name(std::nullopt)),
            "The parameter 'TableName' is required but was not present in the request");
  EXPECT_EQ(text_of(check_required_table_name("abc")), "");
  EXPECT_EQ(text_of(check_required_table_name("ab")),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 3");
  const std::string long_name(256, 'a');
  EXPECT_NE(text_of(check_required_table_name(long_name)), "");
  EXPECT_EQ(text_of(check_required_table_name(std::string_view(long_name).substr(1))), "");
}

}  // namespace
}  // namespace stator::api
