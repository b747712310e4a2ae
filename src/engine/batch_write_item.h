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

struct BatchWriteResult {
  std::vector<WriteOutcome> outcomes;    // one per write, in the order of the request
  std::vector<std::size_t> unprocessed;  // positions of those that were throttled; their outcomes are empty
};

// All writes of a batch go to disk in one commit, which is more than the service promises (it may do a part); they succeed or
// fail together, but for those that are throttled. If all are, that is the error.
[[nodiscard]] base::Task<Result<BatchWriteResult>> batch_write_item(Engine& engine, std::span<const BatchWrite> writes,
                                                                    bool collection_metrics, base::Arena& arena);

}  // namespace stator::engine
