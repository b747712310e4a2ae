#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

inline constexpr std::int64_t kStreamRetentionMs = 24LL * 60 * 60 * 1000;

// Whether a stream was disabled before the time up to which streams are kept.
[[nodiscard]] inline bool is_forgotten(const Stream& stream, std::int64_t horizon_ms) {
  return stream.disabled_ms != 0 && stream.disabled_ms < horizon_ms;
}

// Erases stream records older than a day, and forgets streams that have been disabled for so long.
[[nodiscard]] base::Task<Result<void>> trim_streams(Engine& engine, TablePtr table);

// The same for streams of tables that were dropped.
[[nodiscard]] base::Task<Result<void>> trim_retired_streams(Engine& engine);

}  // namespace stator::engine
