#include <fmt/core.h>

#include <algorithm>

#include "expr/bound.h"
#include "expr/expression.h"

namespace stator::expr {
namespace {

Result<KeyOperator> key_operator(ConditionKind kind) {
  switch (kind) {
    case ConditionKind::equal:
      return KeyOperator::equal;
    case ConditionKind::less:
      return KeyOperator::less;
    case ConditionKind::less_or_equal:
      return KeyOperator::less_or_equal;
    case ConditionKind::greater:
      return KeyOperator::greater;
    case ConditionKind::greater_or_equal:
      return KeyOperator::greater_or_equal;
    case ConditionKind::between:
      return KeyOperator::between;
    case ConditionKind::begins_with:
      return KeyOperator::begins_with;
    default:
      break;
  }
  const auto refused = [](std::string_view name) {
    return invalid(fmt::format("Invalid operator used in KeyConditionExpression: {}", name));
  };
  switch (kind) {
    case ConditionKind::any:
      return refused("OR");
    case ConditionKind::negation:
      return refused("NOT");
    case ConditionKind::in:
      return refused("IN");
    case ConditionKind::not_equal:
      return refused("<>");
    case ConditionKind::attribute_exists:
      return refused("attribute_exists");
    case ConditionKind::attribute_not_exists:
      return refused("attribute_not_exists");
    case ConditionKind::attribute_type:
      return refused("attribute_type");
    default:
      return refused("contains");
  }
}

// The operator when its sides change places.
KeyOperator mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::less:
      return KeyOperator::greater;
    case KeyOperator::less_or_equal:
      return KeyOperator::greater_or_equal;
    case KeyOperator::greater:
      return KeyOperator::less;
    case KeyOperator::greater_or_equal:
      return KeyOperator::less_or_equal;
    default:
      return op;
  }
}

// What the two layers say alike but for its beginning.
tl::unexpected<Error> unfit(Layer layer, std::string_view problem) {
  return invalid(fmt::format("{}KeyConditionExpressions {}",
                             layer == Layer::current ? "Invalid KeyConditionExpression: " : "", problem));
}

// The only operand that is a path, and what makes it unfit.
Result<std::size_t> key_operand(std::span<const BoundOperand> operands, Layer layer) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == OperandKind::size) {
      return invalid("KeyConditionExpressions cannot contain nested operations");
    }
    if (operands[i].kind != OperandKind::path) continue;
    if (found) {
      return invalid(
          "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
          "condition");
    }
    if (operands[i].path.size() > 1) {
      return unfit(layer, "cannot have conditions on nested attributes");
    }
    found = i;
  }
  if (!found)
    return invalid("Invalid condition in KeyConditionExpression: No key attribute specified");
  return *found;
}

Result<KeyComparison> to_comparison(const BoundNode& node, Layer layer) {
  TRY(const KeyOperator op, key_operator(node.kind));
  const bool path_first = op == KeyOperator::between || op == KeyOperator::begins_with;
  if (path_first && node.operands.front().kind != OperandKind::path) {
    return invalid(
        fmt::format("Invalid condition in KeyConditionExpression: {} operator must have the key "
                    "attribute as its first "
                    "operand",
                    op == KeyOperator::between ? "BETWEEN" : "begins_with"));
  }
  TRY(const std::size_t key, key_operand(node.operands, layer));
  KeyComparison comparison;
  comparison.attribute = node.operands[key].path.front().name;
  comparison.op = key == 0 ? op : mirrored(op);
  comparison.low = node.operands[key == 0 ? 1 : 0].value;
  if (op == KeyOperator::between) comparison.high = node.operands[2].value;
  return comparison;
}

std::size_t count_comparisons(const BoundNode& node) {
  if (node.kind != ConditionKind::all) return 1;
  std::size_t count = 0;
  for (const BoundNode& child : node.children) count += count_comparisons(child);
  return count;
}

// Fills `comparisons`, which has room for all, from `count` on.
Result<void> collect(const BoundNode& node, std::span<KeyComparison> comparisons, std::size_t& count, Layer layer) {
  if (node.kind == ConditionKind::all) {
    for (const BoundNode& child : node.children) TRY_VOID(collect(child, comparisons, count, layer));
    return {};
  }
  TRY(const KeyComparison comparison, to_comparison(node, layer));
  for (const KeyComparison& other : comparisons.first(count)) {
    if (other.attribute != comparison.attribute) continue;
    return unfit(layer, "must only contain one condition per key");
  }
  comparisons[count++] = comparison;
  return {};
}

const KeyComparison* find(const KeyCondition& condition, std::string_view attribute) {
  for (const KeyComparison& comparison : condition.comparisons) {
    if (comparison.attribute == attribute) return &comparison;
  }
  return nullptr;
}

tl::unexpected<Error> missed(const KeyAttribute& key) {
  return invalid(fmt::format("Query condition missed key schema element: {}", key.name));
}

tl::unexpected<Error> not_supported() { return invalid("Query key condition not supported"); }

Result<void> check_operand(const KeyAttribute& key, const item::Value& value) {
  if (!value.is(key.type)) {
    return invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type");
  }
  if (key.type != item::Type::number && value.text().empty()) {
    return invalid(
        fmt::format("One or more parameter values are not valid. The AttributeValue for a key "
                    "attribute cannot contain an "
                    "empty {} value. Key: {}",
                    key.type == item::Type::string ? "string" : "binary", key.name));
  }
  return {};
}

Result<void> check_operands(const KeyAttribute& key, const KeyComparison& comparison) {
  if (comparison.op == KeyOperator::not_indexable) {
    return invalid("Attempted conditional constraint is not an indexable operation");
  }
  TRY_VOID(check_operand(key, comparison.low));
  if (comparison.op == KeyOperator::between) TRY_VOID(check_operand(key, comparison.high));
  return {};
}

// Of several partition key attributes, each needs an equality; all that lack one are named together.
Result<void> check_equalities(const KeyCondition& condition, std::span<const KeyAttribute> partition_keys) {
  if (partition_keys.size() < 2) return {};
  std::string wanting;
  for (const KeyAttribute& key : partition_keys) {
    const KeyComparison* comparison = find(condition, key.name);
    if (comparison != nullptr && comparison->op == KeyOperator::equal) continue;
    if (!wanting.empty()) wanting += ", ";
    wanting += key.name;
  }
  if (wanting.empty()) return {};
  return invalid("HASH key attributes " + wanting + " must have equality conditions specified in the query");
}

// Of several sort key attributes, all before the last one that has a condition need an equality.
Result<void> check_no_gap(const KeyCondition& condition, std::span<const KeyAttribute> sort_keys) {
  if (sort_keys.size() < 2) return {};
  std::size_t last = 0;
  for (std::size_t i = 0; i < sort_keys.size(); ++i) {
    if (find(condition, sort_keys[i].name) != nullptr) last = i;
  }
  std::string wanting;
  for (std::size_t i = 0; i < last; ++i) {
    const KeyComparison* comparison = find(condition, sort_keys[i].name);
    if (comparison != nullptr && comparison->op == KeyOperator::equal) continue;
    if (!wanting.empty()) wanting += ", ";
    wanting += sort_keys[i].name;
  }
  if (wanting.empty()) return {};
  return invalid("RANGE key attributes " + wanting +
                 " must have equality conditions specified in the query because a condition is present on key "
                 "attribute " +
                 std::string(sort_keys[last].name));
}

// Key attributes have to be given from the left without a gap: first all of the partition key, then
// the leading ones of the sort key as far as there are conditions left.
Result<void> check_present(const KeyCondition& condition,
                           std::span<const KeyAttribute> partition_keys,
                           std::span<const KeyAttribute> sort_keys) {
  TRY_VOID(check_equalities(condition, partition_keys));
  for (const KeyAttribute& key : partition_keys) {
    if (find(condition, key.name) == nullptr) return missed(key);
  }
  TRY_VOID(check_no_gap(condition, sort_keys));
  std::size_t left = condition.comparisons.size() - partition_keys.size();
  for (const KeyAttribute& key : sort_keys) {
    if (left == 0) break;
    if (find(condition, key.name) == nullptr) return missed(key);
    --left;
  }
  return left == 0 ? Result<void>() : not_supported();
}

}  // namespace

Result<KeyCondition> to_key_condition(const Condition& condition, base::Arena& arena, Layer layer) {
  const auto comparisons = make_array<KeyComparison>(arena, count_comparisons(*condition.root_));
  std::size_t count = 0;
  TRY_VOID(collect(*condition.root_, comparisons, count, layer));
  KeyCondition result;
  result.comparisons = comparisons;
  result.parsed = condition.parsed_;
  result.layer = layer;
  return result;
}

Result<KeyCondition> bind_key_condition(std::string_view text, Placeholders& placeholders) {
  TRY(const Condition condition, bind_condition(text, Parameter::key_condition, placeholders));
  return to_key_condition(condition, placeholders.arena());
}

Result<ResolvedKeyCondition> resolve_key_condition(const KeyCondition& condition,
                                                   std::span<const KeyAttribute> partition_keys,
                                                   std::span<const KeyAttribute> sort_keys,
                                                   base::Arena& arena) {
  const std::size_t keys = partition_keys.size() + sort_keys.size();
  if (condition.comparisons.size() > std::max<std::size_t>(2, keys)) {
    if (condition.layer == Layer::classic) return invalid(std::string(kTooManyConditions));
    return invalid(fmt::format("The number of query conditions ({}) exceeds the number of key attributes defined in "
                               "the schema ({})",
                               condition.comparisons.size(), keys));
  }
  if (condition.comparisons.size() > keys) return not_supported();  // two conditions, and the partition key is all there is
  TRY_VOID(check_present(condition, partition_keys, sort_keys));
  ResolvedKeyCondition resolved;
  const auto partition = make_array<item::Value>(arena, partition_keys.size());
  for (std::size_t i = 0; i < partition.size(); ++i) {
    const KeyComparison& comparison = *find(condition, partition_keys[i].name);
    TRY_VOID(check_operands(partition_keys[i], comparison));
    if (comparison.op != KeyOperator::equal) return not_supported();
    partition[i] = comparison.low;
  }
  resolved.partition = partition;
  const auto equal = make_array<item::Value>(arena, sort_keys.size());
  std::size_t equal_count = 0;
  for (const KeyAttribute& key : sort_keys) {
    const KeyComparison* comparison = find(condition, key.name);
    if (comparison == nullptr) break;
    if (resolved.sort_range) return not_supported();  // a range has to be the last one
    TRY_VOID(check_operands(key, *comparison));
    if (comparison->op == KeyOperator::equal) {
      equal[equal_count++] = comparison->low;
    } else {
      resolved.sort_range = *comparison;
    }
  }
  resolved.sort_equal = equal.first(equal_count);
  return resolved;
}

}  // namespace stator::expr
