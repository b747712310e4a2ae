#include <gtest/gtest.h>

#include <map>

#include "expr/bound.h"
#include "expr/expression.h"
#include "expr/test_support.h"

namespace stator::expr {
namespace {

using testing::error_of;
using testing::Pairs;
using testing::Request;
using testing::text_of;

struct UpdateCase {
  std::string text;
  std::string item;
  std::map<std::string, std::string> changes;  // attribute to wire text; empty: removed
  std::string error;
};

const Pairs kUpdateValues = {
    {":n", R"({"N":"3"})"},
    {":s", R"({"S":"x"})"},
    {":l", R"({"L":[{"N":"8"},{"N":"9"}]})"},
    {":set", R"({"SS":["b","c"]})"},
    {":a", R"({"SS":["a"]})"},
    {":ns", R"({"NS":["1"]})"},
    {":big",
     R"({"N":"900000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"})"},
};

constexpr std::size_t kBytesMax = 100'000;

Result<std::span<const AttributeChange>> changes_of(const Result<UpdateChanges>& applied) {
  TRY_VOID(applied);
  EXPECT_FALSE(applied->too_large);
  return applied->changes;
}

void expect_apply(const UpdateCase& each) {
  Request request(kUpdateValues);
  const auto update = bind_update(each.text, *request.placeholders);
  ASSERT_TRUE(update.has_value()) << each.text << ": " << error_of(update);
  const auto changes = changes_of(update->apply(request.item(each.item), kBytesMax, request.arena));
  if (!each.error.empty()) {
    EXPECT_EQ(error_of(changes), each.error) << each.text;
    return;
  }
  ASSERT_TRUE(changes.has_value()) << each.text << ": " << error_of(changes);
  std::map<std::string, std::string> got;
  for (const AttributeChange& change : *changes) {
    got[std::string(change.name)] = change.after ? text_of(*change.after) : "";
  }
  EXPECT_EQ(got, each.changes) << each.text;
}

const char* const kInvalidPath =
    "The document path provided in the update expression is invalid for update";
const char* const kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
const char* const kWrongType = "An operand in the update expression has an incorrect data type";

TEST(Update, SetsTopLevelAttributesFromTheItemAsItWas) {
  const UpdateCase cases[] = {
      {"SET a = :n", "", {{"a", R"({"N":"3"})"}}, ""},
      {"SET a = b, b = a",
       R"({"a":{"N":"1"},"b":{"N":"2"}})",
       {{"a", R"({"N":"2"})"}, {"b", R"({"N":"1"})"}},
       ""},
      {"REMOVE a SET b = a", R"({"a":{"S":"h"}})", {{"a", ""}, {"b", R"({"S":"h"})"}}, ""},
      {"SET x = :n, y = x", R"({"a":{"N":"1"}})", {}, kMissing},
      {"SET c = z", "", {}, kMissing},
      {"SET a = a", R"({"a":{"N":"1"}})", {}, ""},
      {"SET a = a + :n", R"({"a":{"N":"2"}})", {{"a", R"({"N":"5"})"}}, ""},
      {"SET a = (:n - a)", R"({"a":{"N":"5"}})", {{"a", R"({"N":"-2"})"}}, ""},
      {"SET a = a + :n", R"({"a":{"S":"2"}})", {}, kWrongType},
      {"SET a = b + :n", R"({"a":{"S":"2"}})", {}, kMissing},
      {"SET a = if_not_exists(a, :s)", R"({"a":{"N":"1"}})", {}, ""},
      {"SET a = if_not_exists(b, if_not_exists(c, :s))",
       R"({"a":{"N":"1"}})",
       {{"a", R"({"S":"x"})"}},
       ""},
      {"SET a = if_not_exists(a, :n) + :n", "", {{"a", R"({"N":"6"})"}}, ""},
      {"SET a = list_append(:l, a)",
       R"({"a":{"L":[{"N":"1"}]}})",
       {{"a", R"({"L":[{"N":"8"},{"N":"9"},{"N":"1"}]})"}},
       ""},
      {"SET a = list_append(if_not_exists(a, :l), :l)",
       "",
       {{"a", R"({"L":[{"N":"8"},{"N":"9"},{"N":"8"},{"N":"9"}]})"}},
       ""},
      {"SET a = list_append(a, :l)", R"({"a":{"S":"1"}})", {}, kWrongType},
      {"SET a = list_append(a, :l)", "", {}, kMissing},
  };
  for (const UpdateCase& each : cases) expect_apply(each);
}

TEST(Update, ReportsNumberOverflow) {
  expect_apply(
      {"SET a = :big + :big",
       "",
       {},
       "Number overflow. Attempting to store a number with magnitude larger than supported range"});
  expect_apply(
      {"ADD a :big",
       R"({"a":)" + kUpdateValues.back().second + "}",
       {},
       "Number overflow. Attempting to store a number with magnitude larger than supported range"});
}

TEST(Update, ChangesNestedPathsByTheirOldPositions) {
  const std::string list = R"({"a":{"L":[{"N":"2"},{"N":"3"},{"N":"4"},{"N":"5"},{"N":"6"}]}})";
  const std::string map = R"({"a":{"M":{"x":{"N":"1"},"c":{"M":{"y":{"N":"2"}}}}}})";
  const UpdateCase cases[] = {
      {"REMOVE a[1] SET a[3] = :s",
       list,
       {{"a", R"({"L":[{"N":"2"},{"N":"4"},{"S":"x"},{"N":"6"}]})"}},
       ""},
      {"REMOVE a[4], a[0], a[17]", list, {{"a", R"({"L":[{"N":"3"},{"N":"4"},{"N":"5"}]})"}}, ""},
      {"SET a[84] = :n, a[37] = :s, a[0] = a[1]",
       list,
       {{"a", R"({"L":[{"N":"3"},{"N":"3"},{"N":"4"},{"N":"5"},{"N":"6"},{"S":"x"},{"N":"3"}]})"}},
       ""},
      {"SET a.b = :n, a.c.d = :s REMOVE a.x",
       map,
       {{"a", R"({"M":{"c":{"M":{"y":{"N":"2"},"d":{"S":"x"}}},"b":{"N":"3"}}})"}},
       ""},
      {"REMOVE a.c.y", map, {{"a", R"({"M":{"x":{"N":"1"},"c":{"M":{}}}})"}}, ""},
      {"REMOVE a.q, b", map, {}, ""},
      {"SET a.q.r = :n", map, {}, kInvalidPath},
      {"SET a.x.r = :n", map, {}, kInvalidPath},
      {"SET a[0] = :n", map, {}, kInvalidPath},
      {"SET q.r = :n", map, {}, kInvalidPath},
      {"REMOVE q.r", map, {}, kInvalidPath},
      {"REMOVE a[0]", map, {}, kInvalidPath},
      {"SET a[9].b = :n", list, {}, kInvalidPath},
      {"SET c.c = :n", "", {}, kInvalidPath},
      {"REMOVE x.y", "", {}, ""},  // of an item that is not there
      {"REMOVE x[0]", "", {}, ""},
      {"ADD a.x :n", map, {{"a", R"({"M":{"x":{"N":"4"},"c":{"M":{"y":{"N":"2"}}}}})"}}, ""},
      {"ADD q.x :n", map, {}, kInvalidPath},
  };
  for (const UpdateCase& each : cases) expect_apply(each);
}

TEST(Update, AddsAndDeletes) {
  const UpdateCase cases[] = {
      {"ADD a :n", R"({"a":{"N":"4"}})", {{"a", R"({"N":"7"})"}}, ""},
      {"ADD a :n", "", {{"a", R"({"N":"3"})"}}, ""},
      {"ADD a :n", R"({"a":{"S":"4"}})", {}, kWrongType},
      {"ADD a :set", R"({"a":{"SS":["a","b"]}})", {{"a", R"({"SS":["a","b","c"]})"}}, ""},
      {"ADD a :set", R"({"b":{"N":"1"}})", {{"a", R"({"SS":["b","c"]})"}}, ""},
      {"ADD a :ns", R"({"a":{"SS":["a","b"]}})", {}, kWrongType},
      {"ADD a :ns", R"({"a":{"L":[{"N":"1"}]}})", {}, kWrongType},
      {"DELETE a :set", R"({"a":{"SS":["a","b"]}})", {{"a", R"({"SS":["a"]})"}}, ""},
      {"DELETE a :a", R"({"a":{"SS":["a"]}})", {{"a", ""}}, ""},
      {"DELETE a :a", R"({"a":{"SS":["b"]}})", {}, ""},
      {"DELETE a :a", R"({"b":{"N":"1"}})", {}, ""},
      {"DELETE a :a", "", {}, ""},
      {"DELETE a :ns", R"({"a":{"SS":["a"]}})", {}, kWrongType},
  };
  for (const UpdateCase& each : cases) expect_apply(each);
}

TEST(Update, TellsWhatWasThereBefore) {
  Request request(kUpdateValues);
  const auto update = bind_update("SET a.b = :n, c = :s", *request.placeholders);
  ASSERT_TRUE(update.has_value());
  const auto changes = changes_of(update->apply(request.item(R"({"a":{"M":{}}})"), kBytesMax, request.arena));
  ASSERT_TRUE(changes.has_value());
  ASSERT_EQ(changes->size(), 2U);
  EXPECT_EQ(text_of(*(*changes)[0].before), R"({"M":{}})");
  EXPECT_FALSE((*changes)[1].before.has_value());
  EXPECT_EQ(update->targets().paths().size(), 2U);
  EXPECT_EQ(update->targets().attribute_names()[0], "a");
}

TEST(Update, AppendsToListsOnlyWhenBuiltWithoutText) {
  Request request(kUpdateValues);
  const PathStep steps[] = {{"a", 0, false}};
  BoundAction action;
  action.kind = UpdateKind::add;
  action.path = steps;
  action.value.value = testing::value_of(R"({"L":[{"N":"2"}]})", request.arena);
  const BoundUpdate bound{std::span<const BoundAction>(&action, 1)};
  const Update update = Update::from_bound(&bound, request.arena);
  const auto changes = changes_of(update.apply(request.item(R"({"a":{"L":[{"N":"1"}]}})"), kBytesMax, request.arena));
  ASSERT_TRUE(changes.has_value()) << error_of(changes);
  EXPECT_EQ(text_of(*changes->front().after), R"({"L":[{"N":"1"},{"N":"2"}]})");
}

TEST(Update, BuildsNothingThatHasNoPlace) {
  Request request(kUpdateValues);
  const auto update = bind_update("SET a = list_append(l, l), b = l, c = :s", *request.placeholders);
  ASSERT_TRUE(update.has_value()) << error_of(update);
  const item::StoredItem* item = request.item(R"({"l":{"L":[{"S":"0123456789"}]}})");
  for (const std::size_t bytes_max : {0U, 10U, 24U, 39U, 1000U}) {
    const auto applied = update->apply(item, bytes_max, request.arena);
    ASSERT_TRUE(applied.has_value()) << error_of(applied);
    ASSERT_EQ(applied->changes.size(), 3U);
    EXPECT_EQ(applied->too_large, bytes_max < 40) << bytes_max;
    EXPECT_EQ(applied->changes[0].after->elements().size(), bytes_max < 25 ? 0U : 2U) << bytes_max;
    EXPECT_EQ(applied->changes[1].after->elements().size(), bytes_max < 39 ? 0U : 1U) << bytes_max;
    EXPECT_EQ(text_of(*applied->changes[2].after), R"({"S":"x"})");
  }
}

TEST(BindUpdate, ReportsProblemsInTheServicesOrder) {
  const struct {
    std::string text;
    std::string error;
  } cases[] = {
      {"SET #c = if_not_exists(:c)",
       "An expression attribute name used in the document path is not defined; attribute name: #c"},
      {"SET a = if_not_exists(:c)",
       "An expression attribute value used in expression is not defined; attribute value: :c"},
      {"SET a = :n REMOVE a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a], "
       "path two: [a]"},
      {"set d[1] = a, d.b = a, c[1].a = a, c = if_not_exists(a)",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: "
       "[c, [1], a], path two: [c]"},
      {"remove a.c set a[1] = b",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: "
       "[a, c], path two: [a, [1]]"},
      {"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
       "typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"delete a :n",
       "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, "
       "typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"add a :l",
       "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, "
       "typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"set a = if_not_exists(c)",
       "Incorrect number of operands for operator or function; operator or function: "
       "if_not_exists, number of "
       "operands: 1"},
      {"set a = if_not_exists(:n, c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = if_not_exists(if_not_exists(a, b), c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = list_append(a, :n)",
       "Incorrect operand type for operator or function; operator or function: list_append, "
       "operand type: N"},
      {"set a = :s + :l",
       "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
      {"set a = a - :set",
       "Incorrect operand type for operator or function; operator or function: -, operand type: "
       "SS"},
  };
  for (const auto& each : cases) {
    Request request(kUpdateValues);
    EXPECT_EQ(error_of(bind_update(each.text, *request.placeholders)),
              "Invalid UpdateExpression: " + each.error)
        << each.text;
  }
}

}  // namespace
}  // namespace stator::expr
