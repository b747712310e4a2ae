// WHERE clauses: the same conditions as those of expressions, in another syntax.

#include <fmt/format.h>

#include <algorithm>

#include "partiql/bind.h"
#include "partiql/bind_operand.h"
#include "partiql/lexer.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::BoundOperand;
using expr::ConditionKind;
using expr::OperandKind;

constexpr std::size_t kNodesMax = 10'000;  // no statement without conditions on conditions has as many
constexpr std::size_t kInOperandsMax = 100;

struct TypeName {
  std::string_view name;
  item::Type type;
};
constexpr TypeName kTypeNames[] = {{"bool", item::Type::boolean}, {"boolean", item::Type::boolean},
                                   {"string", item::Type::string}, {"list", item::Type::list},
                                   {"struct", item::Type::map},    {"tuple", item::Type::map},
                                   {"blob", item::Type::binary},   {"null", item::Type::null}};

// Something that holds or not, rather than having a value.
bool is_condition(const Expr& expr) {
  const bool combines = expr.kind >= ExprKind::comparison && expr.kind <= ExprKind::logical_not;
  return combines || (expr.kind == ExprKind::call && find_condition_function(expr) != nullptr);
}

// begins_with is of strings and bytes.
Result<void> check_prefix(std::span<const BoundOperand> operands) {
  for (const BoundOperand& each : operands) {
    const auto type = static_type(each);
    if (type && *type != item::Type::string && *type != item::Type::binary) return wrong_type("begins_with", *type);
  }
  return {};
}

// The second operand of attribute_type: a literal such as 'SS'.
Result<item::Type> type_named_by(const BoundOperand& operand) {
  const auto operand_type = static_type(operand);
  if (operand_type != item::Type::string) return wrong_type("attribute_type", operand_type.value_or(item::Type::map));
  const std::string_view name = operand.value.text();
  const auto type = item::type_from_name(name);
  if (type) return *type;
  return invalid(fmt::format(
      "Invalid attribute type name found; type: {}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}", name));
}

class ConditionBinder {
 public:
  explicit ConditionBinder(const LiteralReader& literals) : operands_(literals), arena_(literals.arena()) {}

  [[nodiscard]] Result<BoundNode> bind(const Expr& expr) const;

 private:
  [[nodiscard]] Result<BoundNode> join(ConditionKind kind, const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> comparison(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> between(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> in(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> is(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> call(const Expr& expr) const;
  [[nodiscard]] Result<BoundNode> equals(const BoundNode& condition, const Expr& other) const;

  OperandBinder operands_;
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
      return operands_.unexpected(expr);
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

// attribute_exists(a) = true, (a < 1) = b, contains(a, 'x') = contains(b, 'x')
Result<BoundNode> ConditionBinder::equals(const BoundNode& node, const Expr& other) const {
  if (is_condition(other)) {
    TRY(const BoundNode second, bind(other));
    return agreement(node, second, arena_);
  }
  TRY(const BoundOperand right, operands_.bind(other));
  return choice(node, equality(right, item::Value::boolean(true), arena_),
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
    const bool left_first = is_condition(left);
    TRY(const BoundNode condition, bind(left_first ? left : right));
    TRY(const BoundNode node, equals(condition, left_first ? right : left));
    return expr.comparator == Comparator::equal ? node : negation(node, arena_);
  }
  BoundNode node;
  node.kind = static_cast<ConditionKind>(static_cast<int>(ConditionKind::equal) + static_cast<int>(expr.comparator));
  TRY(node.operands, operands_.bind_all(expr.children));
  if (expr.comparator > Comparator::not_equal) {
    TRY_VOID(check_ordered(kTexts[static_cast<std::size_t>(expr.comparator)], node.operands));
  }
  return node;
}

Result<BoundNode> ConditionBinder::between(const Expr& expr) const {
  BoundNode node;
  node.kind = ConditionKind::between;
  TRY(node.operands, operands_.bind_all(expr.children));
  TRY_VOID(check_ordered("BETWEEN", node.operands));
  return node;
}

Result<BoundNode> ConditionBinder::in(const Expr& expr) const {
  BoundNode node;
  if (is_condition(expr.children.front()) && !expr.flag && expr.children.size() > 1) {
    TRY(const BoundNode condition, bind(expr.children[0]));
    TRY(node, equals(condition, expr.children[1]));
    for (std::size_t i = 2; i < expr.children.size(); ++i) {
      TRY(const BoundNode more, equals(condition, expr.children[i]));
      node = joined(ConditionKind::any, node, more, arena_);
    }
    return node;
  }
  node.kind = ConditionKind::in;
  TRY(node.operands, operands_.bind_all(expr.children));
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
  TRY(node.operands, operands_.bind_all(expr.children));
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
  const ConditionFunction* function = find_condition_function(expr);
  if (function == nullptr) {
    std::string name(expr.text);
    for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return invalid(fmt::format("Unrecognized function: {} at {}", name, operands_.place(expr)));
  }
  BoundNode node;
  node.kind = function->kind;
  if (expr.children.size() != function->operands) return wrong_count(function->name, expr.children.size());
  TRY(node.operands, operands_.bind_all(expr.children));
  const BoundOperand& first = node.operands[0];
  if (function->operands == 1) {
    if (first.kind == OperandKind::path) return node;
    return invalid(
        fmt::format("Operator or function requires a document path; operator or function: {}", function->name));
  }
  if (node.kind == ConditionKind::begins_with) TRY_VOID(check_prefix(node.operands));
  if (node.kind == ConditionKind::attribute_type) {
    TRY(node.type, type_named_by(node.operands[1]));
    node.operands = node.operands.first(1);
  }
  return node;
}

}  // namespace

Result<const BoundNode*> bind_where(const Expr& where, const LiteralReader& literals) {
  TRY(const BoundNode root, ConditionBinder(literals).bind(where));
  // A short text of conditions on conditions can stand for more than can ever be evaluated.
  if (has_more_nodes(root, kNodesMax)) {
    return invalid("The expression contains too many operators; operator count: 301");
  }
  return literals.arena().make<BoundNode>(root);
}

}  // namespace stator::partiql
