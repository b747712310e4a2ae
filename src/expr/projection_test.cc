#include <gtest/gtest.h>

#include "expr/expression.h"
#include "expr/test_support.h"

namespace stator::expr {
namespace {

using testing::error_of;
using testing::Request;

TEST(Projection, KeepsWhatThePathsSelectInTheOrderOfTheItem) {
  const std::string item =
      R"({"p":{"S":"k"},"a":{"M":{"b":{"L":[{"N":"2"},{"N":"4"},{"M":{"x":{"S":"hi"},"y":{"S":"yo"}}}]},"c":{"N":"5"}}},"b":{"S":"hello"}})";
  const struct {
    std::string text;
    std::string expected;
    std::size_t count;
  } cases[] = {
      {"b, p", R"({"p":{"S":"k"},"b":{"S":"hello"}})", 2},
      {"x", "{}", 0},
      {"a.b[0]", R"({"a":{"M":{"b":{"L":[{"N":"2"}]}}}})", 1},
      {"a.b[2].y, a.b[0], b",
       R"({"a":{"M":{"b":{"L":[{"N":"2"},{"M":{"y":{"S":"yo"}}}]}}},"b":{"S":"hello"}})", 2},
      {"a.c, a.b[1]", R"({"a":{"M":{"b":{"L":[{"N":"4"}]},"c":{"N":"5"}}}})", 1},
      {"a.x, a.b[0], x, a.b[3].x", R"({"a":{"M":{"b":{"L":[{"N":"2"}]}}}})", 1},
      {"a.b.x", "{}", 0},
      {"a[0]", "{}", 0},
      {"a.b[0][0]", "{}", 0},
      {"b.c, p", R"({"p":{"S":"k"}})", 1},
  };
  for (const auto& each : cases) {
    Request request;
    const auto projection = bind_projection(each.text, *request.placeholders);
    ASSERT_TRUE(projection.has_value()) << each.text << ": " << error_of(projection);
    base::Buffer out;
    EXPECT_EQ(projection->append(out, *request.item(item), request.arena), each.count) << each.text;
    EXPECT_EQ(out.view(), each.expected) << each.text;
  }
}

TEST(Projection, FindsNamesThatAreStoredEscaped) {
  Request request({}, {{"#q", "a\"b"}, {"#d", "a.b"}});
  const auto projection = bind_projection("#q, #d", *request.placeholders);
  ASSERT_TRUE(projection.has_value());
  base::Buffer out;
  const auto* item =
      request.item(R"({"a\"b":{"N":"1"},"a":{"M":{"b":{"N":"2"}}},"a.b":{"N":"3"}})");
  EXPECT_EQ(projection->append(out, *item, request.arena), 2U);
  EXPECT_EQ(out.view(), R"({"a\"b":{"N":"1"},"a.b":{"N":"3"}})");
}

TEST(Projection, WorksWithoutText) {
  Request request;
  const PathStep a[] = {{"a", 0, false}};
  const PathStep b[] = {{"b", 0, false}, {"c", 0, false}};
  const Path paths[] = {a, b};
  const Projection projection(paths, request.arena);
  EXPECT_EQ(projection.attribute_names().size(), 2U);
  base::Buffer out;
  projection.append(out,
                    *request.item(R"({"a":{"N":"1"},"b":{"M":{"c":{"N":"2"},"d":{"N":"3"}}}})"),
                    request.arena);
  EXPECT_EQ(out.view(), R"({"a":{"N":"1"},"b":{"M":{"c":{"N":"2"}}}})");
}

TEST(BindProjection, RefusesOverlapsAndConflicts) {
  const struct {
    std::string text, error;
  } cases[] = {
      {"a, a",
       "overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a]"},
      {"a.b[0],a.b[0]",
       "overlap with each other; must remove or rewrite one of these paths; path one: [a, b, [0]], "
       "path two: "
       "[a, b, [0]]"},
      {"a.b.d.e, a.b",
       "overlap with each other; must remove or rewrite one of these paths; path one: [a, b, d, "
       "e], path two: "
       "[a, b]"},
      {"a.b, a[1]",
       "conflict with each other; must remove or rewrite one of these paths; path one: [a, b], "
       "path two: "
       "[a, [1]]"},
  };
  for (const auto& each : cases) {
    Request request;
    EXPECT_EQ(error_of(bind_projection(each.text, *request.placeholders)),
              "Invalid ProjectionExpression: Two document paths " + each.error);
  }
  for (const char* text : {"a.b, a.c", "a[1], a[2]", "a.b, a.c[2]"}) {
    Request request;
    EXPECT_EQ(error_of(bind_projection(text, *request.placeholders)), "no error") << text;
  }
}

}  // namespace
}  // namespace stator::expr
