#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Tells the capacity model how large the tables and indexes are that requests have used, since 10 GB are a partition, and
// forgets tables that were dropped. For now and then.
[[nodiscard]] base::Task<Result<void>> refresh_capacity(Engine& engine);

}  // namespace stator::engine
