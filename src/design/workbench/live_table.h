#pragma once

#include <string>

#include "base/result.h"
#include "client/client.h"
#include "design/workbench/infer.h"

namespace stator::design {

// Describes a table and reads up to `items_max` of its items: evenly from all parts of its key space, by a parallel
// scan of which each segment gives its first items. Costs the read units of what it reads.
[[nodiscard]] Result<InferInput> read_live_table(client::Client& client, const std::string& table,
                                                 std::size_t items_max);

}  // namespace stator::design
