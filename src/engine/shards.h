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
// A roll is a row of a log of its own. Since the store's positions grow in the order of commits, whatever the log, the position
// of that row divides the records of every slot: those below belong to the parent, those above to the child. So writers know
// nothing of it, and reading a parent to its end before its child keeps the order of each item.
//
//   roll := opened_ms:u64 closed_opened_ms:u64       when the children and when the closed shards were opened
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

// The position that ends the shard which begins at `first`: the next roll's. Nothing where there is none yet.
[[nodiscard]] base::Task<Result<std::optional<std::uint64_t>>> find_end(Engine& engine, StreamOfTable stream,
                                                                        std::uint64_t first);

// Whether a stream has been switched off and no write that began before can still add to it.
[[nodiscard]] bool is_settled(Engine& engine, const StreamOfTable& stream);

// Closes the open shards of the table's stream if they are old enough, and opens their children.
[[nodiscard]] base::Task<Result<void>> roll_shards(Engine& engine, TablePtr table);

// Forgets rolls that only shards without records need.
[[nodiscard]] base::Task<Result<void>> trim_rolls(Engine& engine, const Table& table, const Stream& stream,
                                                  std::int64_t horizon_ms);

}  // namespace stator::engine
