#pragma once

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Applies the outbox rows that nodes have left which are gone, in the tables whose background work is this node's. Reads the marks
// and nothing else where there is nothing to do; else each marked table once. Any number of nodes may do it at once.
//
// A node that is gone may have a commit on its way, and one that was only paused will go on. So the table's revision is raised
// first, and writes with an older one are shut out: what is not there then never comes. Only then the table is looked through,
// and when everything is applied the marks go, under a guard: a node that has gone on and marked the table again keeps its mark. What is
// damaged is passed over (propagate.h) and keeps no mark: the sweep goes on, and does not come back for it.
[[nodiscard]] base::Task<Result<void>> sweep_outbox(Engine& engine);

}  // namespace stator::engine
