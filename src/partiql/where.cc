#include "partiql/where.h"

#include <algorithm>
#include <initializer_list>

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::BoundOperand;
using expr::ConditionKind;
using expr::KeyOperator;
using expr::OperandKind;

void collect(const BoundNode& node, std::vector<BoundNode>& nodes) {
  if (node.kind != ConditionKind::all) {
    nodes.push_back(node);
    return;
  }
  for (const BoundNode& child : node.children) collect(child, nodes);
}

bool is_attribute(const BoundOperand& operand, std::string_view name) {
  return operand.kind == OperandKind::path && operand.path.size() == 1 && operand.path.front().name == name;
}

bool are_values(std::span<const BoundOperand> operands) {
  for (const BoundOperand& operand : operands) {
    if (operand.kind != OperandKind::value) return false;
  }
  return true;
}

// The operator of a condition whose attribute stands on the left, or on the right.
std::optional<KeyOperator> key_operator(ConditionKind kind, bool mirrored) {
  switch (kind) {
    case ConditionKind::equal:
      return KeyOperator::equal;
    case ConditionKind::less:
      return mirrored ? KeyOperator::greater : KeyOperator::less;
    case ConditionKind::less_or_equal:
      return mirrored ? KeyOperator::greater_or_equal : KeyOperator::less_or_equal;
    case ConditionKind::greater:
      return mirrored ? KeyOperator::less : KeyOperator::greater;
    case ConditionKind::greater_or_equal:
      return mirrored ? KeyOperator::less_or_equal : KeyOperator::greater_or_equal;
    default:
      return std::nullopt;
  }
}

// False once more than `left` nodes were counted.
bool count_nodes(const BoundNode& node, std::size_t& left) {
  if (left == 0) return false;
  --left;
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const BoundNode& child) { return count_nodes(child, left); });
}

// Written with AND and OR, each of the two conditions is there twice. Conditions of conditions would double with each level,
// so larger ones stay as they are; only what is spread out can become a range of keys.
bool may_be_spread(const BoundNode& condition) { return !has_more_nodes(condition, 8); }

BoundNode with_children(ConditionKind kind, std::initializer_list<BoundNode> nodes, base::Arena& arena) {
  BoundNode node;
  node.kind = kind;
  node.children = arena.copy(std::span<const BoundNode>(nodes.begin(), nodes.size()));
  return node;
}

}  // namespace

std::vector<BoundNode> conjuncts(const BoundNode* where) {
  std::vector<BoundNode> nodes;
  if (where != nullptr) collect(*where, nodes);
  return nodes;
}

const BoundNode* join_all(std::span<const BoundNode> nodes, base::Arena& arena) {
  if (nodes.empty()) return nullptr;
  const std::span<BoundNode> children = arena.copy(nodes);
  if (children.size() == 1) return children.data();
  auto* all = arena.make<BoundNode>();
  all->children = children;
  return all;
}

std::optional<expr::KeyComparison> key_comparison(const BoundNode& node, std::string_view attribute) {
  expr::KeyComparison comparison;
  comparison.attribute = attribute;
  const auto operands = node.operands;
  if (node.kind == ConditionKind::between || node.kind == ConditionKind::begins_with) {
    if (!is_attribute(operands[0], attribute) || !are_values(operands.subspan(1))) return std::nullopt;
    const bool between = node.kind == ConditionKind::between;
    comparison.op = between ? KeyOperator::between : KeyOperator::begins_with;
    comparison.low = operands[1].value;
    if (between) comparison.high = operands[2].value;
    return comparison;
  }
  if (operands.size() != 2) return std::nullopt;
  for (const bool mirrored : {false, true}) {
    const BoundOperand& left = operands[mirrored ? 1 : 0];
    const BoundOperand& right = operands[mirrored ? 0 : 1];
    const auto op = key_operator(node.kind, mirrored);
    if (!op || !is_attribute(left, attribute) || right.kind != OperandKind::value) continue;
    comparison.op = *op;
    comparison.low = right.value;
    return comparison;
  }
  return std::nullopt;
}

const item::Value* equal_value(const BoundNode& node, std::string_view attribute) {
  if (node.kind != ConditionKind::equal) return nullptr;
  for (const bool mirrored : {false, true}) {
    const BoundOperand& left = node.operands[mirrored ? 1 : 0];
    const BoundOperand& right = node.operands[mirrored ? 0 : 1];
    if (is_attribute(left, attribute) && right.kind == OperandKind::value) return &right.value;
  }
  return nullptr;
}

bool lists_values(const BoundNode& node, std::string_view attribute) {
  return node.kind == ConditionKind::in && is_attribute(node.operands.front(), attribute) &&
         are_values(node.operands.subspan(1));
}

const item::Value* only_value(const BoundNode& node, std::string_view attribute) {
  return lists_values(node, attribute) && node.operands.size() == 2 ? &node.operands[1].value : nullptr;
}

BoundNode attribute_test(ConditionKind kind, std::string_view attribute, base::Arena& arena) {
  const auto path = expr::make_array<expr::PathStep>(arena, 1);
  path[0].name = arena.copy(attribute);
  const auto operand = expr::make_array<BoundOperand>(arena, 1);
  operand[0].kind = OperandKind::path;
  operand[0].path = path;
  BoundNode node;
  node.kind = kind;
  node.operands = operand;
  return node;
}

void order_names(std::vector<std::string_view>& names) {
  const auto bucket = [&](std::string_view name) {
    std::uint32_t hash = 0;
    for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
    std::uint32_t buckets = 16;
    while (names.size() * 4 > buckets * 3) buckets *= 2;
    return (hash ^ (hash >> 16)) & (buckets - 1);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](std::string_view a, std::string_view b) { return bucket(a) < bucket(b); });
}

BoundNode negation(const BoundNode& node, base::Arena& arena) {
  const auto child = expr::make_array<BoundNode>(arena, 1);
  child[0] = node;
  BoundNode negated;
  negated.kind = ConditionKind::negation;
  negated.children = child;
  return negated;
}

BoundNode joined(ConditionKind kind, const BoundNode& first, const BoundNode& second, base::Arena& arena) {
  const auto children = expr::make_array<BoundNode>(arena, 2);
  children[0] = first;
  children[1] = second;
  BoundNode node;
  node.kind = kind;
  node.children = children;
  return node;
}

bool has_more_nodes(const BoundNode& condition, std::size_t count) { return !count_nodes(condition, count); }

BoundNode choice(const BoundNode& condition, const BoundNode& if_true, const BoundNode& if_false, base::Arena& arena) {
  if (!may_be_spread(condition)) return with_children(ConditionKind::choice, {condition, if_true, if_false}, arena);
  return joined(ConditionKind::any, joined(ConditionKind::all, condition, if_true, arena),
                joined(ConditionKind::all, negation(condition, arena), if_false, arena), arena);
}

BoundNode agreement(const BoundNode& first, const BoundNode& second, base::Arena& arena) {
  if (!may_be_spread(second)) return with_children(ConditionKind::agreement, {first, second}, arena);
  return choice(first, second, negation(second, arena), arena);
}

BoundNode equality(const BoundOperand& operand, const item::Value& value, base::Arena& arena) {
  const auto operands = expr::make_array<BoundOperand>(arena, 2);
  operands[0] = operand;
  operands[1].value = value;
  BoundNode node;
  node.kind = ConditionKind::equal;
  node.operands = operands;
  return node;
}

}  // namespace stator::partiql
