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
  for (const expr::KeyCondition& part : plan->parts) words += fmt::format(" {}", part.comparisons.size());
  if (plan->filter) words += " filtered";
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
      {"pk IN ['a', 'b', 'a']", "query 2 1 1"},
      {"pk = 'a' OR pk = 'b'", "query 2 1 1 filtered"},
      {"(pk = 'a' AND sk = 1) OR (pk = 'b' AND sk = 2)", "query 2 2 2 filtered"},
      {"pk = 'a' OR x = 1", "scan filtered"},
      {"sk = 1", "scan filtered"},
      {"pk > 'a'", "scan filtered"},
      {"NOT pk = 'a'", "scan filtered"},
      {"pk = 'a' ORDER BY sk DESC", "query 1 1 backward"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(plan_of(fmt::format("SELECT * FROM t WHERE {}", each.where)), each.plan) << each.where;
  }
  EXPECT_EQ(plan_of("SELECT * FROM t"), "scan");
  EXPECT_EQ(plan_of("SELECT * FROM t.ix WHERE g = 'a' AND h = 1"), "query 1 2");
}

TEST(Plan, RefusesReadsWithTheServicesTexts) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"SELECT * FROM t.no WHERE g = 'a'", "The table does not have the specified index"},
      {"SELECT * FROM t WHERE pk = 1", "Key attribute's data type should match its data type in table's schema"},
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
