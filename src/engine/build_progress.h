#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// How far the building of an index has got, in percent of the table's hashes. 0 where it has not begun.
[[nodiscard]] base::Task<Result<int>> build_progress(Engine& engine, TableId table, IndexId index);

}  // namespace stator::engine
