#include "api/legacy_key_conditions.h"

#include <fmt/format.h>

#include "api/legacy_test_support.h"

namespace stator::api {
namespace {

using testing::error_of;
using testing::Request;

constexpr expr::KeyAttribute kPartition[] = {{"pk", item::Type::string}};
constexpr expr::KeyAttribute kSort[] = {{"sk", item::Type::number}};

struct Query {
  explicit Query(std::string_view conditions, bool of_index = false)
      : request(fmt::format(R"({{"KeyConditions":{}}})", conditions)),
        condition(key_condition_of(*read_conditions(request.in(), "KeyConditions"), of_index,
                                   request.arena)) {}
  [[nodiscard]] Result<expr::ResolvedKeyCondition> resolve() {
    return expr::resolve_key_condition(*condition, kPartition, kSort, request.arena);
  }
  Request request;
  Result<expr::KeyCondition> condition;
};

std::string with_sort(std::string_view comparison, std::string_view values) {
  return fmt::format(
      R"({{"sk":{{"ComparisonOperator":"{}","AttributeValueList":[{}]}},
          "pk":{{"ComparisonOperator":"EQ","AttributeValueList":[{{"S":"a"}}]}}}})",
      comparison, values);
}

TEST(KeyConditions, MeanWhatAKeyConditionExpressionMeans) {
  const struct {
    std::string_view comparison;
    std::string_view values;
    expr::KeyOperator op;
  } kCases[] = {
      {"LT", R"({"N":"1"})", expr::KeyOperator::less},
      {"LE", R"({"N":"1"})", expr::KeyOperator::less_or_equal},
      {"GT", R"({"N":"1"})", expr::KeyOperator::greater},
      {"GE", R"({"N":"1"})", expr::KeyOperator::greater_or_equal},
      {"BETWEEN", R"({"N":"1"},{"N":"2"})", expr::KeyOperator::between},
  };
  for (const auto& test : kCases) {
    Query query(with_sort(test.comparison, test.values));
    const auto resolved = query.resolve();
    ASSERT_TRUE(resolved.has_value()) << error_of(resolved);
    EXPECT_EQ(resolved->partition.front().text(), "a");
    ASSERT_TRUE(resolved->sort_range.has_value());
    EXPECT_EQ(resolved->sort_range->op, test.op);
    EXPECT_EQ(resolved->sort_range->low.text(), "1");
    if (test.op == expr::KeyOperator::between) {
      EXPECT_EQ(resolved->sort_range->high.text(), "2");
    }
  }
}

TEST(KeyConditions, AreRefusedByTheSchemaWhereNoIndexServesThem) {
  for (const std::string_view comparison : {"NE", "IN", "CONTAINS", "NOT_CONTAINS"}) {
    EXPECT_EQ(error_of(Query(with_sort(comparison, R"({"N":"1"})")).resolve()),
              "Attempted conditional constraint is not an indexable operation");
  }
  for (const std::string_view comparison : {"NULL", "NOT_NULL"}) {
    EXPECT_EQ(error_of(Query(with_sort(comparison, "")).resolve()),
              "Attempted conditional constraint is not an indexable operation");
  }
}

TEST(KeyConditions, ComparePartitionKeysByEqualityOnly) {
  EXPECT_EQ(error_of(Query(R"({"pk":{"ComparisonOperator":"GT","AttributeValueList":[{"S":"a"}]}})")
                         .resolve()),
            "Query key condition not supported");
  EXPECT_EQ(error_of(Query(R"({"pk":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}})")
                         .resolve()),
            "One or more parameter values were invalid: Condition parameter type does not match "
            "schema type");
}

TEST(KeyConditions, AreOneOrTwoUnlessAnIndexHasMoreKeys) {
  const std::string_view kThree =
      R"({"a":{"ComparisonOperator":"NULL"},"b":{"ComparisonOperator":"NULL"},"c":{"ComparisonOperator":"NULL"}})";
  const std::string_view kText = "Conditions can be of length 1 or 2 only";
  EXPECT_EQ(error_of(Query("{}").condition), kText);
  EXPECT_EQ(error_of(Query("{}", true).condition), kText);
  EXPECT_EQ(error_of(Query(kThree).condition), kText);
  EXPECT_EQ(error_of(Query(kThree, true).condition), "");
}

TEST(KeyConditions, AreCheckedLikeFilters) {
  EXPECT_EQ(error_of(Query(with_sort("EQ", "")).condition),
            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
            "ComparisonOperator");
  EXPECT_EQ(
      error_of(Query(with_sort("BEGINS_WITH", R"({"N":"1"})")).condition),
      "One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid "
      "for N AttributeValue type");
}

}  // namespace
}  // namespace stator::api
