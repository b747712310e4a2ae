#pragma once

#include "base/result.h"
#include "engine/table.h"
#include "expr/expression.h"

namespace stator::engine {

// Keys are scalars, so no expression may look inside one: neither a key of the table nor one of its
// indexes.
[[nodiscard]] Result<void> check_key_paths(const Table& table, const expr::Condition& condition);
[[nodiscard]] Result<void> check_key_paths(const Table& table, const expr::Projection& projection);
[[nodiscard]] Result<void> check_key_paths(const Table& table, const expr::Update& update);

}  // namespace stator::engine
