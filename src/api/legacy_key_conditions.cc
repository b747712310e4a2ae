#include "api/legacy_key_conditions.h"

#include "api/legacy_comparison.h"
#include "api/legacy_condition.h"
#include "expr/bound.h"

namespace stator::api {
namespace {

constexpr std::size_t kTableKeyAttributesMax = 2;

expr::KeyOperator key_operator(expr::ConditionKind kind) {
  switch (kind) {
    case expr::ConditionKind::equal:
      return expr::KeyOperator::equal;
    case expr::ConditionKind::less:
      return expr::KeyOperator::less;
    case expr::ConditionKind::less_or_equal:
      return expr::KeyOperator::less_or_equal;
    case expr::ConditionKind::greater:
      return expr::KeyOperator::greater;
    case expr::ConditionKind::greater_or_equal:
      return expr::KeyOperator::greater_or_equal;
    case expr::ConditionKind::between:
      return expr::KeyOperator::between;
    case expr::ConditionKind::begins_with:
      return expr::KeyOperator::begins_with;
    default:
      return expr::KeyOperator::not_indexable;
  }
}

expr::KeyComparison comparison_of(const LegacyCondition& condition) {
  expr::KeyComparison comparison;
  comparison.attribute = condition.attribute;
  comparison.op = key_operator(find_comparison(*condition.comparison)->kind);
  const std::span<const item::Value> operands =
      condition.operands.value_or(std::span<const item::Value>());
  if (!operands.empty()) comparison.low = operands.front();
  if (comparison.op == expr::KeyOperator::between) comparison.high = operands[1];
  return comparison;
}

}  // namespace

Result<expr::KeyCondition> key_condition_of(const LegacyConditions& conditions, bool of_index,
                                            base::Arena& arena) {
  for (const LegacyCondition& condition : conditions) TRY_VOID(check_condition(condition));
  if (conditions.empty() || (conditions.size() > kTableKeyAttributesMax && !of_index)) {
    return invalid(std::string(expr::kTooManyConditions));
  }
  const auto comparisons = expr::make_array<expr::KeyComparison>(arena, conditions.size());
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    comparisons[i] = comparison_of(conditions[i]);
  }
  expr::KeyCondition result;
  result.comparisons = comparisons;
  return result;
}

}  // namespace stator::api
