#include "partiql/parser.h"

#include <gtest/gtest.h>

namespace stator::partiql {
namespace {

std::string error_of(std::string_view text) {
  base::Arena arena;
  const Result<Statement> statement = parse(text, arena);
  return statement ? "" : statement.error().message;
}

TEST(Parse, ReadsASelect) {
  base::Arena arena;
  const Result<Statement> statement = parse(
      R"(select a.b[1], "c d" from "my-table"."ix" where pk = 'it''s' and n >= -1.5e2 order by sk desc, pk asc;)", arena);
  ASSERT_TRUE(statement.has_value()) << statement.error().message;
  EXPECT_EQ(statement->kind, StatementKind::select);
  EXPECT_EQ(statement->source, (std::vector<std::string_view>{"my-table", "ix"}));
  ASSERT_EQ(statement->projection.size(), 2U);
  ASSERT_EQ(statement->projection[0].path.size(), 3U);
  EXPECT_EQ(statement->projection[0].path[2].index, 1U);
  EXPECT_EQ(statement->projection[1].path[0].name, "c d");
  ASSERT_EQ(statement->where->kind, ExprKind::logical_and);
  EXPECT_EQ(statement->where->children[0].children[1].text, "it's");
  EXPECT_TRUE(statement->where->children[1].children[1].flag) << "the number is negative";
  ASSERT_EQ(statement->order.size(), 2U);
  EXPECT_TRUE(statement->order[0].descending);
  EXPECT_FALSE(statement->order[1].descending);
}

TEST(Parse, ReadsWrites) {
  base::Arena arena;
  const auto insert = parse("INSERT INTO t VALUE {'a': ?, 'b': [1, <<'x'>>], 'c': {'d': null}}", arena);
  ASSERT_TRUE(insert.has_value()) << insert.error().message;
  EXPECT_EQ(insert->value->children.size(), 6U);
  EXPECT_EQ(insert->parameters, 1U);

  const auto update =
      parse("UPDATE t SET a = a + 1, b = ? SET c = list_append(c, [1]) REMOVE d, e.f WHERE pk = ? RETURNING MODIFIED NEW *",
            arena);
  ASSERT_TRUE(update.has_value()) << update.error().message;
  EXPECT_EQ(update->sets.size(), 3U);
  EXPECT_EQ(update->removes.size(), 2U);
  EXPECT_EQ(update->returning, Returning::modified_new);

  const auto from = parse("FROM t WHERE pk = 'a' REMOVE d RETURNING ALL OLD *", arena);
  ASSERT_TRUE(from.has_value()) << from.error().message;
  EXPECT_EQ(from->kind, StatementKind::update);
  EXPECT_EQ(from->returning, Returning::all_old);

  const auto exists = parse("EXISTS(SELECT * FROM t WHERE pk = 'a' AND b = 1)", arena);
  ASSERT_TRUE(exists.has_value()) << exists.error().message;
  EXPECT_EQ(exists->kind, StatementKind::exists);
}

TEST(Parse, SkipsComments) { EXPECT_EQ(error_of("SELECT * /* all */ FROM t -- of it\nWHERE a = 1"), ""); }

TEST(Parse, RefusesWhatIsNotWellFormed) {
  const std::string prefix = "Statement wasn't well formed, can't be processed: ";
  const struct {
    std::string_view text;
    std::string_view problem;
  } cases[] = {
      {"DROP TABLE t", "Expected data manipulation"},
      {"", "Expected data manipulation"},
      {"SELECT * FROM t WHERE", "Unexpected term"},
      {"SELECT * FROM t WHERE NOT", "Unexpected term"},
      {"SELECT * FROM t WHERE (", "Unexpected term"},
      {"SELECT * FROM", "Unexpected term"},
      {"SELECT * FROM t WHERE pk =", "Missing right-hand side expression of infix operator"},
      {"SELECT * FROM t WHERE ORDER BY pk", "Unexpected keyword"},
      {"SELECT * FROM t WHERE a IS FOO", "Expected type name"},
      {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
      {"SELECT * FROM t WHERE a = LIKE", "Unexpected operator"},
      {"SELECT * FROM t WHERE a = 1)", "Unexpected token after expression"},
      {"SELECT * FROM t ORDER BY a WHERE a = 1", "Unexpected token after expression"},
      {"SELECT a.order FROM t", "Invalid path dot component"},
      {"DELETE FROM", "Expected identifier for simple path"},
      {"DELETE FROM t WHERE a = 1 ORDER BY a", "Unexpected token after expression"},
      {"FROM t SET a = 1 WHERE pk = 'a'", "Unexpected token after expression"},
      {"INSERT INTO t AS x VALUE {'a': 1}", "Unexpected token after expression"},
      {"SELECT * FROM t WHERE a = 'x", ""},
      {"SELECT * FROM t /* no end", ""},
      {"SELECT * FROM t WHERE a = 1e99999999999", ""},
      {"SELECT * FROM t WHERE a # 1", ""},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(error_of(each.text), prefix + std::string(each.problem)) << each.text;
  }
}

TEST(Parse, RefusesWhatIsNotSupported) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"SELECT * FROM t AS x", "Aliasing is not supported"},
      {"SELECT a b FROM t", "Aliasing is not supported"},
      {"SELECT * FROM t LIMIT 1", "Unsupported clause: LIMIT"},
      {R"(SELECT "" FROM t)", "Path component cannot be an empty string"},
      {"DELETE FROM t WHERE pk = 'a' RETURNING MODIFIED OLD *",
       "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."},
  };
  for (const auto& each : cases) EXPECT_EQ(error_of(each.text), each.error) << each.text;
}

TEST(Parse, RefusesDeepNestingWithoutHarm) {
  for (const std::string_view open : {"(", "[", "NOT ", "{'a':", "<<", "size("}) {
    std::string text = "SELECT * FROM t WHERE ";
    while (text.size() < 8000) text += open;
    EXPECT_NE(error_of(text), "") << open;
  }
}

}  // namespace
}  // namespace stator::partiql
