#include "partiql/bind_operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "partiql/bind.h"
#include "partiql/lexer.h"

namespace stator::partiql {
namespace {

using expr::BoundOperand;
using expr::ConditionKind;
using expr::OperandKind;

constexpr ConditionFunction kFunctions[] = {{"attribute_exists", ConditionKind::attribute_exists, 1},
                                            {"attribute_not_exists", ConditionKind::attribute_not_exists, 1},
                                            {"attribute_type", ConditionKind::attribute_type, 2},
                                            {"begins_with", ConditionKind::begins_with, 2},
                                            {"contains", ConditionKind::contains, 2}};

}  // namespace

const ConditionFunction* find_condition_function(const Expr& call) {
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const ConditionFunction& each) { return same_word(call.text, each.name); });
  return found != std::end(kFunctions) ? found : nullptr;
}

std::optional<item::Type> static_type(const BoundOperand& operand) {
  if (operand.kind == OperandKind::value) return operand.value.type();
  if (operand.kind == OperandKind::size) return item::Type::number;
  return std::nullopt;
}

tl::unexpected<Error> wrong_count(std::string_view name, std::size_t count) {
  return invalid(fmt::format(
      "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}", name,
      count));
}

tl::unexpected<Error> wrong_type(std::string_view name, item::Type type) {
  return invalid(
      fmt::format("Incorrect operand type for operator or function; operator or function: {}, operand type: {}", name,
                  item::type_name(type)));
}

Result<void> check_ordered(std::string_view name, std::span<const BoundOperand> operands) {
  for (const BoundOperand& operand : operands) {
    const auto type = static_type(operand);
    if (type && *type > item::Type::binary) return wrong_type(name, *type);
  }
  return {};
}

std::string OperandBinder::place(const Expr& expr) const {
  return place_text(literals_.statement(), expr.position, expr.length);
}

tl::unexpected<Error> OperandBinder::unexpected(const Expr& expr) const {
  return invalid(fmt::format("Unexpected path component at {}", place(expr)));
}

Result<BoundOperand> OperandBinder::bind(const Expr& expr) const {
  BoundOperand bound;
  if (LiteralReader::is_literal(expr)) {
    TRY(const item::Value value, literals_.read(expr));
    bound.value = item::sorted(value, arena_);  // it is only compared
    return bound;
  }
  if (expr.kind == ExprKind::path) {
    bound.kind = OperandKind::path;
    bound.path = bind_path(expr, arena_);
    return bound;
  }
  if (expr.kind != ExprKind::call) return unexpected(expr);
  if (same_word(expr.text, "size")) return bind_size(expr);
  if (find_condition_function(expr) != nullptr) return unexpected(expr);
  return invalid(fmt::format("Unrecognized function: {} at {}", expr.text, place(expr)));
}

Result<BoundOperand> OperandBinder::bind_size(const Expr& call) const {
  if (call.children.size() != 1) return wrong_count("size", call.children.size());
  TRY(const BoundOperand inner, bind(call.children.front()));
  const auto type = static_type(inner);
  if (type == item::Type::number || type == item::Type::boolean || type == item::Type::null) {
    return wrong_type("size", *type);
  }
  BoundOperand bound;
  bound.kind = OperandKind::size;
  bound.inner = arena_.make<BoundOperand>(inner);
  return bound;
}

Result<std::span<const BoundOperand>> OperandBinder::bind_all(std::span<const Expr> exprs) const {
  const auto bound = expr::make_array<BoundOperand>(arena_, exprs.size());
  for (std::size_t i = 0; i < bound.size(); ++i) {
    TRY(bound[i], bind(exprs[i]));
  }
  return std::span<const BoundOperand>(bound);
}

}  // namespace stator::partiql
