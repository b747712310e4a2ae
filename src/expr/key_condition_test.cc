#include <gtest/gtest.h>

#include "expr/expression.h"
#include "expr/test_support.h"

namespace stator::expr {
namespace {

using testing::error_of;
using testing::Pairs;
using testing::Request;
using testing::text_of;

const Pairs kKeyValues = {{":a", R"({"S":"a"})"},     {":b", R"({"S":"b"})"}, {":n", R"({"N":"1"})"},
                       {":m", R"({"N":"2"})"},     {":t", R"({"S":"N"})"}, {":e", R"({"S":""})"},
                       {":bin", R"({"B":"YQ=="})"}};

TEST(BindKeyCondition, ReportsWhatAKeyConditionMayNotContain) {
  const struct {
    std::string text, error;
  } cases[] = {
      {"a > b and size(b) > c or a > c", "Invalid operator used in KeyConditionExpression: OR"},
      {"a in (b, size(c), d)", "Invalid operator used in KeyConditionExpression: IN"},
      {"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"attribute_type(a, :t)", "Invalid operator used in KeyConditionExpression: attribute_type"},
      {"contains(a.d, b)", "Invalid operator used in KeyConditionExpression: contains"},
      {"not a > b", "Invalid operator used in KeyConditionExpression: NOT"},
      {"a <> b", "Invalid operator used in KeyConditionExpression: <>"},
      {":a between size(b) and size(a) and b > :b",
       "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute "
       "as its first "
       "operand"},
      {"begins_with(:a, b) and a > :b",
       "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
       "attribute as its "
       "first operand"},
      {"size(b) > a AND a.b > b AND b > c",
       "KeyConditionExpressions cannot contain nested operations"},
      {"a between size(b) and size(c)", "KeyConditionExpressions cannot contain nested operations"},
      {"b > a.b",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {"begins_with(a, b)",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {"b.d > a AND c.d > e.f",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"},
      {":b > :a AND a < :b",
       "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"(a > :a and b > :a) and (b > :a and c > :a)",
       "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
      {"a between :b and :a",
       "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
       "than or equal to "
       "lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: "
       "AttributeValue: {S:a}"},
      {"a = :a AND dog(c, :a)",
       "Invalid KeyConditionExpression: Invalid function name; function: dog"},
      {"a = :undefined",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; "
       "attribute value: :undefined"},
      {"", "Invalid KeyConditionExpression: The expression can not be empty;"},
  };
  for (const auto& each : cases) {
    Request request(kKeyValues);
    EXPECT_EQ(error_of(bind_key_condition(each.text, *request.placeholders)), each.error)
        << each.text;
  }
}

TEST(BindKeyCondition, TakesSidesInAnyOrder) {
  Request request(kKeyValues);
  const auto condition = bind_key_condition("((:n < c) AND (:a = p))", *request.placeholders);
  ASSERT_TRUE(condition.has_value()) << error_of(condition);
  ASSERT_EQ(condition->comparisons.size(), 2U);
  EXPECT_EQ(condition->comparisons[0].attribute, "c");
  EXPECT_EQ(condition->comparisons[0].op, KeyOperator::greater);
  EXPECT_EQ(condition->comparisons[1].op, KeyOperator::equal);
  EXPECT_EQ(text_of(condition->comparisons[1].low), R"({"S":"a"})");
}

const KeyAttribute kPartition[] = {{"p", item::Type::string}};
const KeyAttribute kSort[] = {{"c", item::Type::number}};
const KeyAttribute kPartitions[] = {{"h1", item::Type::string}, {"h2", item::Type::number}};
const KeyAttribute kSorts[] = {
    {"r1", item::Type::string}, {"r2", item::Type::string}, {"r3", item::Type::binary}};

Result<ResolvedKeyCondition> resolve(Request& request, std::string_view text,
                                     std::span<const KeyAttribute> partition,
                                     std::span<const KeyAttribute> sort) {
  auto condition = bind_key_condition(text, *request.placeholders);
  if (!condition) return tl::unexpected<Error>(condition.error());
  return resolve_key_condition(*condition, partition, sort, request.arena);
}

TEST(ResolveKeyCondition, ReportsMismatchesWithTheSchema) {
  const std::string type =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  const struct {
    std::string text, error;
  } cases[] = {
      {"p = :a", "no error"},
      {"c = :n", "Query condition missed key schema element: p"},
      {"z between :n and :m", "Query condition missed key schema element: p"},
      {"p = :a AND z < :n", "Query condition missed key schema element: c"},
      {"p < :a", "Query key condition not supported"},
      {"p = :a AND c < :n AND z < :n", "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
      {"p = :n", type},
      {"p = :a AND c = :b", type},
      {"p = :a AND c between :n and :m", "no error"},
      {"p = :e",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an "
       "empty string value. Key: p"},
  };
  for (const auto& each : cases) {
    Request request(kKeyValues);
    EXPECT_EQ(error_of(resolve(request, each.text, kPartition, kSort)), each.error) << each.text;
  }
  for (const std::string_view text : {"p = :a AND c = :n", "c = :n AND z = :n"}) {
    Request request(kKeyValues);
    EXPECT_EQ(error_of(resolve(request, text, kPartition, {})), "Query key condition not supported");
  }
}

TEST(ResolveKeyCondition, HasTheWordsOfTheClassicLayerToo) {
  const struct {
    std::string text, error;
  } cases[] = {
      {"p.c = :a", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"p > :a AND p < :a", "KeyConditionExpressions must only contain one condition per key"},
      {"p = :a AND c < :n AND z < :n", "Conditions can be of length 1 or 2 only"},
  };
  for (const auto& each : cases) {
    Request request(kKeyValues);
    const auto bound = bind_condition(each.text, Parameter::key_condition, *request.placeholders);
    ASSERT_TRUE(bound.has_value()) << error_of(bound);
    const auto condition = to_key_condition(*bound, request.arena, Layer::classic);
    const std::string error = condition ? error_of(resolve_key_condition(*condition, kPartition, kSort, request.arena))
                                        : error_of(condition);
    EXPECT_EQ(error, each.error) << each.text;
  }
}

TEST(ResolveKeyCondition, SeparatesEqualityFromRange) {
  Request request(kKeyValues);
  const auto equal = resolve(request, "c = :n AND p = :a", kPartition, kSort);
  ASSERT_TRUE(equal.has_value());
  EXPECT_EQ(equal->sort_equal.size(), 1U);
  EXPECT_FALSE(equal->sort_range.has_value());
  const auto range = resolve(request, "p = :a AND c between :n and :m", kPartition, kSort);
  ASSERT_TRUE(range.has_value());
  EXPECT_TRUE(range->sort_equal.empty());
  EXPECT_EQ(text_of(range->sort_range->high), R"({"N":"2"})");
}

TEST(ResolveKeyCondition, TakesKeysOfSeveralAttributesFromTheLeft) {
  const struct {
    std::string text, error;
    std::size_t equal;
    bool range;
  } cases[] = {
      {"h2 = :n AND h1 = :a", "no error", 0, false},
      {"h1 = :a", "HASH key attributes h2 must have equality conditions specified in the query", 0, false},
      {"h1 = :a AND h2 > :n", "HASH key attributes h2 must have equality conditions specified in the query", 0, false},
      {"r1 = :a AND h2 > :n", "HASH key attributes h1, h2 must have equality conditions specified in the query", 0, false},
      {"h1 = :a AND h2 = :n AND r2 = :b AND r1 = :a", "no error", 2, false},
      {"h1 = :a AND h2 = :n AND r1 = :a AND begins_with(r2, :b)", "no error", 1, true},
      {"h1 = :a AND h2 = :n AND r2 = :a",
       "RANGE key attributes r1 must have equality conditions specified in the query because a condition is present on key attribute r2", 0,
       false},
      {"h1 = :a AND h2 = :n AND r1 = :a AND r3 = :bin",
       "RANGE key attributes r2 must have equality conditions specified in the query because a condition is present on key attribute r3", 0,
       false},
      {"h1 = :a AND h2 = :n AND r1 > :a AND r2 = :b",
       "RANGE key attributes r1 must have equality conditions specified in the query because a condition is present on key attribute r2", 0,
       false},
  };
  for (const auto& each : cases) {
    Request request(kKeyValues);
    const auto resolved = resolve(request, each.text, kPartitions, kSorts);
    EXPECT_EQ(error_of(resolved), each.error) << each.text;
    if (!resolved) continue;
    EXPECT_EQ(resolved->partition.size(), 2U);
    EXPECT_EQ(resolved->sort_equal.size(), each.equal) << each.text;
    EXPECT_EQ(resolved->sort_range.has_value(), each.range) << each.text;
  }
}

}  // namespace
}  // namespace stator::expr
