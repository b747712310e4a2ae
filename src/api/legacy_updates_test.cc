#include "api/legacy_updates.h"

#include <fmt/format.h>

#include "api/legacy_test_support.h"
#include "engine/table.h"

namespace stator::api {
namespace {

using testing::error_of;
using testing::Request;

// The attributes that change, as "a={"S":"x"} b=" (removed); or the error.
std::string changes_of(std::string_view item, std::string_view updates) {
  const std::string with_item = item.empty() ? "" : fmt::format(R"("Item":{},)", item);
  Request request(fmt::format(R"({{{}"AttributeUpdates":{}}})", with_item, updates));
  const auto update = attribute_updates(*read_attribute_updates(request.in()), request.arena);
  if (!update) return update.error().message;
  const auto applied = (*update)->apply(request.item(), engine::kItemBytesMax, request.arena);
  if (!applied) return applied.error().message;
  std::string text;
  for (const expr::AttributeChange& change : applied->changes) {
    base::Buffer value;
    if (change.after) item::append_value(value, *change.after);
    fmt::format_to(std::back_inserter(text), "{}{}={}", text.empty() ? "" : " ", change.name,
                   value.view());
  }
  return text;
}

TEST(AttributeUpdates, AreApplied) {
  const std::string_view kItem =
      R"({"n":{"N":"5"},"s":{"S":"x"},"ss":{"SS":["a","b"]},"l":{"L":[{"N":"1"}]}})";
  const struct {
    std::string_view updates;
    std::string_view changes;
  } kCases[] = {
      {R"({"n":{"Value":{"S":"y"}},"new":{"Action":"PUT","Value":{"NULL":true}}})",
       R"(n={"S":"y"} new={"NULL":true})"},
      {R"({"n":{"Action":"ADD","Value":{"N":"-1.5"}}})", R"(n={"N":"3.5"})"},
      {R"({"ss":{"Action":"ADD","Value":{"SS":["b","c"]}}})", R"(ss={"SS":["a","b","c"]})"},
      {R"({"l":{"Action":"ADD","Value":{"L":[{"N":"1"}]}}})", R"(l={"L":[{"N":"1"},{"N":"1"}]})"},
      {R"({"new":{"Action":"ADD","Value":{"L":[]}}})", R"(new={"L":[]})"},
      {R"({"s":{"Action":"DELETE"},"missing":{"Action":"DELETE"}})", "s="},
      {R"({"ss":{"Action":"DELETE","Value":{"SS":["a","z"]}}})", R"(ss={"SS":["b"]})"},
      {R"({"ss":{"Action":"DELETE","Value":{"SS":["a","b"]}}})", "ss="},
      {R"({"a.b":{"Value":{"N":"1"}}})", R"(a.b={"N":"1"})"},
  };
  for (const auto& test : kCases) EXPECT_EQ(changes_of(kItem, test.updates), test.changes);
}

TEST(AttributeUpdates, OfAnotherTypeHaveATextOfTheirOwn) {
  const std::string_view kItem = R"({"s":{"S":"x"},"ss":{"SS":["a"]}})";
  for (const std::string_view updates : {R"({"s":{"Action":"ADD","Value":{"N":"1"}}})",
                                         R"({"ss":{"Action":"ADD","Value":{"L":[]}}})",
                                         R"({"ss":{"Action":"DELETE","Value":{"NS":["1"]}}})"}) {
    EXPECT_EQ(changes_of(kItem, updates), "Type mismatch for attribute to update") << updates;
  }
}

TEST(AttributeUpdates, RefuseActionsThatTheTypeDoesNotHave) {
  const std::string_view kInvalid = "One or more parameter values were invalid: ";
  const struct {
    std::string_view update;
    std::string_view text;
  } kCases[] = {
      {R"({})", "Only DELETE action is allowed when no attribute value is specified"},
      {R"({"Action":"ADD"})", "Only DELETE action is allowed when no attribute value is specified"},
      {R"({"Action":"DELETE","Value":{"L":[]}})",
       "DELETE action with value is not supported for the type L"},
      {R"({"Action":"ADD","Value":{"BOOL":true}})",
       "ADD action is not supported for the type BOOL"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(changes_of("", fmt::format(R"({{"a":{}}})", test.update)),
              fmt::format("{}{}", kInvalid, test.text));
  }
  EXPECT_EQ(changes_of("", R"({"a":{"Action":"DELETE","Value":{"N":"x"}}})"),
            "The parameter cannot be converted to a numeric value: x");
  EXPECT_EQ(
      changes_of("", R"({"a":null})"),
      "Supplied AttributeValueUpdate is empty, must contain one of the supported actions: a is "
      "null");
}

TEST(AttributeUpdates, AreNotLargerThanAnItem) {
  const std::string large(400 * 1024, 'x');
  EXPECT_EQ(changes_of("", fmt::format(R"({{"a":{{"Value":{{"S":"{}"}}}}}})", large)),
            "Item size to update has exceeded the maximum allowed size");
}

TEST(AttributeUpdates, CountTheLastOfSeveralMembersOfOneName) {
  EXPECT_EQ(
      changes_of("", R"({"a":{"Value":{"N":"1"}},"b":{"Value":{"N":"2"}},"a":{"Value":{"N":"3"}}})"),
      R"(a={"N":"3"} b={"N":"2"})");
}

TEST(AttributeUpdates, AreAppliedWhenThereAreMany) {
  std::string updates = "{";
  for (int i = 0; i < 50'000; ++i) {
    fmt::format_to(std::back_inserter(updates), R"({}"{}":{{"Action":"DELETE"}})", i > 0 ? "," : "",
                   i);
  }
  EXPECT_EQ(changes_of(R"({"7":{"N":"1"}})", updates + "}"), "7=");
}

TEST(AttributeUpdates, AreNoUpdateWhereTheyAreEmpty) {
  Request request(R"({"AttributeUpdates":{}})");
  const auto update = attribute_updates(*read_attribute_updates(request.in()), request.arena);
  ASSERT_TRUE(update.has_value());
  EXPECT_FALSE(update->has_value());
}

}  // namespace
}  // namespace stator::api
