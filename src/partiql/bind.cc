#include "partiql/bind.h"

#include <fmt/format.h>

#include "engine/table.h"
#include "partiql/lexer.h"

namespace stator::partiql {
namespace {

// A projected path comes back under its last name, with the indexes behind it: b of a.b, tags[1] of tags[1].
std::string_view label_of(expr::Path path, base::Arena& arena) {
  std::size_t first = path.size() - 1;
  while (path[first].is_index) --first;  // a path begins with a name
  std::string label(path[first].name);
  for (const expr::PathStep& step : path.subspan(first + 1)) label += fmt::format("[{}]", step.index);
  return arena.copy(std::string_view(label));
}

Result<expr::Projection> bind_projection(const Statement& statement, base::Arena& arena) {
  const auto paths = expr::make_array<expr::Path>(arena, statement.projection.size());
  const auto labels = expr::make_array<std::string_view>(arena, paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Expr& column = statement.projection[i];
    if (column.kind != ExprKind::path) {
      return invalid(fmt::format("Unexpected path component at {}",
                                 place_text(statement.text, column.position, column.length)));
    }
    paths[i] = bind_path(column, arena);
    labels[i] = label_of(paths[i], arena);
    for (const std::string_view other : labels.first(i)) {
      if (other == labels[i]) return invalid(fmt::format("Duplicate identifiers in select clause: {}", other));
    }
  }
  return expr::Projection::labelled(paths, labels, arena);
}

Result<item::Attributes> bind_item(const Statement& statement, const LiteralReader& literals) {
  TRY(const item::Value value, literals.read(*statement.value, ""));
  if (!value.is(item::Type::map)) {
    return invalid(fmt::format("Unexpected value at {}: the value of an INSERT must be a tuple",
                               place_text(statement.text, statement.value->position, statement.value->length)));
  }
  for (const item::Attribute& attribute : value.attributes()) {
    if (attribute.name.empty()) return invalid("Empty attribute name");
  }
  if (nesting_levels(value) > engine::kNestingLevelsMax) return invalid(std::string(engine::kNestedTooDeep));
  return value.attributes();
}

Result<std::span<const OrderKey>> bind_order(const Statement& statement, base::Arena& arena) {
  const auto keys = expr::make_array<OrderKey>(arena, statement.order.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Expr& target = statement.order[i].target;
    if (target.kind != ExprKind::path || target.path.size() != 1) {
      return invalid(fmt::format("Unexpected path component at {}",
                                 place_text(statement.text, target.position, target.length)));
    }
    keys[i] = {target.path.front().name, statement.order[i].descending};
  }
  if (!keys.empty() && !statement.where) {
    return invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  return std::span<const OrderKey>(keys);
}

Result<void> check_source(const Statement& statement) {
  const std::size_t parts = statement.source.size();
  if (statement.kind == StatementKind::insert && parts > 1) {
    return invalid("FROM clause may only contain a single table name");
  }
  if (parts > 2) return invalid("A path may contain at most 2 components in the FROM clause");
  const bool writes = statement.kind == StatementKind::update || statement.kind == StatementKind::remove;
  if (writes && parts > 1) return invalid("This operation is not supported on an index");
  return {};
}

}  // namespace

expr::Path bind_path(const Expr& path, base::Arena& arena) {
  return arena.copy(std::span<const expr::PathStep>(path.path));
}

Result<BoundStatement> bind(const Statement& statement, std::span<const item::Value> parameters,
                            base::Arena& arena) {
  TRY_VOID(check_source(statement));
  if (parameters.size() < statement.parameters) {
    return invalid("Number of parameters in request and statement don't match.");
  }
  const LiteralReader literals(statement.text, parameters, arena);
  BoundStatement bound;
  bound.kind = statement.kind;
  bound.table_name = statement.source.front();
  if (statement.source.size() > 1) bound.index_name = statement.source[1];
  bound.returning = statement.returning;
  if (!statement.projection.empty()) {
    Result<expr::Projection> projection = bind_projection(statement, arena);
    // Whether an index can be read at all comes before what is read of it.
    if (!projection && bound.index_name) {
      bound.projection_fault = projection.error();
    } else {
      TRY(bound.projection, std::move(projection));
    }
  }
  if (statement.value) {
    TRY(bound.item, bind_item(statement, literals));
  }
  if (statement.kind == StatementKind::update) {
    TRY(bound.update, bind_changes(statement, literals));
  }
  if (statement.where) {
    TRY(bound.where, bind_where(*statement.where, literals));
  }
  TRY(bound.order, bind_order(statement, arena));
  return bound;
}

}  // namespace stator::partiql
