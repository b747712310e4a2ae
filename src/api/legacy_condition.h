#pragma once

#include <optional>
#include <string_view>

#include "api/legacy_input.h"
#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"

namespace stator::api {

// Expected, QueryFilter and ScanFilter as conditions: checked as the service checks them, entry by
// entry, then made into the tree that a condition expression would give. Nothing where there are no
// entries. The tree lives in the arena, its names and values where they were read.
[[nodiscard]] Result<std::optional<expr::Condition>> expected_condition(
    const std::optional<LegacyConditions>& expected,
    const std::optional<std::string_view>& conditional_operator, base::Arena& arena);
[[nodiscard]] Result<std::optional<expr::Condition>> filter_condition(
    const std::optional<LegacyConditions>& filter,
    const std::optional<std::string_view>& conditional_operator, base::Arena& arena);

// What the service's current layer says of a ConditionalOperator that it does not know.
inline constexpr std::string_view kUnknownConditional =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";

// The checks of one entry of QueryFilter, ScanFilter or KeyConditions.
[[nodiscard]] Result<void> check_condition(const LegacyCondition& condition);

}  // namespace stator::api
