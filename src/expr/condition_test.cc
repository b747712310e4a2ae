#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "expr/bound.h"
#include "expr/expression.h"
#include "expr/test_support.h"

namespace stator::expr {
namespace {

using testing::error_of;
using testing::Pairs;
using testing::Request;

struct Match {
  std::string text;
  bool expected;
};

void expect_matches(std::string_view item, const Pairs& values,
                    std::initializer_list<Match> cases) {
  for (const Match& each : cases) {
    Request request(values);
    const auto condition = bind_condition(each.text, Parameter::condition, *request.placeholders);
    ASSERT_TRUE(condition.has_value()) << each.text << ": " << error_of(condition);
    EXPECT_EQ(condition->matches(request.item(item), request.arena), each.expected) << each.text;
  }
}

TEST(Condition, ComparesByTypeAndValue) {
  expect_matches(
      R"({"n":{"N":"5"},"s":{"S":"cat"},"b":{"B":"gA=="},"l":{"L":[{"N":"1"}]},"z":{"NULL":true}})",
      {{":five", R"({"N":"5"})"},
       {":six", R"({"N":"6"})"},
       {":text", R"({"S":"5"})"},
       {":dog", R"({"S":"dog"})"},
       {":low", R"({"B":"fw=="})"},
       {":list", R"({"L":[{"N":"1"}]})"}},
      {{"n = :five", true},
       {"n = :text", false},
       {"n <> :text", true},
       {"n < :six", true},
       {"n >= :six", false},
       {"n < :text", false},
       {"n > :text", false},
       {"s < :dog", true},
       {"b > :low", true},  // unsigned bytes
       {"l = :list", true},
       {"l < :six", false},
       {"n BETWEEN :five AND :six", true},
       {"n between :six and n2", false},
       {"l between z and s", false},
       {"n IN (:dog, :five)", true},
       {"n IN (:dog, :text)", false}});
}

TEST(Condition, MissingOperandMatchesOnlyNotEqual) {
  const Pairs values = {{":v", R"({"N":"1"})"}};
  for (const std::string_view item : {std::string_view(), std::string_view(R"({"a":{"N":"1"}})")}) {
    expect_matches(item, values,
                   {{"q = :v", false},
                    {"q = z", false},
                    {"q <> :v", true},
                    {"q <> z", true},
                    {"q < :v", false},
                    {":v >= q", false},
                    {"q between :v and :v", false},
                    {"q IN (:v, z)", false},
                    {"contains(q, :v)", false},
                    {"size(q) = :v", false},
                    {"size(q) <> :v", true},
                    {"attribute_exists(q)", false},
                    {"attribute_not_exists(q)", true},
                    {"NOT q = :v", true}});
  }
}

TEST(Condition, SetsAreEqualInAnyOrderNestedToo) {
  expect_matches(R"({"s":{"SS":["a","b"]},"m":{"M":{"x":{"NS":["1","2"]}}}})",
                 {{":s", R"({"SS":["b","a"]})"},
                  {":m", R"({"M":{"x":{"NS":["2","1"]}}})"},
                  {":t", R"({"SS":["b"]})"}},
                 {{"s = :s", true}, {"m = :m", true}, {"s = :t", false}, {"s <> :t", true}});
}

TEST(Condition, FunctionsWorkOnEachType) {
  expect_matches(
      R"({"s":{"S":"hello"},"b":{"B":"aGkgdGhlcmU="},"ns":{"NS":["2","4"]},"l":{"L":[{"S":"hi"},{"NS":["1","2"]}]},"m":{"M":{"x":{"N":"1"},"y":{"L":[{"N":"-1"},{"N":"2"}]}}},"n":{"N":"5"},"t":{"BOOL":true},"e":{"S":"é𝄞"}})",
      {{":ell", R"({"S":"ell"})"},
       {":hell", R"({"S":"hell"})"},
       {":hi", R"({"B":"aGk="})"},
       {":here", R"({"B":"aGVyZQ=="})"},
       {":4", R"({"N":"4"})"},
       {":set", R"({"NS":["2","1"]})"},
       {":N", R"({"S":"N"})"},
       {":M", R"({"S":"M"})"},
       {":2", R"({"N":"2"})"},
       {":3", R"({"N":"3"})"},
       {":5", R"({"N":"5"})"},
       {":8", R"({"N":"8"})"}},
      {{"begins_with(s, :hell)", true},
       {"begins_with(s, :ell)", false},
       {"begins_with(b, :hi)", true},
       {"begins_with(s, :hi)", false},
       {"begins_with(n, s)", false},
       {"contains(s, :ell)", true},
       {"contains(b, :here)", true},
       {"contains(ns, :4)", true},
       {"contains(l, :set)", true},
       {"contains(ns, :set)", false},
       {"contains(m, :4)", false},
       {"attribute_type(n, :N)", true},
       {"attribute_type(n, :M)", false},
       {"attribute_type(:2, :N)", true},
       {"size(s) = :5", true},
       {"size(b) = :8", true},
       {"size(ns) = :2", true},
       {"size(l) = :2", true},
       {"size(m) = :2", true},
       {"size(e) = :3", true},  // UTF-16 units
       {"size(n) = :5", false},
       {"size(s) = n", true},
       {"attribute_exists(m.y[1])", true},
       {"attribute_exists(m.y[2])", false},
       {"attribute_exists(m[0])", false},
       {"m.x < m.y[1]", true},
       {"m.x < m.y[0]", false}});
}

TEST(Condition, BindsNotBeforeAndBeforeOr) {
  const std::string_view item = R"({"a":{"N":"1"},"b":{"N":"2"},"c":{"N":"3"}})";
  expect_matches(item, {},
                 {{"a < b OR c < b AND b < c", true},
                  {"(a < b OR c < b) AND c < b", false},
                  {"NOT a < b AND c < b", false},
                  {"NOT (a < b AND c < b)", true},
                  {"b BETWEEN a AND c AND a < b", true},
                  {"NOT NOT a < b", true}});
}

TEST(BindCondition, ReportsProblemsOfOneConditionAtATime) {
  const struct {
    std::string text;
    std::string value;  // of :a
    std::string error;
  } cases[] = {
      {"attribute_exists(#Pictures.RearView, :a) and a=a", "",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#Pictures"},
      {"begins_with(Pictures.#RearView)", "",
       "An expression attribute name used in the document path is not defined; attribute name: "
       "#RearView"},
      {":a < :b", "",
       "An expression attribute value used in expression is not defined; attribute value: :a"},
      {"attribute_exists(things, a) and a=a", "",
       "Incorrect number of operands for operator or function; operator or function: "
       "attribute_exists, number of "
       "operands: 2"},
      {"begins_with(things, size(a), b)", "",
       "Incorrect number of operands for operator or function; operator or function: begins_with, "
       "number of "
       "operands: 3"},
      {"attribute_type(a, size(a)) and a=a and a=:a", R"({"N":"1"})",
       "Incorrect operand type for operator or function; operator or function: attribute_type, "
       "operand type: N"},
      {"begins_with(:a, b)", R"({"BOOL":true})",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand type: BOOL"},
      {"size(size(a)) > :a", R"({"N":"1"})",
       "Incorrect operand type for operator or function; operator or function: size, operand type: "
       "N"},
      {"attribute_not_exists(size(:a))", R"({"N":"1"})",
       "Incorrect operand type for operator or function; operator or function: size, operand type: "
       "N"},
      {"attribute_not_exists(size(:a))", R"({"S":"1"})",
       "Operator or function requires a document path; operator or function: attribute_not_exists"},
      {"a < :a", R"({"L":[]})",
       "Incorrect operand type for operator or function; operator or function: <, operand type: L"},
      {"attribute_type(a, :a)", R"({"S":"1"})",
       "Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"a = a AND #b = c", "",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: "
       "=, first operand: [a]"},
      {"contains(ab.bc[1].a, ab.bc[1].a)", "",
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: "
       "contains, first operand: [ab, bc, [1], a]"},
  };
  for (const auto& each : cases) {
    Request request(each.value.empty() ? Pairs{} : Pairs{{":a", each.value}});
    EXPECT_EQ(error_of(bind_condition(each.text, Parameter::filter, *request.placeholders)),
              "Invalid FilterExpression: " + each.error)
        << each.text;
  }
}

TEST(BindCondition, ChecksLiteralBoundsOfBetween) {
  const struct {
    std::string low, high, error;
  } cases[] = {
      {R"({"N":"5"})", R"({"N":"1"})",
       "upper bound to be greater than or equal to lower bound; lower bound operand: "
       "AttributeValue: {N:5}, "
       "upper bound operand: AttributeValue: {N:1}"},
      {R"({"N":"1"})", R"({"S":"a"})",
       "same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, "
       "upper bound "
       "operand: AttributeValue: {S:a}"},
      {R"({"B":"eg=="})", R"({"B":"YQ=="})",
       "upper bound to be greater than or equal to lower bound; lower bound operand: "
       "AttributeValue: {B:eg==}, "
       "upper bound operand: AttributeValue: {B:YQ==}"},
  };
  for (const auto& each : cases) {
    Request request({{":l", each.low}, {":h", each.high}});
    EXPECT_EQ(error_of(bind_condition("a between :l and :h", Parameter::condition,
                                      *request.placeholders)),
              "Invalid ConditionExpression: The BETWEEN operator requires " + each.error);
  }
}

TEST(BindCondition, LimitsOperandsOfIn) {
  for (const std::size_t count : {100U, 101U}) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? ":v" : ",:v");
    Request request(Pairs{{":v", R"({"N":"1"})"}});
    const auto bound =
        bind_condition("a IN (" + list + ")", Parameter::condition, *request.placeholders);
    EXPECT_EQ(error_of(bound),
              count == 100 ? "no error"
                           : "Invalid ConditionExpression: The IN operator is provided with too "
                             "many operands; number of operands: 101");
  }
}

TEST(Condition, KnowsTheAttributesItReads) {
  Request request({{":v", R"({"N":"1"})"}}, {{"#n", "name"}});
  const auto condition = bind_condition("a.b = :v AND size(#n[0]) > a.c OR attribute_exists(d)",
                                        Parameter::condition, *request.placeholders);
  ASSERT_TRUE(condition.has_value()) << error_of(condition);
  const auto names = condition->attribute_names();
  EXPECT_EQ(std::vector<std::string_view>(names.begin(), names.end()),
            (std::vector<std::string_view>{"a", "name", "d"}));
}

TEST(Condition, CanBeBuiltWithoutText) {
  Request request;
  const PathStep steps[] = {{"a", 0, false}};
  const BoundOperand operands[] = {{OperandKind::path, steps, {}, nullptr},
                                   {OperandKind::value, {}, item::Value::string("x"), nullptr}};
  BoundNode root;
  root.kind = ConditionKind::equal;
  root.operands = operands;
  const Condition condition = Condition::from_bound(&root, request.arena);
  EXPECT_TRUE(condition.matches(request.item(R"({"a":{"S":"x"}})"), request.arena));
  EXPECT_FALSE(condition.matches(request.item(R"({"a":{"S":"y"}})"), request.arena));
  EXPECT_EQ(condition.attribute_names().size(), 1U);
}

TEST(Placeholders, RefuseBadKeys) {
  const auto names = [](const std::string& key) {
    return error_of(Request({}, {{key, "a"}}).placeholders->check());
  };
  const auto values = [](const std::string& key) {
    return error_of(Request(Pairs{{key, R"({"S":"a"})"}}).placeholders->check());
  };
  EXPECT_EQ(names("#a_1"), "no error");
  EXPECT_EQ(names("a"), R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "a")");
  EXPECT_EQ(names("#"), R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#")");
  EXPECT_EQ(values("a"),
            R"(ExpressionAttributeValues contains invalid key: Syntax error; key: "a")");
  EXPECT_EQ(values(":hi!there"),
            R"(ExpressionAttributeValues contains invalid key: Syntax error; key: ":hi!there")");
}

TEST(Placeholders, RefuseWhatNoExpressionUses) {
  Request request({{":v", R"({"N":"1"})"}, {":w", R"({"N":"1"})"}},
                  {{"#a", "a"}, {"#b", "b"}, {"#c", "c"}});
  ASSERT_TRUE(bind_condition("#b = :w", Parameter::condition, *request.placeholders));
  EXPECT_EQ(error_of(request.placeholders->check_all_used()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #c}");
  ASSERT_TRUE(bind_projection("#a, #c", *request.placeholders));
  EXPECT_EQ(error_of(request.placeholders->check_all_used()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}");
}

// A long list of conditions is answered by the attributes that the item has; it says the same as a short one.
TEST(Condition, SaysTheSameHoweverLongItIs) {
  Request request;
  const item::StoredItem* items[] = {nullptr, request.item(R"({"a1":{"N":"1"},"z":{"N":"1"}})"),
                                     request.item(R"({"a1":{"N":"2"},"a2":{"N":"1"}})")};
  const ConditionKind kinds[] = {ConditionKind::equal, ConditionKind::not_equal, ConditionKind::attribute_exists,
                                 ConditionKind::attribute_not_exists};
  for (const ConditionKind join : {ConditionKind::all, ConditionKind::any}) {
    for (const ConditionKind kind : kinds) {
      for (const ConditionKind odd_kind : kinds) {
        std::vector<BoundNode> nodes(100);
        std::vector<std::array<BoundOperand, 2>> operands(nodes.size());
        std::vector<PathStep> steps(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          steps[i].name = request.arena.copy("a" + std::to_string(i));
          operands[i][0].kind = OperandKind::path;
          operands[i][0].path = std::span(&steps[i], 1);
          operands[i][1].value = item::Value::number("1");
          nodes[i].kind = i == 1 ? odd_kind : kind;
          nodes[i].operands = operands[i];
        }
        const BoundNode root{.kind = join, .children = nodes};
        const Condition whole = Condition::from_bound(&root, request.arena);
        for (const item::StoredItem* item : items) {
          const auto holds = [&](const BoundNode& node) {
            return Condition::from_bound(&node, request.arena).matches(item, request.arena);
          };
          const bool expected = join == ConditionKind::all ? std::all_of(nodes.begin(), nodes.end(), holds)
                                                           : std::any_of(nodes.begin(), nodes.end(), holds);
          EXPECT_EQ(whole.matches(item, request.arena), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace stator::expr
