#include "api/legacy_condition.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/legacy_comparison.h"
#include "engine/table.h"
#include "expr/bound.h"
#include "item/size.h"

namespace stator::api {
namespace {

using expr::BoundNode;
using expr::BoundOperand;
using expr::ConditionKind;

tl::unexpected<Error> wrong_entry(std::string_view problem, const LegacyCondition& condition) {
  return invalid(fmt::format("One or more parameter values were invalid: {} for Attribute: {}",
                             problem, condition.attribute));
}

// Which members of an entry of Expected go together.
Result<void> check_members(const LegacyCondition& entry) {
  if (entry.is_null) return wrong_entry("ExpectedAttributeValue must not be null", entry);
  if (entry.exists && entry.comparison) {
    return wrong_entry("Exists and ComparisonOperator cannot be used together", entry);
  }
  if (entry.value && entry.operands) {
    return wrong_entry("Value and AttributeValueList cannot be used together", entry);
  }
  if (!entry.comparison && entry.operands) {
    return wrong_entry("AttributeValueList can only be used with a ComparisonOperator", entry);
  }
  if (entry.exists == false && entry.value) {
    return wrong_entry("Value cannot be used when Exists is false", entry);
  }
  if (entry.value || entry.operands) return {};
  if (!entry.comparison) {
    if (entry.exists == false) return {};
    return wrong_entry(entry.exists ? "Value must be provided when Exists is true"
                                    : "Value must be provided when Exists is null",
                       entry);
  }
  if (find_comparison(*entry.comparison)->operands_min == 0) return {};
  return wrong_entry(
      fmt::format("Value or AttributeValueList must be used with ComparisonOperator: {}",
                  *entry.comparison),
      entry);
}

std::span<const item::Value> operands_of(const LegacyCondition& entry) {
  if (entry.value) return {&*entry.value, 1};
  return entry.operands.value_or(std::span<const item::Value>());
}

Result<void> check_expected(const LegacyCondition& entry) {
  TRY_VOID(check_members(entry));
  if (entry.invalid) return invalid(*entry.invalid);
  if (!entry.comparison) return {};
  return check_operands(*find_comparison(*entry.comparison), operands_of(entry));
}

Result<void> check_conditional_operator(const std::optional<std::string_view>& conditional_operator,
                                        std::size_t conditions) {
  if (!conditional_operator || conditions > 1) return {};
  if (conditions == 0) {
    return invalid("ConditionalOperator cannot be used without Filter or Expected");
  }
  return invalid(
      "ConditionalOperator can only be used when Filter or Expected has two or more elements");
}

class Compiler {
 public:
  explicit Compiler(base::Arena& arena) : arena_(arena) {}

  [[nodiscard]] expr::Condition compile(const LegacyConditions& entries, bool any) const {
    const auto nodes = expr::make_array<BoundNode>(arena_, entries.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = node(entries[i]);
    const BoundNode* root = nodes.data();
    if (nodes.size() > 1) {
      root = arena_.make<BoundNode>(any ? ConditionKind::any : ConditionKind::all, item::Type::null,
                                    nodes);
    }
    return expr::Condition::from_bound(root, arena_);
  }

 private:
  [[nodiscard]] BoundNode node(const LegacyCondition& entry) const {
    if (!entry.comparison) {  // of Expected: a value is compared, no value means no attribute
      return leaf(entry.value ? ConditionKind::equal : ConditionKind::attribute_not_exists, entry);
    }
    const LegacyComparison& comparison = *find_comparison(*entry.comparison);
    const BoundNode plain = leaf(comparison.kind, entry);
    if (!comparison.is_negated) return plain;
    const auto both = expr::make_array<BoundNode>(arena_, 2);
    both[0] = {.kind = ConditionKind::attribute_exists, .operands = plain.operands.first(1)};
    both[1] = {.kind = ConditionKind::negation, .children = {arena_.make<BoundNode>(plain), 1}};
    return {.kind = ConditionKind::all, .children = both};
  }

  [[nodiscard]] BoundNode leaf(ConditionKind kind, const LegacyCondition& entry) const {
    const std::span<const item::Value> values = operands_of(entry);
    const auto operands = expr::make_array<BoundOperand>(arena_, values.size() + 1);
    operands[0].kind = expr::OperandKind::path;
    operands[0].path = {arena_.make<expr::PathStep>(entry.attribute), 1};
    for (std::size_t i = 0; i < values.size(); ++i) operands[i + 1].value = item::sorted(values[i], arena_);
    const bool is_list = kind == ConditionKind::in;  // of values of one type that has an order
    if (is_list) {
      std::ranges::sort(operands.subspan(1), {}, [](const BoundOperand& operand) { return operand.value.text(); });
    }
    return {.kind = kind, .operands = operands, .is_sorted = is_list};
  }

  base::Arena& arena_;
};

template <class Check>
Result<std::optional<expr::Condition>> condition_of(
    const std::optional<LegacyConditions>& conditions,
    const std::optional<std::string_view>& conditional_operator, const Check& check,
    base::Arena& arena) {
  if (conditions) {
    for (const LegacyCondition& condition : *conditions) TRY_VOID(check(condition));
  }
  TRY_VOID(check_conditional_operator(conditional_operator, conditions ? conditions->size() : 0));
  if (!conditions || conditions->empty()) return std::nullopt;
  return Compiler(arena).compile(*conditions, conditional_operator == "OR");
}

}  // namespace

Result<void> check_condition(const LegacyCondition& condition) {
  if (condition.is_null) {
    return invalid(fmt::format("The filter condition for an attribute cannot be null: {}",
                               condition.attribute));
  }
  if (condition.invalid) return invalid(*condition.invalid);
  return check_operands(*find_comparison(*condition.comparison), operands_of(condition));
}

Result<std::optional<expr::Condition>> expected_condition(
    const std::optional<LegacyConditions>& expected,
    const std::optional<std::string_view>& conditional_operator, base::Arena& arena) {
  std::size_t bytes = 0;
  const auto check = [&](const LegacyCondition& entry) -> Result<void> {
    TRY_VOID(check_expected(entry));
    bytes += entry.attribute.size();
    for (const item::Value& operand : operands_of(entry)) bytes += item::value_bytes(operand);
    if (bytes > engine::kItemBytesMax) {
      return invalid("Item size has exceeded the maximum allowed size");
    }
    return {};
  };
  return condition_of(expected, conditional_operator, check, arena);
}

Result<std::optional<expr::Condition>> filter_condition(
    const std::optional<LegacyConditions>& filter,
    const std::optional<std::string_view>& conditional_operator, base::Arena& arena) {
  return condition_of(filter, conditional_operator, check_condition, arena);
}

}  // namespace stator::api
