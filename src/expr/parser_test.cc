#include "expr/parser.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "expr/cache.h"
#include "expr/print.h"
#include "expr/test_support.h"

namespace stator::expr {
namespace {

using testing::error_of;

struct ParserCase {
  std::string text;
  std::string error;  // behind "Invalid ...Expression: "
};

TEST(ParseCondition, ReportsSyntaxErrorsWithTokenAndSurroundings) {
  const ParserCase cases[] = {
      {"a =", R"(token: "<EOF>", near: "=")"},
      {"a = = :v", R"(token: "=", near: "= = :v")"},
      {"things are not gonna be ok", R"(token: "are", near: "things are not")"},
      {"a > 4", R"(token: "4", near: "> 4")"},
      {"attribute_exists(Pictures-RearView)", R"(token: "-", near: "Pictures-RearView")"},
      {"attribute_exists(Pictures..RearView)", R"(token: ".", near: "..RearView")"},
      {"attribute_exists(asdf[a])", R"(token: "a", near: "[a]")"},
      {"#list[-1].b = :v", R"(token: "-", near: "[-1")"},
      {"([1] = :v)", R"(token: "[", near: "([1")"},
      {"attribute_type()", R"xx(token: ")", near: "()")xx"},
      {"a in b, c", R"(token: "b", near: "in b,")"},
      {"a in (b,c,)", R"xx(token: ")", near: ",)")xx"},
      {"a IN ()", R"xx(token: ")", near: "()")xx"},
      {"a > between", R"(token: "between", near: "> between")"},
      {"(a)between(b.c.d)and((c)", R"xx(token: "<EOF>", near: ")")xx"},
      {"size(a).b > a", R"xx(token: ".", near: ").b")xx"},
      {"(size(a))[0] > a", R"xx(token: "[", near: ")[0")xx"},
      {"a > :things.stuff", R"(token: ".", near: ":things.stuff")"},
      {"_c = :v", R"(token: "_", near: "_c")"},
      {"\xc3\xbc > a", "token: \"\xc3\xbc\", near: \"\xc3\xbc >\""},
      {"a", R"(token: "<EOF>", near: "a")"},
      {"(a) AND b = c", R"xx(token: "AND", near: ") AND b")xx"},
      {"NOT a", R"(token: "<EOF>", near: "a")"},
      {"a = b c", R"(token: "c", near: "b c")"},
      {"!!", R"(token: "!", near: "!!")"},
  };
  for (const ParserCase& each : cases) {
    EXPECT_EQ(error_of(parse_condition(each.text, Parameter::condition)),
              "Invalid ConditionExpression: Syntax error; " + each.error)
        << each.text;
  }
}

TEST(ParseCondition, ReportsWhatNeedsNoPlaceholders) {
  const ParserCase cases[] = {
      {"", "The expression can not be empty;"},
      {"a=a and a > ((views))", "The expression has redundant parentheses;"},
      {"(a)between(((b.c)).d)and(c)", "The expression has redundant parentheses;"},
      {"a > whatever((:things), ((a)))", "The expression has redundant parentheses;"},
      {"a=a AND ((a=a AND (a=a AND a=a)))", "The expression has redundant parentheses;"},
      {"((a=a)) AND )", "The expression has redundant parentheses;"},
      {"a=a and whatever((:things)) > a", "Invalid function name; function: whatever"},
      {"attRIbute_exIsts((views), #a)", "Invalid function name; function: attRIbute_exIsts"},
      {"a=a and attribute_exists((views), (#a)) > b",
       "The function is not allowed to be used this way in an expression; function: "
       "attribute_exists"},
      {"size(contains(a, b)) > a",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"size(things)",
       "The function is not allowed to be used this way in an expression; function: size"},
      {"a in (b, attribute_exists(things))",
       "The function is not allowed to be used this way in an expression; function: "
       "attribute_exists"},
      {"if_not_exists(a, b) = :v",
       "The function is not allowed in a condition expression; function: if_not_exists"},
      {"attribute_exists(views, #a)",
       "Attribute name is a reserved keyword; reserved keyword: views"},
      {":a < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"m.COMMENT = :v", "Attribute name is a reserved keyword; reserved keyword: COMMENT"},
      {"a[2147483648] = :v", "List index is not within the allowable range; index: [2147483648]"},
      {"a[99999999999999999999] = :v",
       "List index is not within the allowable range; index: [99999999999999999999]"},
  };
  for (const ParserCase& each : cases) {
    EXPECT_EQ(error_of(parse_condition(each.text, Parameter::filter)),
              "Invalid FilterExpression: " + each.error)
        << each.text;
  }
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

TEST(ParseCondition, LimitsBytesOperatorsAndDepth) {
  EXPECT_EQ(
      error_of(parse_condition(fmt::format("a = {}b", repeat(" ", 4087)), Parameter::condition)),
      "no error");
  const std::string long_text = repeat("(", 15000);
  EXPECT_EQ(error_of(parse_condition(long_text, Parameter::condition)),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; "
            "expression "
            "size: 15000");
  const auto nested = [](std::size_t depth) {
    return fmt::format("a<b {}{}", repeat("or (a<b ", depth), repeat(")", depth));
  };
  const std::string too_many =
      "Invalid ConditionExpression: The expression contains too many operators; operator count: "
      "301";
  EXPECT_EQ(error_of(parse_condition(nested(149), Parameter::condition)), "no error");
  EXPECT_EQ(error_of(parse_condition(nested(150), Parameter::condition)), too_many);
  EXPECT_EQ(error_of(parse_condition(nested(454), Parameter::condition)), too_many);
  EXPECT_EQ(error_of(parse_condition(repeat("not ", 1000) + "a<b", Parameter::condition)),
            too_many);
  EXPECT_EQ(error_of(parse_condition(repeat("(", 2046) + "a<b" + repeat(")", 2046),
                                     Parameter::condition)),
            "Invalid ConditionExpression: The expression has redundant parentheses;");
  EXPECT_EQ(error_of(parse_condition(repeat("(", 4096), Parameter::condition)),
            R"(Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "(")");
  EXPECT_EQ(
      error_of(parse_condition(fmt::format("a < {}b{}", repeat("f(", 1355), repeat(")", 1355)),
                               Parameter::condition)),
      "Invalid ConditionExpression: Invalid function name; function: f");
  EXPECT_EQ(error_of(parse_projection(fmt::format("a{}", repeat(".b", 31)))), "no error");
  EXPECT_EQ(error_of(parse_projection(fmt::format("a{}", repeat(".b", 32)))),
            "Invalid ProjectionExpression: The document path has too many nesting levels; nesting "
            "levels: 33");
}

TEST(ParseUpdate, ReportsSyntaxErrors) {
  const ParserCase cases[] = {
      {"INVALID SYNTAX HERE", R"(token: "INVALID", near: "INVALID SYNTAX")"},
      {"ADD numx", R"(token: "<EOF>", near: "numx")"},
      {"ADD numx 1", R"(token: "1", near: "numx 1")"},
      {"DELETE setx a", R"(token: "a", near: "setx a")"},
      {"ADD hits : incr", R"(token: ":", near: "hits : incr")"},
      {"SET note = :v +", R"(token: "<EOF>", near: "+")"},
      {"SET numx = numx * :v", R"(token: "*", near: "numx * :v")"},
      {"SET #list[0.#comment = :value", R"(token: ".", near: "0.#comment")"},
      {"SET _123 = :v", R"(token: "_", near: "SET _123")"},
      {"set a=set", R"(token: "set", near: "=set")"},
      {"set :a = b", R"(token: ":a", near: "set :a =")"},
      {"set a = b + c + d", R"(token: "+", near: "c + d")"},
      {"set a = (b.c).d + e", R"xx(token: ".", near: ").d")xx"},
      {"remove a b", R"(token: "b", near: "a b")"},
      {"set (a = (b + c))", R"xx(token: "(", near: "set (a")xx"},
  };
  for (const ParserCase& each : cases) {
    EXPECT_EQ(error_of(parse_update(each.text)),
              "Invalid UpdateExpression: Syntax error; " + each.error)
        << each.text;
  }
}

TEST(ParseUpdate, ReportsReservedWordsThenFunctionsThenRepeatedSections) {
  const ParserCase cases[] = {
      {" set #c = :c set abOrt = true ",
       "Attribute name is a reserved keyword; reserved keyword: abOrt"},
      {"set #c = if_not_exist(:c) set c = d", "Invalid function name; function: if_not_exist"},
      {"SET a = LIST_APPEND(:a, :b)", "Invalid function name; function: LIST_APPEND"},
      {"SET r = contains(s, :n)",
       "The function is not allowed in an update expression; function: contains"},
      {"SET r = size(s)", "The function is not allowed in an update expression; function: size"},
      {"SET r = list_append(list_append(l, :a), :b)",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = #c set c = :d",
       R"(The "SET" section can only be used once in an update expression;)"},
      {"remove #d set a = b remove e",
       R"(The "REMOVE" section can only be used once in an update expression;)"},
      {"add #d :e set a = b add e :f",
       R"(The "ADD" section can only be used once in an update expression;)"},
      {"delete #d :e set a = b delete #e :f",
       R"(The "DELETE" section can only be used once in an update expression;)"},
      {"set a = ((b + c))", "The expression has redundant parentheses;"},
  };
  for (const ParserCase& each : cases) {
    EXPECT_EQ(error_of(parse_update(each.text)), "Invalid UpdateExpression: " + each.error)
        << each.text;
  }
}

TEST(ParseProjection, TakesTheWordsOfOtherGrammarsForNames) {
  EXPECT_EQ(
      error_of(parse_projection("ADD")),
      "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: ADD");
  EXPECT_EQ(error_of(parse_projection("#list[].#comment")),
            R"(Invalid ProjectionExpression: Syntax error; token: "]", near: "[].")");
  EXPECT_EQ(error_of(parse_projection("a,")),
            R"(Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ",")");
}

TEST(Print, GivesTextOfTheSameTree) {
  const char* const conditions[] = {
      "a = :v",
      "(a<b OR b<a) AND (b<c AND (a<b OR b<c))",
      "NOT (a = b AND NOT c = d) OR e.f[3].#g IN (:a, b, size(c))",
      "(size(a)) >= b",
      "a between (b) and (:c) AND begins_with(x, :p)",
      "not not contains(a, b)",
  };
  for (const char* text : conditions) {
    const auto first = parse_condition(text, Parameter::condition);
    ASSERT_TRUE(first.has_value()) << error_of(first);
    const std::string printed = print((*first)->root);
    const auto second = parse_condition(printed, Parameter::condition);
    ASSERT_TRUE(second.has_value()) << printed << ": " << error_of(second);
    EXPECT_EQ((*first)->root, (*second)->root) << printed;
  }
  const auto update = parse_update(
      "set a = (b + c), d[1].#e = list_append(if_not_exists(f, :g), h) "
      "remove i, j add k :l delete m.n :o");
  ASSERT_TRUE(update.has_value()) << error_of(update);
  const std::string printed = print((*update)->actions);
  EXPECT_EQ(printed,
            "SET a = b + c, d[1].#e = list_append(if_not_exists(f, :g), h) REMOVE i, j ADD k :l "
            "DELETE m.n :o");
  const auto again = parse_update(printed);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ((*update)->actions, (*again)->actions);
}

TEST(ParseCache, KeepsTreesAndStaysBounded) {
  const auto first = cached_condition("cached = :v", Parameter::condition);
  const auto second = cached_condition("cached = :v", Parameter::condition);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->get(), second->get());
  const auto other = cached_condition("cached = :v", Parameter::filter);
  EXPECT_NE(first->get(), other->get());
  for (std::size_t i = 0; i < kCacheEntriesMax + 10; ++i) {
    ASSERT_TRUE(cached_condition(fmt::format("a{} = :v", i), Parameter::condition));
  }
  EXPECT_EQ(cache_entries(), kCacheEntriesMax);
  for (std::size_t i = 0; i < 200; ++i) {
    const std::string text = fmt::format("a{} = {}:v", i, repeat(" ", 4000));
    ASSERT_TRUE(cached_condition(text, Parameter::condition));
  }
  EXPECT_LE(cache_text_bytes(), kCacheTextBytesMax);
  EXPECT_GE(cache_text_bytes(), kCacheTextBytesMax - 4100);
  EXPECT_EQ((*first)->root.children.front().path.front().text,
            "cached");  // kept alive by its holder
}

}  // namespace
}  // namespace stator::expr
