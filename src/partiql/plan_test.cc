#include "partiql/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "partiql/parser.h"

namespace stator::partiql {
namespace {

using item::Type;

// pk:S sk:N, with a global index on g:S, h:N that holds keys only.
engine::Table make_table() {
  engine::Table table;
  table.name = "t";
  table.key = {{{"pk", Type::string}}, {{"sk", Type::number}}};
  engine::Index index;
  index.id = 1;
  index.name = "ix";
  index.key = {{{"g", Type::string}}, {{"h", Type::number}}};
  index.projection = engine::ProjectionKind::keys_only;
  table.indexes.push_back(index);
  engine::finish_table(table);
  return table;
}

// The plan in a few words: "query 2 filtered", or the error.
std::string plan_of(std::string_view text, bool consistent = false) {
  base::Arena arena;
  const engine::Table table = make_table();
  const Result<Statement> statement = parse(text, arena);
  if (!statement) return statement.error().message;
  const Result<BoundStatement> bound = partiql::bind(*statement, {}, arena);
  if (!bound) return bound.error().message;
  if (bound->kind != StatementKind::select) {
    const Result<WritePlan> plan = plan_write(*bound, table, arena);
    if (!plan) return plan.error().message;
    return fmt::format("write {}{}", plan->key.size(), plan->condition ? " conditional" : "");
  }
  const Result<ReadPlan> plan = plan_read(*bound, table, consistent, arena);
  if (!plan) return plan.error().message;
  std::string words = plan->access == Access::get    ? "get"
                      : plan->access == Access::scan ? "scan"
                                                     : fmt::format("query {}", plan->parts.size());
  bool filtered = plan->filter.has_value();
  for (const ReadPart& part : plan->parts) {
    words += fmt::format(" {}", part.key.comparisons.size());
    filtered = filtered || part.filter;
  }
  if (filtered) words += " filtered";
  if (!plan->forward) words += " backward";
  return words;
}

TEST(Plan, ReadsAsFewItemsAsItCan) {
  const struct {
    std::string_view where;
    std::string_view plan;
  } cases[] = {
      {"pk = 'a' AND sk = 1", "get"},
      {"1 = sk AND 'a' = pk AND x = 2", "get filtered"},
      {"pk = 'a'", "query 1 1"},
      {"pk = 'a' AND sk > 1", "query 1 2"},
      {"pk = 'a' AND sk BETWEEN 1 AND 2", "query 1 2"},
      {"pk = 'a' AND sk > 1 AND sk < 5", "query 1 2 filtered"},
      {"pk = 'a' AND sk <> 1", "query 1 1 filtered"},
      {"pk IN ['a', 'b']", "query 2 1 1"},
      {"pk = 'a' OR pk = 'b'", "query 2 1 1"},
      {"(pk = 'a' AND sk = 1) OR (pk = 'b' AND sk = 2)", "query 2 2 2"},
      {"(pk = 'a' AND sk = 1) OR (pk = 'b' AND x = 2)", "query 2 2 1 filtered"},
      {"(pk = 'a' AND sk = 1) OR (pk = 'a' AND sk = 2)", "query 2 2 2"},
      {"pk = 'a' AND (sk = 1 OR sk > 5)", "query 2 2 2"},
      {"pk IN ['a', 'b'] AND sk IN [1, 2]", "query 4 2 2 2 2"},
      {"(pk = 'a' AND NOT sk = 1) OR (pk = 'a' AND sk = 2)", "query 1 1 filtered"},
      {"pk = 'a' AND (pk = 'b' OR x = 1)", "scan filtered"},
      {"pk = 'a' OR x = 1", "scan filtered"},
      {"sk = 1", "scan filtered"},
      {"pk > 'a'", "scan filtered"},
      {"NOT pk = 'a'", "scan filtered"},
      {"pk = 'a' ORDER BY sk DESC", "query 1 1 backward"},
      {"pk = 'a' ORDER BY sk", "query 1 1"},
      {"pk = 'a' ORDER BY pk", "query 1 1 backward"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(plan_of(fmt::format("SELECT * FROM t WHERE {}", each.where)), each.plan) << each.where;
  }
  EXPECT_EQ(plan_of("SELECT * FROM t"), "scan");
  EXPECT_EQ(plan_of("SELECT * FROM t.ix WHERE g = 'a' AND h = 1"), "query 1 2");
}

// The condition on the sort key that a statement reads by, and whether a filter is left.
std::string range_of(std::string_view conditions) {
  constexpr std::string_view kOperators[] = {"=", "<", "<=", ">", ">=", "between", "begins_with"};
  base::Arena arena;
  engine::Table table = make_table();
  const std::string text = fmt::format("SELECT * FROM t WHERE pk = 'a' AND {}", conditions);
  const Result<Statement> statement = parse(text, arena);
  if (!statement) return statement.error().message;
  const Result<BoundStatement> bound = partiql::bind(*statement, {}, arena);
  if (!bound) return bound.error().message;
  const Result<ReadPlan> plan = plan_read(*bound, table, false, arena);
  if (!plan) return plan.error().message;
  std::string words = "all";
  if (plan->parts.front().key.comparisons.size() > 1) {
    const expr::KeyComparison& range = plan->parts.front().key.comparisons[1];
    words = fmt::format("{} {}", kOperators[static_cast<std::size_t>(range.op)], range.low.text());
    if (range.op == expr::KeyOperator::between) words += fmt::format(" {}", range.high.text());
  }
  return words + (plan->parts.front().filter ? " filtered" : "");
}

TEST(Plan, ReadsTheRangeThatAllConditionsOnTheSortKeyLeave) {
  const struct {
    std::string_view conditions;
    std::string_view range;
  } cases[] = {
      {"sk >= 1 AND sk <= 5", "between 1 5"},
      {"sk <= 5 AND 1 <= sk", "between 1 5"},
      {"sk > 1 AND sk < 5", "between 1 5 filtered"},
      {"sk >= 1 AND sk < 5", "between 1 5 filtered"},
      {"sk > 1 AND sk > 3 AND sk >= 2", "> 3"},
      {"sk >= 3 AND sk > 3", "> 3"},
      {"sk <= 3 AND sk < 7", "<= 3"},
      {"sk BETWEEN 1 AND 9 AND sk >= 4", "between 4 9"},
      {"sk BETWEEN 1 AND 9 AND sk BETWEEN 5 AND 20", "between 5 9"},
      {"sk BETWEEN 1 AND 9 AND x = 1", "between 1 9 filtered"},
      {"sk >= 5 AND sk <= 1", ">= 5 filtered"},
      {"sk BETWEEN 5 AND 1", "all filtered"},
      {"sk >= 1 AND sk <> 3 AND sk <= 5", "between 1 5 filtered"},
      {"NOT sk >= 1", "all filtered"},
      {"(sk > 5 OR sk <= 5)", "<= 5"},
      {"sk IN [3, 2]", "= 2"},
      {"(sk >= 1 OR sk <= 5)", "Overlapping conditions with range keys are not supported in where clause"},
      {"sk >= 'a'", "Key attribute's data type should match its data type in table's schema: Key sk"},
  };
  for (const auto& each : cases) EXPECT_EQ(range_of(each.conditions), each.range) << each.conditions;
}

TEST(Plan, ReadsAPrefixBesideOtherConditions) {
  base::Arena arena;
  engine::Table table = make_table();
  table.key.sort.front().type = Type::string;
  const auto parts_of = [&](std::string_view conditions) {
    const std::string_view text =  // the plan refers to it
        arena.copy(std::string_view(fmt::format("SELECT * FROM t WHERE pk = 'a' AND {}", conditions)));
    const Result<Statement> statement = parse(text, arena);
    EXPECT_TRUE(statement.has_value());
    const Result<BoundStatement> bound = partiql::bind(*statement, {}, arena);
    EXPECT_TRUE(bound.has_value());
    const Result<ReadPlan> plan = plan_read(*bound, table, false, arena);
    EXPECT_TRUE(plan.has_value());
    EXPECT_TRUE(plan->parts.front().filter.has_value());
    return plan->parts.front().key.comparisons.back();
  };
  for (const std::string_view conditions : {"begins_with(sk, 'x') AND v = 1", "sk > 'w' AND begins_with(sk, 'x')"}) {
    const expr::KeyComparison range = parts_of(conditions);
    EXPECT_EQ(range.op, expr::KeyOperator::begins_with) << conditions;
    EXPECT_EQ(range.low.text(), "x");
  }
}

TEST(Plan, ReadsFiftyPartitionsAtMost) {
  std::string list = "'k0'";
  for (int i = 1; i < 50; ++i) list += fmt::format(", 'k{}'", i);
  EXPECT_TRUE(plan_of(fmt::format("SELECT * FROM t WHERE pk IN [{}]", list)).starts_with("query 50 "));
  EXPECT_EQ(plan_of(fmt::format("SELECT * FROM t WHERE pk IN [{}, 'k50']", list)),
            "Too many decomposed read operations for a given query.");
  std::string apart = "pk = 'a'";  // each doubles the branches
  for (int i = 0; i < 60; ++i) apart += " AND (sk = 1 OR sk = 2)";
  EXPECT_EQ(plan_of(fmt::format("SELECT * FROM t WHERE {}", apart)),
            "Too many decomposed read operations for a given query.");
  EXPECT_EQ(plan_of(fmt::format("SELECT * FROM t WHERE x IN [{}, 'k50']", list)), "scan filtered");
}

TEST(Plan, RefusesReadsWithTheServicesTexts) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"SELECT * FROM t.other WHERE g = 'a'", "The table does not have the specified index"},
      {"SELECT * FROM t WHERE pk = 1", "Key attribute's data type should match its data type in table's schema: Key pk"},
      {"SELECT * FROM t WHERE pk = 'a' ORDER BY x", "Attribute x in ORDER BY clause must be part of the primary key"},
      {"SELECT * FROM t WHERE x = 'a' ORDER BY sk",
       "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."},
      {"SELECT * FROM t WHERE pk IN ['a', 'b'] ORDER BY sk",
       "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."},
      {"SELECT * FROM t WHERE (pk = 'a' AND sk = 1) OR pk = 'a'",
       "Overlapping conditions with range keys are not supported in where clause"},
      {"SELECT * FROM t.ix WHERE g = 'a' AND x = 1",
       "One or more parameter values were invalid: Secondary index ix does not project one or more filter "
       "attributes: [x]"},
      {"SELECT * FROM t.ix WHERE (g = 'a' AND x = 1) OR (g = 'b' AND y = 1)",
       "One or more parameter values were invalid: Secondary index ix does not project one or more filter "
       "attributes: [y]"},
      {"SELECT * FROM t.ix WHERE (g = 'a' AND x = 1) OR (g = 'b' AND h = 1)", "query 2 1 2 filtered"},
      {"SELECT * FROM t WHERE pk = TRUE", "Key value must be of type S, N, or B. Key name: pk, Key type: BOOL"},
  };
  for (const auto& each : cases) EXPECT_EQ(plan_of(each.text), each.error) << each.text;
  EXPECT_EQ(plan_of("SELECT * FROM t.ix WHERE g = 'a'", true),
            "Strongly consistent read is not supported on Global Secondary Indexes");
}

TEST(Plan, WritesNeedTheWholeKey) {
  EXPECT_EQ(plan_of("INSERT INTO t VALUE {'pk': 'a', 'sk': 1}"), "write 0 conditional");
  EXPECT_EQ(plan_of("UPDATE t SET a = 1 WHERE pk = 'a' AND sk = 1"), "write 2 conditional");
  EXPECT_EQ(plan_of("DELETE FROM t WHERE pk = 'a' AND sk = 1"), "write 2");
  EXPECT_EQ(plan_of("DELETE FROM t WHERE pk = 'a' AND sk = 1 AND x = 1"), "write 2 conditional");
  for (const std::string_view text :
       {"UPDATE t SET a = 1", "UPDATE t SET a = 1 WHERE pk = 'a'", "DELETE FROM t WHERE pk = 'a' AND sk > 1"}) {
    EXPECT_EQ(plan_of(text), "Where clause does not contain a mandatory equality on all key attributes") << text;
  }
}

}  // namespace
}  // namespace stator::partiql
