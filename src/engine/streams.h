#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "engine/change_log.h"
#include "engine/engine.h"
#include "engine/shards.h"

// Reading streams. A stream is named by its table and label; a shard by its slot and where it begins; a place in a shard by a
// position of the store's log.
namespace stator::engine {

inline constexpr std::size_t kRecordsMax = 1000;
inline constexpr std::size_t kRecordsBytesMax = 1024 * 1024;

// Every stream that can be read, also of tables that were deleted within the last day. By table name, oldest first.
[[nodiscard]] std::vector<StreamOfTable> list_streams(const Engine& engine);

// Nothing where the stream does not exist.
[[nodiscard]] std::optional<StreamOfTable> find_stream(const Engine& engine, std::string_view table,
                                                       std::string_view label);

// Sequence numbers of records are positions in decimal, with as many digits as the service's.
[[nodiscard]] std::string sequence_number(std::uint64_t position);
[[nodiscard]] std::optional<std::uint64_t> position_of(std::string_view sequence_number);

// One shard of a stream.
struct ShardStart {
  std::uint8_t slot = 0;
  std::uint64_t first = 0;
};

// The position of the newest record of a shard; nothing where it is empty.
[[nodiscard]] base::Task<Result<std::optional<std::uint64_t>>> last_position(Engine& engine, StreamOfTable stream,
                                                                             ShardStart shard);

// Refused with trimmed_data where records from `position` on have been erased because of their age.
[[nodiscard]] base::Task<Result<void>> check_kept(Engine& engine, StreamOfTable stream, ShardStart shard,
                                                  std::uint64_t position);

struct RecordPage {
  std::uint64_t next = 0;  // where the next page starts
  bool finished = false;   // the shard is closed, and nothing of it is left
};
// Reads records from position `from` on, up to `limit` or a megabyte; each is given to `take`. Positions behind the shard's first
// are refused (trimmed_data) when records have become too old there.
using TakeRecord = std::function<void(const ChangeRecord& record, std::uint64_t position)>;
[[nodiscard]] base::Task<Result<RecordPage>> read_records(Engine& engine, StreamOfTable stream, ShardStart shard,
                                                          std::uint64_t from, std::size_t limit, TakeRecord take);

}  // namespace stator::engine
