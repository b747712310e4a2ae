#pragma once

#include "engine/read_page.h"

// ExclusiveStartKey: the key behind which a page starts, checked against the schema of what is
// read.
namespace stator::engine {

struct StartKey {
  std::string_view row_key;         // in the arena
  std::size_t partition_bytes = 0;  // length of the part of `row_key` that names the partition
};

// Queries look at the start key in steps, between which they look at their key condition.
// 1. Exactly the keys of the table and of the index, as far as their number tells.
[[nodiscard]] Result<void> check_start_key_count(const ReadTarget& target,
                                                 item::Attributes start_key);
// 2. The partition key, then the sort key of what is read.
[[nodiscard]] Result<void> check_start_key_part(const std::vector<KeyAttribute>& part,
                                                item::Attributes start_key);
// 3. Sizes, and the key of the table.
[[nodiscard]] Result<StartKey> resolve_start_key(const ReadTarget& target,
                                                 item::Attributes start_key, base::Arena& arena);

// The same for a Scan, which has no condition, and words of its own for a table: steps 1 and 2 for an index, then the
// rest.
[[nodiscard]] Result<void> check_scan_start_key(const ReadTarget& target, item::Attributes start_key);
[[nodiscard]] Result<StartKey> scan_start_key(const ReadTarget& target, item::Attributes start_key,
                                              base::Arena& arena);

}  // namespace stator::engine
