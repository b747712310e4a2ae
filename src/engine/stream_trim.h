#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Records that were written before this moment are gone, erased already or not.
[[nodiscard]] inline std::int64_t stream_horizon_ms(const Engine& engine) {
  return engine.clock.now_ms() - engine.options.stream_retention_ms;
}

// Whether a stream was disabled before the time up to which streams are kept.
[[nodiscard]] inline bool is_forgotten(const Stream& stream, std::int64_t horizon_ms) {
  return stream.disabled_ms != 0 && stream.disabled_ms < horizon_ms;
}

// Erases stream records older than the horizon, and forgets streams that have been disabled for so long.
[[nodiscard]] base::Task<Result<void>> trim_streams(Engine& engine, TablePtr table);

// The same for streams of tables that were dropped.
[[nodiscard]] base::Task<Result<void>> trim_retired_streams(Engine& engine);

// The position before which the records of a slot have been erased; zero where none has been.
[[nodiscard]] base::Task<Result<std::uint64_t>> trimmed_before(Engine& engine, const Table& table, const Stream& stream,
                                                               std::uint8_t slot);

}  // namespace stator::engine
