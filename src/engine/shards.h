#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "engine/engine.h"
#include "engine/table.h"

// The shards of a stream. The hashes of partition keys are divided evenly into slots, as many as the stream was made with. Each
// slot has one open shard; after some hours all open shards are closed at once and each is followed by a child in its slot.
//
// What divides the records of a slot is a row in the slot's own log, a marker: those before it belong to the parent, those behind it to
// the child. So writers know nothing of it, the order of each item is that of its log whatever node wrote, and reading a parent to
// its end before its child keeps it. Positions of two logs are never compared (store S7): each slot has its own marker.
//
// Where the markers are is told by rows beside the logs (rolls.h), written before and after them. A reader does not wait for the
// second: from the moment a marker is there, its slot has a closed parent and an open child. Before that the parent tells all.
namespace stator::engine {

struct StreamOfTable {
  TablePtr table;
  const Stream* stream;  // of `table`
};

struct Shard {
  std::uint8_t slot = 0;
  std::int64_t opened_ms = 0;
  std::optional<std::int64_t> parent_opened_ms;  // the parent is in the same slot; it may have been forgotten since
  std::uint64_t first = 0;                       // position
  std::optional<std::uint64_t> last;             // position; nothing where the shard is open
};

[[nodiscard]] std::string shard_id(const Stream& stream, std::uint8_t slot, std::int64_t opened_ms);

// Every shard whose records are kept, in the order of their ids: parents before their children.
[[nodiscard]] base::Task<Result<std::vector<Shard>>> list_shards(Engine& engine, StreamOfTable stream);

// What the rolls say of the shard of a slot that begins at `first`.
struct ShardBounds {
  std::uint64_t roll = 0;            // that opened it; markers up to this one are behind it
  std::optional<std::uint64_t> end;  // position of the marker that closed it
};
[[nodiscard]] base::Task<Result<ShardBounds>> find_bounds(Engine& engine, StreamOfTable stream, std::uint8_t slot,
                                                          std::uint64_t first);

// Closes the open shards of the table's stream if they are old enough, and opens their children.
[[nodiscard]] base::Task<Result<void>> roll_shards(Engine& engine, TablePtr table);

}  // namespace stator::engine
