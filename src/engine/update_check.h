#pragma once

#include "base/result.h"
#include "engine/table.h"
#include "expr/expression.h"

namespace stator::engine {

// What can be known of an update before any item is read, in the order in which the service looks: it does not touch the
// key, gives no index key another type, and looks inside no key.
[[nodiscard]] Result<void> check_update(const Table& table, const expr::Update& update);

}  // namespace stator::engine
