#include "engine/builder.h"

#include <algorithm>
#include <functional>

#include "engine/early_rows.h"
#include "engine/erase_row.h"
#include "engine/expiry.h"
#include "engine/item_steps.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"

namespace stator::engine {
namespace {

// Small, so that a page's guards rarely collide with writers and its commit does not hold up the requests that it goes with.
constexpr std::size_t kPageItems = 64;

// What is being filled: an index, or the order by expiry where `index` is null.
struct Target {
  TablePtr table;
  const Index* index = nullptr;
  [[nodiscard]] std::uint8_t space() const { return index != nullptr ? index->id : kExpirySpace; }
};

struct NewRow {
  std::string_view key;
  std::string_view value;
  std::int64_t bytes = 0;
};

std::optional<NewRow> row_for(const Target& target, const item::StoredItem& item, std::string_view row_key,
                              base::Arena& arena) {
  if (target.index == nullptr) {
    const std::optional<std::uint64_t> second = expiry_of(*target.table, item, arena);
    if (!second) return std::nullopt;
    return NewRow{expiry_key(*target.table, *second, row_key, arena), "", 0};
  }
  const std::optional<KeyValues> key = find_key_values(target.table->key, item, arena);
  if (!key) return std::nullopt;
  const std::optional<IndexRow> row = index_row(*target.table, *target.index, *key, item, arena);
  if (!row) return std::nullopt;
  return NewRow{row->key, row->item.bytes(), static_cast<std::int64_t>(row->item.item_bytes())};
}

// Plans the rows of one page that are not there yet.
Result<void> plan_page(const Target& target, const std::vector<store::KeyedRow>& items, std::vector<NewRow>& rows,
                       store::Batch& batch, base::Arena& arena) {
  for (const auto& [row_key, stored] : items) {
    if (!stored.exists) continue;
    TRY(const item::StoredItem item, item::StoredItem::open(stored.value.view()));
    const std::optional<NewRow> row = row_for(target, item, row_key, arena);
    if (!row) continue;
    batch.guards.push_back({row_key, stored.version});
    rows.push_back(*row);
  }
  return {};
}

// Reads the items of a page once more, because some have changed.
base::Task<Result<void>> read_again(Engine& engine, std::vector<store::KeyedRow>& items) {
  std::vector<std::string_view> keys;
  for (const store::KeyedRow& item : items) keys.push_back(item.key);
  Result<std::vector<store::Row>> rows = co_await engine.store.get_many(keys, store::ReadMode::latest);
  CO_TRY_VOID(rows);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].row = std::move((*rows)[i]);
  co_return Result<void>();
}

// `guards_rows`: whether somebody may put a row without changing its item, as a propagator does.
void add_new_rows(const Target& target, const std::vector<NewRow>& rows, const std::vector<store::Row>& existing,
                  bool guards_rows, store::Batch& batch, base::Arena& arena) {
  const std::span<std::int64_t> deltas = arena.array<std::int64_t>(2);
  deltas[0] = deltas[1] = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (existing[i].exists) continue;  // a write since the beginning has put it
    if (guards_rows) batch.guards.push_back({rows[i].key, existing[i].version});
    batch.puts.push_back({rows[i].key, rows[i].value});
    deltas[0] += 1;
    deltas[1] += rows[i].bytes;
  }
  if (target.index == nullptr || deltas[0] == 0) return;
  const std::string key = statistics_key(target.table->id, target.index->id);
  batch.adds.push_back({arena.copy(std::string_view(key)), deltas});
}

// Puts the rows of one page, and the place up to which the table is done, in one commit.
base::Task<Result<void>> build_page(Engine& engine, const Target& target, std::vector<store::KeyedRow>& items,
                                    const std::string& progress_key) {
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    if (attempt > 0) {
      const Result<void> again = co_await read_again(engine, items);
      CO_TRY_VOID(again);
    }
    base::Arena arena;
    store::Batch batch;
    std::vector<NewRow> rows;
    CO_TRY_VOID(plan_page(target, items, rows, batch, arena));
    std::vector<std::string_view> new_keys;
    for (const NewRow& row : rows) new_keys.push_back(row.key);
    const Result<std::vector<store::Row>> existing =
        co_await engine.store.get_many(new_keys, store::ReadMode::latest);
    CO_TRY_VOID(existing);
    add_new_rows(target, rows, *existing, engine.outbox != nullptr, batch, arena);
    batch.puts.push_back({progress_key, items.back().key});
    batch.patient = true;
    const Result<void> committed = co_await engine.store.commit(batch);
    if (committed) co_return Result<void>();
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return fail(ErrorCode::internal, "an index cannot be built: its items are changed all the time");
}

base::Task<Result<void>> fill(Engine& engine, const Target& target) {
  const std::string progress_key = build_progress_key(target.table->id, target.space());
  Result<store::Row> progress = co_await engine.store.get(progress_key, store::ReadMode::committed);
  CO_TRY_VOID(progress);
  if (!progress->exists && target.index != nullptr) {
    const Result<void> settled = co_await settle_early_rows(engine, target.table, *target.index);
    CO_TRY_VOID(settled);
  }
  const SpaceBounds items = space_bounds(target.table->id, 0);
  std::string from = progress->exists ? std::string(progress->value.view()) + '\0' : items.from;
  for (;;) {
    if (engine.stopping.load()) co_return fail(ErrorCode::unavailable, "stopping");
    if (!engine.leases.holds(target.table->id)) co_return fail(ErrorCode::unavailable, "another node goes on");
    Result<std::vector<store::KeyedRow>> page = co_await engine.store.get_range({from, items.to}, kPageItems);
    CO_TRY_VOID(page);
    if (page->empty()) co_return Result<void>();
    const Result<void> built = co_await build_page(engine, target, *page, progress_key);
    CO_TRY_VOID(built);
    from = page->back().key + '\0';
  }
}

base::Task<Result<void>> erase_space(Engine& engine, TableId table, std::uint8_t space) {
  const SpaceBounds bounds = space_bounds(table, space);
  const Result<void> erased = co_await engine.store.erase_range({bounds.from, bounds.to});
  CO_TRY_VOID(erased);
  const std::string from_statistics = statistics_key(table, space);
  const std::string to_statistics = statistics_key(table, static_cast<std::uint8_t>(space + 1));
  const Result<void> statistics = co_await engine.store.erase_range({from_statistics, to_statistics});
  co_return statistics;
}

// Comes before the change of state: a process that ends between the two walks through the items once more and finds their
// rows, while a place that is left behind would make a later building of the same space skip them.
base::Task<Result<void>> forget_progress(Engine& engine, TableId table, std::uint8_t space) {
  return erase_row(engine.store, build_progress_key(table, space));
}

// Attribute definitions that no key uses any more go with the index that used them.
void drop_unused_definitions(Table& table) {
  std::erase_if(table.definitions, [&](const KeyAttribute& definition) {
    return !table.key.contains(definition.name) &&
           std::none_of(table.indexes.begin(), table.indexes.end(),
                        [&](const Index& index) { return index.key.contains(definition.name); });
  });
}

base::Task<Result<void>> finish_index(Engine& engine, TablePtr table, IndexId id) {
  const TableId table_id = table->id;
  const auto change = [table_id, id](Table& current) -> Result<void> {
    if (current.id != table_id) return {};
    for (Index& index : current.indexes) {
      if (index.id == id && index.state == IndexState::creating) index.state = IndexState::active;
    }
    std::erase_if(current.indexes, [&](const Index& index) {
      return index.id == id && index.state == IndexState::deleting;
    });
    drop_unused_definitions(current);
    return {};
  };
  const Result<void> forgotten = co_await forget_progress(engine, table_id, id);
  CO_TRY_VOID(forgotten);
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

base::Task<Result<void>> finish_ttl(Engine& engine, TablePtr table, TtlState from, TtlState to) {
  const TableId table_id = table->id;
  const auto change = [table_id, from, to](Table& current) -> Result<void> {
    if (current.id == table_id && current.ttl.state == from) current.ttl.state = to;
    return {};
  };
  const Result<void> forgotten = co_await forget_progress(engine, table_id, kExpirySpace);
  CO_TRY_VOID(forgotten);
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

// While the table is shown as UPDATING, an index that comes has no place yet and one that goes is still there.
bool waits_for_table(const Engine& engine, const Table& table) {
  const bool changes = std::any_of(table.indexes.begin(), table.indexes.end(),
                                   [](const Index& index) { return index.state != IndexState::active; });
  return changes && table.status(engine.clock.now_ms()) == TableStatus::updating;
}

}  // namespace

bool needs_building(const Table& table) {
  return table.ttl.state == TtlState::building || table.ttl.state == TtlState::erasing ||
         std::any_of(table.indexes.begin(), table.indexes.end(),
                     [](const Index& index) { return index.state != IndexState::active; });
}

base::Task<Result<bool>> advance_building(Engine& engine, TablePtr table) {
  if (waits_for_table(engine, *table) || !engine.catalog.drained(table->id)) co_return true;
  const Result<void> fenced = co_await engine.catalog.fence_writers(*table);
  CO_TRY_VOID(fenced);
  for (const Index& index : table->indexes) {
    if (index.state == IndexState::active) continue;
    Result<void> done;
    if (index.state == IndexState::creating) {
      const Target target{table, &index};
      done = co_await fill(engine, target);
    } else {
      done = co_await erase_space(engine, table->id, index.id);
    }
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_index(engine, table, index.id);
    CO_TRY_VOID(finished);
  }
  if (table->ttl.state == TtlState::building) {
    const Target target{table, nullptr};
    const Result<void> done = co_await fill(engine, target);
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_ttl(engine, table, TtlState::building, TtlState::on);
    CO_TRY_VOID(finished);
  } else if (table->ttl.state == TtlState::erasing) {
    const Result<void> done = co_await erase_space(engine, table->id, kExpirySpace);
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_ttl(engine, table, TtlState::erasing, TtlState::off);
    CO_TRY_VOID(finished);
  }
  co_return false;
}

}  // namespace stator::engine
