// WHERE clauses: the same conditions as those of expressions, in another syntax.

#include <fmt/format.h>

#include <algorithm>

#include "partiql/bind.h"
#include "partiql/lexer.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::BoundOperand;
using expr::ConditionKind;
using expr::OperandKind;

constexpr std::size_t kInOperandsMax = 100;

struct FunctionName {
  std::string_view name;
  ConditionKind kind;
  std::size_t operands;
};
constexpr FunctionName kFunctions[] = {{"attribute_exists", ConditionKind::attribute_exists, 1},
                                       {"attribute_not_exists", ConditionKind::attribute_not_exists, 1},
                                       {"attribute_type", ConditionKind::attribute_type, 2},
                                       {"begins_with", ConditionKind::begins_with, 2},
                                       {"contains", ConditionKind::contains, 2}};

const FunctionName* find_function(const Expr& call) {
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const FunctionName& each) { return same_word(call.text, each.name); });
  return found != std::end(kFunctions) ? found : nullptr;
}

struct TypeName {
  std::string_view name;
  item::Type type;
};
constexpr TypeName kTypeNames[] = {{"bool", item::Type::boolean}, {"boolean", item::Type::boolean},
                               {"string", item::Type::string}, {"list", item::Type::list},
                               {"struct", item::Type::map},    {"tuple", item::Type::map},
                               {"blob", item::Type::binary},   {"null", item::Type::null}};

// The type that an operand has whatever the item holds.
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

// Something that holds or not, rather than having a value.
bool is_condition(const Expr& expr) {
  const bool combines = expr.kind >= ExprKind::comparison && expr.kind <= ExprKind::logical_not;
  return combines || (expr.kind == ExprKind::call && find_function(expr) != nullptr);
}

class ConditionBinder {
 public:
  explicit ConditionBinder(const LiteralReader& literals) : literals_(literals), arena_(literals.arena()) {}

  [[nodiscard]] Result<BoundNode> bind(const Expr& expr) const;

 private:
  [[nodiscard]] Result<BoundNode> join(ConditionKind kind, const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> comparison(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> between(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> in(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> is(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> call(const Expr& expr) const;
  [[nodiscard]] Result<BoundOperand> operand(const Expr& expr) const;
  [[nodiscard]] Result<std::span<const BoundOperand>> operands(std::span<const Expr> exprs) const;
  [[nodiscard]] Result<BoundNode> equals(const Expr& condition, const Expr& other) const;
  [[nodiscard]] std::string place(const Expr& expr) const {
    return place_text(literals_.statement(), expr.position, expr.length);
  }

  const LiteralReader& literals_;
  base::Arena& arena_;
};

Result<BoundNode> ConditionBinder::bind(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::logical_and:
      return join(ConditionKind::all, expr);
    case ExprKind::logical_or:
      return join(ConditionKind::any, expr);
    case ExprKind::logical_not: {
      TRY(const BoundNode node, bind(expr.children.front()));
      return negation(node, arena_);
    }
    case ExprKind::comparison:
      return comparison(expr);
    case ExprKind::between:
      return between(expr);
    case ExprKind::in:
      return in(expr);
    case ExprKind::is:
      return is(expr);
    case ExprKind::call:
      return call(expr);
    default:
      return invalid(fmt::format("Unexpected path component at {}", place(expr)));
  }
}

Result<BoundNode> ConditionBinder::join(ConditionKind kind, const Expr& expr) const {
  BoundNode node;
  node.kind = kind;
  const auto children = expr::make_array<BoundNode>(arena_, expr.children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    TRY(children[i], bind(expr.children[i]));
  }
  node.children = children;
  return node;
}

Result<BoundOperand> ConditionBinder::operand(const Expr& expr) const {
  BoundOperand bound;
  if (LiteralReader::is_literal(expr)) {
    TRY(bound.value, literals_.read(expr));
    return bound;
  }
  if (expr.kind == ExprKind::path) {
    bound.kind = OperandKind::path;
    bound.path = bind_path(expr, arena_);
    return bound;
  }
  if (expr.kind != ExprKind::call) return invalid(fmt::format("Unexpected path component at {}", place(expr)));
  if (!same_word(expr.text, "size")) {
    if (find_function(expr) != nullptr) return invalid(fmt::format("Unexpected path component at {}", place(expr)));
    return invalid(fmt::format("Unrecognized function: {} at {}", expr.text, place(expr)));
  }
  if (expr.children.size() != 1) return wrong_count("size", expr.children.size());
  TRY(const BoundOperand inner, operand(expr.children.front()));
  const auto type = static_type(inner);
  if (type == item::Type::number || type == item::Type::boolean || type == item::Type::null) {
    return wrong_type("size", *type);
  }
  bound.kind = OperandKind::size;
  bound.inner = arena_.make<BoundOperand>(inner);
  return bound;
}

Result<std::span<const BoundOperand>> ConditionBinder::operands(std::span<const Expr> exprs) const {
  const auto bound = expr::make_array<BoundOperand>(arena_, exprs.size());
  for (std::size_t i = 0; i < bound.size(); ++i) {
    TRY(bound[i], operand(exprs[i]));
  }
  return std::span<const BoundOperand>(bound);
}

// attribute_exists(a) = true, (a < 1) = b, contains(a, 'x') = contains(b, 'x')
Result<BoundNode> ConditionBinder::equals(const Expr& condition, const Expr& other) const {
  TRY(const BoundNode node, bind(condition));
  if (is_condition(other)) {
    TRY(const BoundNode second, bind(other));
    return same_truth(node, second, negation(second, arena_), arena_);
  }
  TRY(const BoundOperand right, operand(other));
  return same_truth(node, equality(right, item::Value::boolean(true), arena_),
                    equality(right, item::Value::boolean(false), arena_), arena_);
}

Result<BoundNode> ConditionBinder::comparison(const Expr& expr) const {
  constexpr std::string_view kTexts[] = {"=", "<>", "<", "<=", ">", ">="};
  const Expr& left = expr.children[0];
  const Expr& right = expr.children[1];
  if (is_condition(left) || is_condition(right)) {
    if (expr.comparator > Comparator::not_equal) {
      return wrong_type(kTexts[static_cast<std::size_t>(expr.comparator)], item::Type::boolean);
    }
    TRY(const BoundNode node, is_condition(left) ? equals(left, right) : equals(right, left));
    return expr.comparator == Comparator::equal ? node : negation(node, arena_);
  }
  BoundNode node;
  node.kind = static_cast<ConditionKind>(static_cast<int>(ConditionKind::equal) + static_cast<int>(expr.comparator));
  TRY(node.operands, operands(expr.children));
  if (expr.comparator > Comparator::not_equal) {
    TRY_VOID(check_ordered(kTexts[static_cast<std::size_t>(expr.comparator)], node.operands));
  }
  return node;
}

Result<BoundNode> ConditionBinder::between(const Expr& expr) const {
  BoundNode node;
  node.kind = ConditionKind::between;
  TRY(node.operands, operands(expr.children));
  TRY_VOID(check_ordered("BETWEEN", node.operands));
  return node;
}

Result<BoundNode> ConditionBinder::in(const Expr& expr) const {
  BoundNode node;
  if (is_condition(expr.children.front()) && !expr.flag && expr.children.size() > 1) {
    TRY(node, equals(expr.children[0], expr.children[1]));
    for (std::size_t i = 2; i < expr.children.size(); ++i) {
      TRY(const BoundNode more, equals(expr.children[0], expr.children[i]));
      node = joined(ConditionKind::any, node, more, arena_);
    }
    return node;
  }
  node.kind = ConditionKind::in;
  TRY(node.operands, operands(expr.children));
  if (expr.flag) {
    const item::Value list = node.operands[1].value;
    if (!list.is(item::Type::list) && !item::is_set(list.type())) return wrong_type("IN", list.type());
    const auto expanded = expr::make_array<BoundOperand>(arena_, 1 + list.elements().size());
    expanded[0] = node.operands[0];
    for (std::size_t i = 0; i < list.elements().size(); ++i) expanded[i + 1].value = list.elements()[i];
    node.operands = expanded;
  }
  if (node.operands.size() - 1 > kInOperandsMax) {
    return invalid(fmt::format("The IN operator is provided with too many operands; number of operands: {}",
                               node.operands.size() - 1));
  }
  return node;
}

Result<BoundNode> ConditionBinder::is(const Expr& expr) const {
  BoundNode node;
  TRY(node.operands, operands(expr.children));
  if (node.operands.front().kind != OperandKind::path) {
    return invalid("Operator or function requires a document path; operator or function: IS");
  }
  if (same_word(expr.text, "missing")) {
    node.kind = ConditionKind::attribute_not_exists;
    return node;
  }
  const auto* named = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                   [&](const TypeName& each) { return same_word(expr.text, each.name); });
  if (named == std::end(kTypeNames)) return invalid("Unsupported operation: IsType");
  node.kind = ConditionKind::attribute_type;
  node.type = named->type;
  return node;
}

Result<BoundNode> ConditionBinder::call(const Expr& expr) const {
  const FunctionName* function = find_function(expr);
  if (function == nullptr) {
    std::string name(expr.text);
    for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return invalid(fmt::format("Unrecognized function: {} at {}", name, place(expr)));
  }
  BoundNode node;
  node.kind = function->kind;
  if (expr.children.size() != function->operands) return wrong_count(function->name, expr.children.size());
  TRY(node.operands, operands(expr.children));
  const BoundOperand& first = node.operands[0];
  if (function->operands == 1) {
    if (first.kind == OperandKind::path) return node;
    return invalid(
        fmt::format("Operator or function requires a document path; operator or function: {}", function->name));
  }
  const auto second_type = static_type(node.operands[1]);
  if (node.kind == ConditionKind::begins_with) {
    for (const BoundOperand& each : node.operands) {
      const auto type = static_type(each);
      if (type && *type != item::Type::string && *type != item::Type::binary) return wrong_type("begins_with", *type);
    }
  } else if (node.kind == ConditionKind::attribute_type) {
    if (second_type != item::Type::string) return wrong_type("attribute_type", second_type.value_or(item::Type::map));
    const std::string_view name = node.operands[1].value.text();
    const auto type = item::type_from_name(name);
    if (!type) {
      return invalid(fmt::format(
          "Invalid attribute type name found; type: {}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}", name));
    }
    node.type = *type;
    node.operands = node.operands.first(1);
  }
  return node;
}

}  // namespace

Result<const BoundNode*> bind_where(const Expr& where, const LiteralReader& literals) {
  TRY(const BoundNode root, ConditionBinder(literals).bind(where));
  return literals.arena().make<BoundNode>(root);
}

}  // namespace stator::partiql
