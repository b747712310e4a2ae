#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "engine/capacity.h"
#include "engine/row_key.h"
#include "engine/table.h"
#include "item/stored_item.h"
#include "store/store.h"

namespace stator::engine {

// One item as it was read and as it shall be.
struct ItemChange {
  const Table& table;
  KeyValues key;
  std::string_view row_key;
  store::Version version;                    // of the row that `before` was read from
  const item::StoredItem* before = nullptr;  // null: no item
  const item::StoredItem* after = nullptr;   // null: erased, or still none
};

// Adds to `batch` all that the change needs in one commit: the guard, the row, the rows of every index and the
// statistics. Adds to `consumed` what it costs. Pure: no I/O, runs again after a conflict.
void plan_change(const ItemChange& change, store::Batch& batch, ConsumedCapacity& consumed,
                 base::Arena& arena);

// The row of an index for an item, or nothing where the item is not in the index.
struct IndexRow {
  std::string_view key;
  item::StoredItem item;
};
[[nodiscard]] std::optional<IndexRow> index_row(const Table& table, const Index& index,
                                                const KeyValues& table_key, const item::StoredItem& item,
                                                base::Arena& arena);

}  // namespace stator::engine
