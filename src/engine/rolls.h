#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/task.h"
#include "engine/table.h"
#include "store/store.h"

// The rows that tell how the slots of a stream are divided into shards; shards.h has the reasons.
//
// A roll is a row of its own, numbered, which tells where the markers are that close the open shards of all slots at once:
//
//   roll := opened_ms:u64 closed_opened_ms:u64 state:u8 position:u64 for each slot
//
// when the children and when the closed shards were opened; while it is `begun` the positions are those behind which the markers will be,
// when it is `done` they are the markers'. Of several markers of one roll in a log, as two nodes that both close the shards leave
// them, the first one counts. Only the newest roll can be one that is not done, and whoever finds it finishes it; until then a slot is
// divided where its marker is, as it will be later. (A roll of 16 bytes is from the time when one store counted the positions of
// all logs: it divides every slot at its number.)
namespace stator::engine {

enum class RollState : char { begun = 1, done = 2 };

struct Roll {
  std::uint64_t number = 0;
  std::int64_t opened_ms = 0;
  std::int64_t closed_opened_ms = 0;
  RollState state = RollState::done;
  std::vector<std::uint64_t> positions;  // by slot; empty in a roll of the old form
  // Where a slot is divided; zero where its marker is still to come.
  [[nodiscard]] std::uint64_t marker(std::size_t slot) const {
    if (positions.empty()) return number;
    return slot < positions.size() ? positions[slot] : 0;
  }
};

// All rolls of a stream, oldest first, for readers: the positions are those of markers in one that is not done too. The markers of a
// roll come slot by slot: if a slot has one here, those before it have theirs.
[[nodiscard]] base::Task<Result<std::vector<Roll>>> read_rolls(store::Store& store, TableId table, const Stream& stream);

// As it is stored; nothing where there is none.
[[nodiscard]] base::Task<Result<std::optional<Roll>>> newest_roll(store::Store& store, TableId table,
                                                                  const Stream& stream);

// Writes down that the shards are being closed, and how far each log is. Nothing where another node was faster, and goes on.
[[nodiscard]] base::Task<Result<std::optional<Roll>>> begin_roll(store::Store& store, TableId table, const Stream& stream,
                                                                 Roll roll);

// Adds the markers that are missing; then the roll is done. Any node may do this, again, or at the same time as another.
[[nodiscard]] base::Task<Result<void>> finish_roll(store::Store& store, TableId table, const Stream& stream, Roll roll);

// The same for the newest roll, if it was begun and is not done.
[[nodiscard]] base::Task<Result<void>> finish_begun_roll(store::Store& store, TableId table, const Stream& stream);

// Forgets rolls that only shards without records need.
[[nodiscard]] base::Task<Result<void>> trim_rolls(store::Store& store, TableId table, const Stream& stream,
                                                  std::int64_t horizon_ms);

}  // namespace stator::engine
