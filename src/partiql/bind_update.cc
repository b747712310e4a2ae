// SET and REMOVE clauses of an UPDATE.

#include <fmt/format.h>

#include <vector>

#include "partiql/bind.h"
#include "partiql/lexer.h"

namespace stator::partiql {
namespace {

class UpdateBinder {
 public:
  explicit UpdateBinder(const LiteralReader& literals) : literals_(literals) {}

  [[nodiscard]] Result<expr::BoundAction> set(const SetClause& clause) const;
  [[nodiscard]] expr::BoundAction remove(const Expr& target) const {
    expr::BoundAction action;
    action.kind = expr::UpdateKind::remove;
    action.path = bind_path(target, literals_.arena());
    return action;
  }

 private:
  [[nodiscard]] Result<expr::BoundValue> value(const Expr& expr) const;
  [[nodiscard]] Result<expr::BoundValue> pair(expr::ValueKind kind, const Expr& expr) const;
  [[nodiscard]] Result<expr::BoundAction> set_function(const SetClause& clause, bool adds) const;
  [[nodiscard]] std::string place(const Expr& expr) const {
    return place_text(literals_.statement(), expr.position, expr.length);
  }

  const LiteralReader& literals_;
};

Result<expr::BoundValue> UpdateBinder::pair(expr::ValueKind kind, const Expr& expr) const {
  expr::BoundValue bound;
  bound.kind = kind;
  const auto operands = expr::make_array<expr::BoundValue>(literals_.arena(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    TRY(operands[i], value(expr.children[i]));
    const bool sum = kind == expr::ValueKind::plus || kind == expr::ValueKind::minus;
    if (!sum || operands[i].kind != expr::ValueKind::value || operands[i].value.is(item::Type::number)) continue;
    return invalid(fmt::format(
        "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
        kind == expr::ValueKind::plus ? "+" : "-", item::type_name(operands[i].value.type())));
  }
  bound.operands = operands;
  return bound;
}

Result<expr::BoundValue> UpdateBinder::value(const Expr& expr) const {
  expr::BoundValue bound;
  if (LiteralReader::is_literal(expr)) {
    TRY(bound.value, literals_.read(expr));
    return bound;
  }
  switch (expr.kind) {
    case ExprKind::path:
      bound.kind = expr::ValueKind::path;
      bound.path = bind_path(expr, literals_.arena());
      return bound;
    case ExprKind::plus:
      return pair(expr::ValueKind::plus, expr);
    case ExprKind::minus:
      return pair(expr::ValueKind::minus, expr);
    case ExprKind::call:
      break;
    default:
      return invalid(fmt::format("Unexpected expression in the SET clause at {}", place(expr)));
  }
  if (!same_word(expr.text, "list_append")) {
    return invalid(fmt::format("Unrecognized function: {} at {}", expr.text, place(expr)));
  }
  if (expr.children.size() != 2) {
    return invalid(
        fmt::format("Incorrect number of operands for operator or function; operator or function: list_append, "
                    "number of operands: {}",
                    expr.children.size()));
  }
  return pair(expr::ValueKind::list_append, expr);
}

// set_add and set_delete work on the very attribute that is assigned.
Result<expr::BoundAction> UpdateBinder::set_function(const SetClause& clause, bool adds) const {
  const Expr& call = clause.value;
  const std::string_view name = adds ? "SET_ADD" : "SET_DELETE";
  if (call.children.size() != 2) {
    return invalid(fmt::format("{} must have exactly two arguments at {}", name, place(call)));
  }
  expr::BoundAction action;
  action.kind = adds ? expr::UpdateKind::add : expr::UpdateKind::erase;
  action.path = bind_path(clause.target, literals_.arena());
  const Expr& first = call.children[0];
  if (first.kind != ExprKind::path || !expr::same_path(bind_path(first, literals_.arena()), action.path)) {
    return invalid(fmt::format("The first argument to {} must equal the assignment value at {}", name, place(call)));
  }
  const Expr& second = call.children[1];
  if (LiteralReader::is_literal(second)) {
    TRY(action.value.value, literals_.read(second));
  }
  if (!item::is_set(action.value.value.type())) {
    return invalid(
        fmt::format("The second argument to {} must be a value with type SET at {}", name, place(first)));
  }
  return action;
}

Result<expr::BoundAction> UpdateBinder::set(const SetClause& clause) const {
  if (clause.value.kind == ExprKind::call) {
    for (const bool adds : {true, false}) {
      if (same_word(clause.value.text, adds ? "set_add" : "set_delete")) return set_function(clause, adds);
    }
  }
  expr::BoundAction action;
  action.path = bind_path(clause.target, literals_.arena());
  TRY(action.value, value(clause.value));
  return action;
}

}  // namespace

Result<expr::Update> bind_changes(const Statement& statement, const LiteralReader& literals) {
  const UpdateBinder binder(literals);
  base::Arena& arena = literals.arena();
  const auto actions =
      expr::make_array<expr::BoundAction>(arena, statement.sets.size() + statement.removes.size());
  std::vector<expr::Path> paths;
  std::size_t count = 0;
  for (const SetClause& clause : statement.sets) {
    TRY(actions[count++], binder.set(clause));
  }
  for (const Expr& target : statement.removes) actions[count++] = binder.remove(target);
  for (const expr::BoundAction& action : actions) paths.push_back(action.path);
  if (const std::string problem = expr::overlap_problem(paths); !problem.empty()) {
    return invalid("Invalid UpdateExpression: " + problem);
  }
  auto* update = arena.make<expr::BoundUpdate>();
  update->actions = actions;
  return expr::Update::from_bound(update, arena);
}

}  // namespace stator::partiql
