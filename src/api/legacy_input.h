#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/reader.h"
#include "api/violations.h"
#include "item/value.h"

// The parameters from before expressions, as they were sent: what reading and the constraints of
// the model ask of them.
namespace stator::api {

// One entry of Expected, QueryFilter, ScanFilter or KeyConditions.
struct LegacyCondition {
  std::string_view attribute;
  bool is_null = false;
  std::optional<std::string_view> comparison;            // ComparisonOperator
  std::optional<std::span<const item::Value>> operands;  // AttributeValueList
  std::optional<item::Value> value;                      // in Expected only
  std::optional<bool> exists;                            // in Expected only
  std::optional<std::string> invalid;                    // the first wrong one among the values
};
using LegacyConditions = std::vector<LegacyCondition>;

// One entry of AttributeUpdates.
struct LegacyUpdate {
  std::string_view attribute;
  bool is_null = false;
  std::optional<std::string_view> action;
  std::optional<item::Value> value;
  std::optional<std::string> invalid;
};
using LegacyUpdates = std::vector<LegacyUpdate>;

// Nothing where the parameter is absent. An attribute comes once: of several members of one name
// the last one counts.
[[nodiscard]] std::optional<LegacyConditions> read_conditions(const Reader& in,
                                                              std::string_view name);
[[nodiscard]] std::optional<LegacyConditions> read_expected(const Reader& in);
[[nodiscard]] std::optional<LegacyUpdates> read_attribute_updates(const Reader& in);

// Enums. The operator may be absent in Expected alone.
enum class Operator : bool { optional, required };
void check_constraints(const std::optional<LegacyConditions>& conditions, std::string_view path,
                       Operator comparison, Violations& violations);
void check_constraints(const std::optional<LegacyUpdates>& updates, Violations& violations);

}  // namespace stator::api
