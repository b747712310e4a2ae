#include "engine/write_plan.h"

#include <algorithm>
#include <vector>

#include "engine/change_log.h"
#include "engine/expiry.h"
#include "engine/outbox_row.h"
#include "item/size.h"

namespace stator::engine {
namespace {

std::int64_t bytes_of(const item::StoredItem* item) {
  return item != nullptr ? static_cast<std::int64_t>(item->item_bytes()) : 0;
}

// The projected attributes of an item, in stored form. Values are copied as text, only their sizes are computed anew.
item::StoredItem project(const Index& index, const item::StoredItem& item, base::Arena& arena) {
  item::StoredItemBuilder builder(arena);
  builder.reserve(std::min(index.projected.size(), item.attribute_count()));
  std::size_t bytes = 0;
  item.for_each([&](std::string_view escaped_name, std::string_view text) {
    const std::string_view name = item::unescape(escaped_name, arena);
    const auto& names = index.projected;
    if (std::find(names.begin(), names.end(), name) == names.end()) return;
    const std::optional<item::Value> value = item::decode_value(text, arena);
    if (!value) return;
    builder.add_text(escaped_name, text);
    bytes += name.size() + item::value_bytes(*value);
  });
  const Result<item::StoredItem> opened = item::StoredItem::open(builder.finish(bytes));
  CHECK(opened.has_value());
  return *opened;
}

bool fits_index(const KeyValues& key) {
  const auto fit = [](std::span<const item::Value> values, std::size_t bytes_max) {
    std::size_t bytes = 0;
    for (const item::Value& value : values) {
      if (value.is(item::Type::number)) continue;
      if (value.text().empty()) return false;
      bytes += value.text().size();
    }
    return bytes <= bytes_max;
  };
  return fit(key.partition, kPartitionKeyBytesMax) && fit(key.sort, kSortKeyBytesMax);
}

void add_statistics(const Table& table, IndexId index, std::int64_t items, std::int64_t bytes,
                    store::Batch& batch, base::Arena& arena) {
  if (items == 0 && bytes == 0) return;
  const std::span<std::int64_t> deltas = arena.array<std::int64_t>(2);
  deltas[0] = items;
  deltas[1] = bytes;
  batch.adds.push_back({arena.copy(std::string_view(statistics_key(table.id, index))), deltas});
}

// Whether the row of the item as it was is in an index that is being built. The guard keeps the builder from putting it
// between the read and the commit.
bool guard_building_row(const ItemChange& change, const Index& index, store::Batch& batch) {
  const auto found = std::find_if(change.building.begin(), change.building.end(),
                                  [&](const BuildingRow& row) { return row.index == index.id; });
  CHECK(found != change.building.end());
  batch.guards.push_back({found->key, found->version});
  return found->exists;
}

// The costs of a change, in the arena: two rows of each index at most.
class IndexCosts {
 public:
  IndexCosts(const Table& table, ConsumedCapacity& consumed, base::Arena& arena)
      : consumed_(consumed), room_(arena.array<IndexCost>(2 * table.indexes.size())) {}

  void add(const Index& index, HalfUnits cost, std::string_view row_key) {
    consumed_.add_index(index, cost);
    room_[count_++] = {&index, cost, row_key};
  }
  [[nodiscard]] std::span<const IndexCost> all() const { return room_.first(count_); }

 private:
  ConsumedCapacity& consumed_;
  std::span<IndexCost> room_;
  std::size_t count_ = 0;
};

// The rows of one index for an item before and after a change.
struct RowPair {
  std::optional<IndexRow> before;
  std::optional<IndexRow> after;
  [[nodiscard]] bool in_place() const { return before && after && before->key == after->key; }
};

RowPair index_rows(const ItemChange& change, const Index& index, base::Arena& arena) {
  RowPair rows;
  if (change.before != nullptr) rows.before = index_row(change.table, index, change.key, *change.before, arena);
  if (change.after != nullptr) rows.after = index_row(change.table, index, change.key, *change.after, arena);
  return rows;
}

// Whether the index has to change at all. Items may differ in spelling; the index row need not follow.
bool differs(const RowPair& rows, base::Arena& arena) {
  if (rows.in_place()) return !same_item(rows.before->item, rows.after->item, arena);
  return rows.before || rows.after;
}

void add_costs(const RowPair& rows, const Index& index, IndexCosts& costs) {
  if (rows.in_place()) {
    costs.add(index, write_cost(std::max(rows.before->item.item_bytes(), rows.after->item.item_bytes())),
              rows.after->key);
    return;
  }
  if (rows.before) costs.add(index, write_cost(rows.before->item.item_bytes()), rows.before->key);
  if (rows.after) costs.add(index, write_cost(rows.after->item.item_bytes()), rows.after->key);
}

// Returns by how many bytes the index grows.
std::int64_t plan_index(const ItemChange& change, const Index& index, store::Batch& batch, IndexCosts& costs,
                        base::Arena& arena) {
  RowPair rows = index_rows(change, index, arena);
  if (rows.before && index.state == IndexState::creating && !guard_building_row(change, index, batch)) {
    rows.before.reset();
  }
  if (!differs(rows, arena)) return 0;
  if (rows.before && !rows.in_place()) batch.erases.push_back(rows.before->key);
  if (rows.after) batch.puts.push_back({rows.after->key, rows.after->item.bytes()});
  add_costs(rows, index, costs);
  const std::int64_t items = (rows.after ? 1 : 0) - (rows.before ? 1 : 0);
  const std::int64_t bytes =
      bytes_of(rows.after ? &rows.after->item : nullptr) - bytes_of(rows.before ? &rows.before->item : nullptr);
  add_statistics(change.table, index.id, items, bytes, batch, arena);
  return bytes;
}

// What the outbox row of a change says of its global indexes.
class OutboxNote {
 public:
  OutboxNote(const ItemChange& change, base::Arena& arena)
      : change_(change), arena_(arena), room_(arena.array<OutboxEntry>(change.table.indexes.size())) {}

  void add(const Index& index, IndexCosts& costs) {
    const RowPair rows = index_rows(change_, index, arena_);
    if (!differs(rows, arena_)) return;
    add_costs(rows, index, costs);
    const bool leaves = rows.before && !rows.in_place();
    room_[count_++] = {index.id, leaves ? rows.before->key : std::string_view()};
  }
  void put(store::Batch& batch) const {
    if (count_ == 0) return;
    batch.puts.push_back({outbox_key(change_.row_key, change_.outbox->fetch_add(1), arena_),
                          encode_outbox(change_.now_ms, room_.first(count_), arena_)});
  }

 private:
  const ItemChange& change_;
  base::Arena& arena_;
  std::span<OutboxEntry> room_;
  std::size_t count_ = 0;
};

// The rows that a change takes out of indexes that are being built; appends their keys.
std::span<BuildingRow> building_rows(const ItemChange& change, std::vector<std::string_view>& keys,
                                     base::Arena& arena) {
  const Table& table = change.table;
  if (!table.builds_index || change.before == nullptr || change.outbox != nullptr) return {};
  const std::span<BuildingRow> rows = arena.array<BuildingRow>(table.indexes.size());
  std::size_t count = 0;
  for (const Index& index : table.indexes) {
    if (index.state != IndexState::creating) continue;
    const std::optional<IndexRow> row = index_row(table, index, change.key, *change.before, arena);
    if (!row) continue;
    rows[count++] = {index.id, row->key};
    keys.push_back(row->key);
  }
  return rows.first(count);
}

base::Task<Result<void>> look_up_building_rows(store::Store& store, std::span<ItemChange> changes,
                                               base::Arena& arena) {
  std::vector<std::string_view> keys;
  std::vector<std::span<BuildingRow>> rows;
  for (const ItemChange& change : changes) rows.push_back(building_rows(change, keys, arena));
  if (keys.empty()) co_return Result<void>();
  const Result<std::vector<store::Row>> found = co_await store.get_many(keys, store::ReadMode::latest);
  CO_TRY_VOID(found);
  std::size_t at = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    for (BuildingRow& row : rows[i]) {
      row.exists = (*found)[at].exists;
      row.version = (*found)[at].version;
      ++at;
    }
    changes[i].building = rows[i];
  }
  co_return Result<void>();
}

}  // namespace

base::Task<Result<void>> find_building_rows(store::Store& store, std::span<ItemChange> changes, base::Arena& arena) {
  const bool any = std::any_of(changes.begin(), changes.end(),
                               [](const ItemChange& change) { return change.table.builds_index && !change.outbox; });
  return any ? look_up_building_rows(store, changes, arena) : base::Task<Result<void>>::ready({});
}

bool same_item(const item::StoredItem& a, const item::StoredItem& b, base::Arena& arena) {
  if (a.text() == b.text()) return true;
  if (a.attribute_count() != b.attribute_count() || a.item_bytes() != b.item_bytes()) return false;
  const item::Attributes left = a.decode(arena);
  return std::all_of(left.begin(), left.end(), [&](const item::Attribute& attribute) {
    const std::optional<item::Value> right = b.find(attribute.name, arena);
    return right && item::equal(attribute.value, *right);
  });
}

std::optional<IndexRow> index_row(const Table& table, const Index& index, const KeyValues& table_key,
                                  const item::StoredItem& item, base::Arena& arena) {
  const std::optional<KeyValues> key = find_key_values(index.key, item, arena);
  // An item that was there before the index may have a key value that no index takes: it stays out, like one without.
  if (!key || !fits_index(*key)) return std::nullopt;
  const std::string_view row_key = index_row_key(table, index, *key, table_key, arena);
  if (index.projection == ProjectionKind::all) return IndexRow{row_key, item};
  return IndexRow{row_key, project(index, item, arena)};
}

std::span<const IndexCost> plan_change(const ItemChange& change, store::Batch& batch, ConsumedCapacity& consumed,
                                       base::Arena& arena) {
  batch.fences.push_back({table_space(change.row_key), static_cast<std::uint64_t>(change.table.revision)});
  batch.guards.push_back({change.row_key, change.version});
  consumed.table_cost += write_cost(
      static_cast<std::size_t>(std::max(bytes_of(change.before), bytes_of(change.after))));
  if (change.after != nullptr) {
    batch.puts.push_back({change.row_key, change.after->bytes()});
  } else if (change.before != nullptr) {
    batch.erases.push_back(change.row_key);
  }
  const std::int64_t items = (change.after != nullptr ? 1 : 0) - (change.before != nullptr ? 1 : 0);
  const std::int64_t bytes = bytes_of(change.after) - bytes_of(change.before);
  add_statistics(change.table, 0, items, bytes, batch, arena);
  log_change(change, batch, arena);
  plan_expiry(change, batch, arena);
  if (change.table.indexes.empty()) return {};

  IndexCosts costs(change.table, consumed, arena);
  std::optional<OutboxNote> note;
  if (change.outbox != nullptr) note.emplace(change, arena);
  std::int64_t collection_bytes = bytes;  // the table's items and their copies in local indexes
  for (const Index& index : change.table.indexes) {
    if (index.state == IndexState::deleting) continue;
    if (note && index.kind == IndexKind::global) {
      note->add(index, costs);
      continue;
    }
    const std::int64_t grown = plan_index(change, index, batch, costs, arena);
    if (index.kind == IndexKind::local) collection_bytes += grown;
  }
  if (note) note->put(batch);
  if (collection_bytes != 0 && change.table.has_local_indexes()) {
    const std::span<std::int64_t> deltas = arena.array<std::int64_t>(1);
    deltas[0] = collection_bytes;
    batch.adds.push_back({collection_key(change.table, change.key.partition, arena), deltas});
  }
  return costs.all();
}

}  // namespace stator::engine
