#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Puts right what is in a new index before its building begins. A write that knows the index puts a row; a write of the same item that began
// earlier, does not know the index and comes later leaves that row as it is, and the item has changed. Called when no such write can come any
// more, so that only rows of that short time have to be looked at.
[[nodiscard]] base::Task<Result<void>> settle_early_rows(Engine& engine, TablePtr table, const Index& index);

}  // namespace stator::engine
