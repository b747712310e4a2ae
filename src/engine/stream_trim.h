#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

inline constexpr std::int64_t kStreamRetentionMs = 24LL * 60 * 60 * 1000;

// Erases stream records older than a day, and forgets streams that have been disabled for so long.
[[nodiscard]] base::Task<Result<void>> trim_streams(Engine& engine, TablePtr table);

}  // namespace stator::engine
