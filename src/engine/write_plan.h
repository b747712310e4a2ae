#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "base/task.h"
#include "engine/capacity.h"
#include "engine/row_key.h"
#include "engine/table.h"
#include "item/stored_item.h"
#include "store/store.h"

namespace stator::engine {

// A row of an index that is still being built, as it was read: an item from before the index may not have its row yet.
struct BuildingRow {
  IndexId index = 0;
  std::string_view key;
  bool exists = false;
  store::Version version = 0;
};

// One item as it was read and as it shall be.
struct ItemChange {
  const Table& table;
  KeyValues key;
  std::string_view row_key;
  store::Version version;                    // of the row that `before` was read from
  const item::StoredItem* before = nullptr;  // null: no item
  const item::StoredItem* after = nullptr;   // null: erased, or still none
  std::int64_t now_ms = 0;                   // when the write was asked for
  bool by_service = false;                   // by time to live, not by a client
  // Where numbers for outbox rows come from: global indexes are told of the change by one. Null: their rows are in the commit.
  std::atomic<std::uint64_t>* outbox = nullptr;
  std::span<const BuildingRow> building = {};  // where Table::builds_index: see find_building_rows
};

// What one row of an index costs: a change of the index's key is the cost of two.
struct IndexCost {
  const Index* index;
  HalfUnits cost;
  std::string_view row_key;
};

// Adds to `batch` all that the change needs in one commit: the guard, the row, the rows of every index (or an outbox row for
// global ones) and the statistics. Adds to `consumed` what it costs, and returns what of it was for which row of an index. Pure: no I/O, runs again
// after a conflict.
std::span<const IndexCost> plan_change(const ItemChange& change, store::Batch& batch, ConsumedCapacity& consumed,
                                       base::Arena& arena);

// Fills ItemChange::building of changes whose table has an index in state `creating`; costs nothing for others. To be called
// before plan_change, which guards on the rows: a write counts what it takes out of such an index only if it was there.
[[nodiscard]] base::Task<Result<void>> find_building_rows(store::Store& store, std::span<ItemChange> changes,
                                                          base::Arena& arena);

// Whether two stored items are equal as items; their texts may differ in the order of attributes and set members.
[[nodiscard]] bool same_item(const item::StoredItem& a, const item::StoredItem& b, base::Arena& arena);

// The row of an index for an item, or nothing where the item is not in the index.
struct IndexRow {
  std::string_view key;
  item::StoredItem item;
};
[[nodiscard]] std::optional<IndexRow> index_row(const Table& table, const Index& index,
                                                const KeyValues& table_key, const item::StoredItem& item,
                                                base::Arena& arena);

}  // namespace stator::engine
