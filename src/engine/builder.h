#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Brings what a table has got or lost while it lives into its final state: rows of a new index, rows of an index that is going
// away, the order by expiry of a table whose time to live was switched on or off. Run in the background; each call does what
// there is to do for one table and returns whether something was left undone because writes, or the table's own change, were
// still under way.
//
// New rows: writes that know of the index keep it up to date from the moment the table was changed. When all writes that began
// before have ended, the items that were there are walked through once, and each row is put under a guard on
// its item. The place is stored with each commit, so that a restart goes on where it was.
[[nodiscard]] base::Task<Result<bool>> advance_building(Engine& engine, TablePtr table);

// Whether there is anything to do.
[[nodiscard]] bool needs_building(const Table& table);

}  // namespace stator::engine
