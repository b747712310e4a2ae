#pragma once

#include "base/task.h"
#include "engine/engine.h"
#include "engine/outbox_queue.h"

// Brings the rows of global indexes to what the item is now, and takes the outbox rows that asked for it away, in one commit.
namespace stator::engine {

// Applies outbox rows of one item: for each index that they name, the rows that the item has left are erased and the one that it
// wants now is put. Nothing is derived from what the change was, only from what the item is: applying a row twice, two at once,
// or some rows of an item before others, by whatever node, ends in the same.
//
// An error means: again, later. Rows of a table that is gone are done. So is what is damaged, which no repetition mends: it is noted
// (outbox_damage.h), and its outbox rows stay. Of an outbox row that cannot be read it is only unknown which rows the item has left:
// all indexes get what the item wants now.
[[nodiscard]] base::Task<Result<void>> propagate(Engine& engine, const QueuedItem& item);

// Applies everything that is queued, on the caller's time. For a process without a propagator.
[[nodiscard]] base::Task<Result<void>> propagate_queued(Engine& engine);

// Waits, but not for ever, until the table's indexes know of everything that this node has written before: a client of one node
// finds in an index what it has written. Costs nothing where indexes are written together with their items.
[[nodiscard]] base::Task<Result<void>> await_indexes(Engine& engine, const Table& table);

}  // namespace stator::engine
