#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"
#include "engine/change_log.h"
#include "engine/engine.h"

// Reading streams. A stream is named by its table and label; a shard by its number; a place in a shard by a position of the
// store's log.
namespace stator::engine {

inline constexpr std::size_t kRecordsMax = 1000;
inline constexpr std::size_t kRecordsBytesMax = 1024 * 1024;

struct StreamOfTable {
  TablePtr table;
  const Stream* stream;  // of `table`
};

// Nothing where the table or the stream does not exist.
[[nodiscard]] std::optional<StreamOfTable> find_stream(const Engine& engine, std::string_view table,
                                                       std::string_view label);

[[nodiscard]] std::string shard_id(const Stream& stream, std::uint8_t shard);
[[nodiscard]] std::optional<std::uint8_t> find_shard(const Stream& stream, std::string_view shard_id);

// Sequence numbers of records are positions in decimal, with as many digits as the service's.
[[nodiscard]] std::string sequence_number(std::uint64_t position);
[[nodiscard]] std::optional<std::uint64_t> position_of(std::string_view sequence_number);

// The position of the newest record of a shard; nothing where it is empty.
[[nodiscard]] base::Task<Result<std::optional<std::uint64_t>>> last_position(Engine& engine, const Table& table,
                                                                             const Stream& stream,
                                                                             std::uint8_t shard);

struct RecordPage {
  std::uint64_t next = 0;  // where the next page starts
  bool at_end = false;     // nothing was left when the page was read
};
// Reads records from position `from` on; each is given to `take`, which says how many bytes it counts for the page.
using TakeRecord = std::function<std::size_t(const ChangeRecord& record, std::uint64_t position)>;
[[nodiscard]] base::Task<Result<RecordPage>> read_records(Engine& engine, StreamOfTable stream, std::uint8_t shard,
                                                          std::uint64_t from, std::size_t limit, TakeRecord take);

}  // namespace stator::engine
