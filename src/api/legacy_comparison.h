#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "expr/bound.h"
#include "item/value.h"

// The comparison operators of the parameters from before expressions: Expected, QueryFilter,
// ScanFilter and KeyConditions.
namespace stator::api {

enum class OperandTypes : std::uint8_t {
  any,
  ordered,  // S, N, B
  member,   // what a set or a list can be asked for: S, N, B, BOOL, NULL
  text,     // S, B
};

struct LegacyComparison {
  std::string_view name;
  expr::ConditionKind kind;
  std::size_t operands_min;
  std::size_t operands_max;
  OperandTypes types;
  bool is_negated =
      false;  // of an attribute that is there: a missing one does not match either way
};

// Null where there is no operator of that name.
[[nodiscard]] const LegacyComparison* find_comparison(std::string_view name) noexcept;

// Number of operands, then their types, then the order of BETWEEN's.
[[nodiscard]] Result<void> check_operands(const LegacyComparison& comparison,
                                          std::span<const item::Value> operands);

}  // namespace stator::api
