#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "expr/bound.h"
#include "expr/expression.h"
#include "item/value.h"
#include "partiql/ast.h"
#include "partiql/literal.h"

namespace stator::partiql {

struct OrderKey {
  std::string_view name;
  bool descending = false;
};

// A statement with its parameters in place, in the terms of expr/. It lives in the arena and knows no table yet.
struct BoundStatement {
  StatementKind kind = StatementKind::select;
  std::string_view table_name;
  std::optional<std::string_view> index_name;
  std::optional<expr::Projection> projection;  // nothing: *
  std::optional<Error> projection_fault;       // what is wrong with the columns of an index
  const expr::BoundNode* where = nullptr;
  std::span<const OrderKey> order;
  item::Attributes item;              // of INSERT
  std::optional<expr::Update> update;  // of UPDATE
  Returning returning = Returning::none;
};

// What can be known without a table: literals, numbers of parameters, functions and the types of their operands. More
// parameters than the statement has are fine.
[[nodiscard]] Result<BoundStatement> bind(const Statement& statement, std::span<const item::Value> parameters,
                                          base::Arena& arena);

// Parts of it, each in a file of its own.
[[nodiscard]] Result<const expr::BoundNode*> bind_where(const Expr& where, const LiteralReader& literals);
[[nodiscard]] Result<expr::Update> bind_changes(const Statement& statement, const LiteralReader& literals);
[[nodiscard]] expr::Path bind_path(const Expr& path, base::Arena& arena);

}  // namespace stator::partiql
