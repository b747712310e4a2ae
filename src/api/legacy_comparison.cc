#include "api/legacy_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stator::api {
namespace {

using expr::ConditionKind;
using item::Type;

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

constexpr LegacyComparison kComparisons[] = {
    {"EQ", ConditionKind::equal, 1, 1, OperandTypes::any},
    {"NE", ConditionKind::not_equal, 1, 1, OperandTypes::any},
    {"LT", ConditionKind::less, 1, 1, OperandTypes::ordered},
    {"LE", ConditionKind::less_or_equal, 1, 1, OperandTypes::ordered},
    {"GT", ConditionKind::greater, 1, 1, OperandTypes::ordered},
    {"GE", ConditionKind::greater_or_equal, 1, 1, OperandTypes::ordered},
    {"BETWEEN", ConditionKind::between, 2, 2, OperandTypes::ordered},
    {"IN", ConditionKind::in, 1, kAnyNumber, OperandTypes::ordered},
    {"NULL", ConditionKind::attribute_not_exists, 0, 0, OperandTypes::any},
    {"NOT_NULL", ConditionKind::attribute_exists, 0, 0, OperandTypes::any},
    {"CONTAINS", ConditionKind::contains, 1, 1, OperandTypes::member},
    {"NOT_CONTAINS", ConditionKind::contains, 1, 1, OperandTypes::member, true},
    {"BEGINS_WITH", ConditionKind::begins_with, 1, 1, OperandTypes::text},
};

bool accepts(OperandTypes types, Type type) {
  switch (types) {
    case OperandTypes::any:
      return true;
    case OperandTypes::ordered:
      return type == Type::string || type == Type::number || type == Type::binary;
    case OperandTypes::member:
      return accepts(OperandTypes::ordered, type) || type == Type::boolean || type == Type::null;
    case OperandTypes::text:
      return type == Type::string || type == Type::binary;
  }
  return false;
}

}  // namespace

const LegacyComparison* find_comparison(std::string_view name) noexcept {
  const auto* found =
      std::find_if(std::begin(kComparisons), std::end(kComparisons),
                   [&](const LegacyComparison& comparison) { return comparison.name == name; });
  return found != std::end(kComparisons) ? found : nullptr;
}

Result<void> check_operands(const LegacyComparison& comparison,
                            std::span<const item::Value> operands) {
  if (operands.size() < comparison.operands_min || operands.size() > comparison.operands_max) {
    return invalid(
        fmt::format("One or more parameter values were invalid: Invalid number of argument(s) for "
                    "the {} ComparisonOperator",
                    comparison.name));
  }
  if (operands.empty()) return {};
  const Type type = operands.front().type();
  if (!std::all_of(operands.begin(), operands.end(),
                   [&](const item::Value& operand) { return operand.is(type); })) {
    return invalid(
        "One or more parameter values were invalid: AttributeValues inside AttributeValueList must "
        "be of same type");
  }
  if (!accepts(comparison.types, type)) {
    return invalid(
        fmt::format("One or more parameter values were invalid: ComparisonOperator {} is not valid "
                    "for {} AttributeValue type",
                    comparison.name, item::type_name(type)));
  }
  if (comparison.kind == ConditionKind::between &&
      item::compare(operands[0], operands[1]).value_or(0) > 0) {
    return invalid(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

}  // namespace stator::api
