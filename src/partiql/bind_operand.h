#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "expr/bound.h"
#include "partiql/ast.h"
#include "partiql/literal.h"

// Operands of conditions: literals, paths and size(). Private to the binder of conditions.
namespace stator::partiql {

// A function that holds or not; size() alone has a value and is an operand.
struct ConditionFunction {
  std::string_view name;
  expr::ConditionKind kind;
  std::size_t operands;
};
// Null where there is none of the call's name.
[[nodiscard]] const ConditionFunction* find_condition_function(const Expr& call);

// The type that an operand has whatever the item holds.
[[nodiscard]] std::optional<item::Type> static_type(const expr::BoundOperand& operand);

// Errors of an operator or function, by its name.
[[nodiscard]] tl::unexpected<Error> wrong_count(std::string_view name, std::size_t count);
[[nodiscard]] tl::unexpected<Error> wrong_type(std::string_view name, item::Type type);
// Only strings, numbers and bytes have an order.
[[nodiscard]] Result<void> check_ordered(std::string_view name, std::span<const expr::BoundOperand> operands);

// Binds operands into the arena of the literals, which have to outlive it.
class OperandBinder {
 public:
  explicit OperandBinder(const LiteralReader& literals) : literals_(literals), arena_(literals.arena()) {}

  [[nodiscard]] Result<expr::BoundOperand> bind(const Expr& expr) const;
  [[nodiscard]] Result<std::span<const expr::BoundOperand>> bind_all(std::span<const Expr> exprs) const;
  // Where an expression stands in the statement, as errors say it.
  [[nodiscard]] std::string place(const Expr& expr) const;
  [[nodiscard]] tl::unexpected<Error> unexpected(const Expr& expr) const;

 private:
  [[nodiscard]] Result<expr::BoundOperand> bind_size(const Expr& call) const;

  const LiteralReader& literals_;
  base::Arena& arena_;
};

}  // namespace stator::partiql
