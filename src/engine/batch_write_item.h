#pragma once

#include <vector>

#include "engine/item_write.h"

namespace stator::engine {

inline constexpr std::size_t kBatchWriteItemsMax = 25;

// Either a put of a whole item or a delete by key.
struct BatchWrite {
  std::string_view table_name;
  item::Attributes attributes;
  bool is_put = true;
};

// One outcome per write, in the order of the request. All writes of a batch go to disk in one commit, which is more than
// the service promises (it may do a part); they succeed or fail together.
[[nodiscard]] base::Task<Result<std::vector<WriteOutcome>>> batch_write_item(Engine& engine,
                                                                             std::span<const BatchWrite> writes,
                                                                             bool collection_metrics,
                                                                             base::Arena& arena);

}  // namespace stator::engine
