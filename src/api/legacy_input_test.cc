#include "api/legacy_input.h"

#include "api/legacy_projection.h"
#include "api/legacy_test_support.h"

namespace stator::api {
namespace {

using testing::error_of;
using testing::Request;

TEST(LegacyInput, RefusesWrongJsonTypes) {
  const struct {
    std::string_view json;
    std::string_view text;
  } kCases[] = {
      {R"({"Expected":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue>"},
      {R"({"Expected":"x"})", "Unexpected field type"},
      {R"({"Expected":{"a":1}})", "Unexpected value type in payload"},
      {R"({"Expected":{"a":[]}})",
       "Unrecognized collection type class "
       "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue"},
      {R"({"Expected":{"a":{"Value":1}}})", "Unexpected field type"},
      {R"({"Expected":{"a":{"AttributeValueList":{}}}})",
       "Start of structure or map found where not expected"},
      {R"({"Expected":{"a":{"AttributeValueList":[1]}}})", "Unexpected value type in payload"},
      {R"({"Expected":{"a":{"Exists":1}}})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"Expected":{"a":{"ComparisonOperator":1}}})",
       "NUMBER_VALUE cannot be converted to String"},
  };
  for (const auto& test : kCases) {
    const Request request(test.json);
    static_cast<void>(read_expected(request.in()));
    EXPECT_EQ(request.serialization_error(), test.text) << test.json;
  }
}

TEST(LegacyInput, ReportsUnknownOperatorsAndActions) {
  const Request request(
      R"({"Expected":{"a":{},"b":{"ComparisonOperator":"eq"}},
          "F":{"a":{},"b":{"ComparisonOperator":"EQ"}},
          "AttributeUpdates":{"a":{"Action":"put"},"b":{}}})");
  Violations optional;
  check_constraints(read_expected(request.in()), "expected", Operator::optional, optional);
  EXPECT_EQ(
      error_of(optional.result()),
      "1 validation error detected: Value 'eq' at 'expected.b.member.comparisonOperator' failed "
      "to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, "
      "NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]");
  Violations required;
  check_constraints(read_conditions(request.in(), "F"), "scanFilter", Operator::required, required);
  EXPECT_EQ(error_of(required.result()),
            "1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' "
            "failed to satisfy constraint: Member must not be null");
  Violations actions;
  check_constraints(read_attribute_updates(request.in()), actions);
  EXPECT_EQ(
      error_of(actions.result()),
      "1 validation error detected: Value 'put' at 'attributeUpdates.a.member.action' failed to "
      "satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]");
}

TEST(AttributesToGet, NameWholeAttributes) {
  Request request(R"({"Item":{"a":{"M":{"b":{"N":"1"}}},"a.b":{"N":"2"},"c":{"N":"3"}},
                      "AttributesToGet":["a.b","missing","c"]})");
  const auto projection = attributes_to_get(request.in().strings("AttributesToGet"), request.arena);
  ASSERT_TRUE(projection.has_value());
  base::Buffer text;
  EXPECT_EQ((*projection)->append(text, *request.item(), request.arena), 2U);
  EXPECT_EQ(text.view(), R"({"a.b":{"N":"2"},"c":{"N":"3"}})");
}

TEST(AttributesToGet, NameNoAttributeTwice) {
  Request request(R"({"AttributesToGet":["b","a","b"]})");
  EXPECT_EQ(error_of(attributes_to_get(request.in().strings("AttributesToGet"), request.arena)),
            "One or more parameter values were invalid: Duplicate value in attribute name: b");
}

}  // namespace
}  // namespace stator::api
