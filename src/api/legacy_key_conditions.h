#pragma once

#include "api/legacy_input.h"
#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"

namespace stator::api {

// KeyConditions as a key condition, before any schema is known. `of_index`: whether the query names
// an index, which alone can have more than two key attributes.
[[nodiscard]] Result<expr::KeyCondition> key_condition_of(const LegacyConditions& conditions,
                                                          bool of_index, base::Arena& arena);

}  // namespace stator::api
