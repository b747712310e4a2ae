#include "engine/early_rows.h"

#include "engine/item_steps.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"
#include "store/collect_rows.h"

namespace stator::engine {
namespace {

constexpr std::size_t kKeysAtOnce = 100;

// What the item wants in the index now; nothing where it is gone or not in the index.
Result<std::optional<IndexRow>> wanted_row(const Table& table, const Index& index, const KeyValues& key,
                                           const store::Row& row, base::Arena& arena) {
  if (!row.exists) return std::nullopt;
  TRY(const item::StoredItem item, item::StoredItem::open(row.value.view()));
  return index_row(table, index, key, item, arena);
}

base::Task<Result<void>> settle_row(Engine& engine, const Table& table, const Index& index, std::string_view row_key) {
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    base::Arena arena;
    const Result<store::Row> row = co_await engine.store.get(row_key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    if (!row->exists) co_return Result<void>();
    CO_TRY(const item::StoredItem projected, item::StoredItem::open(row->value.view()));
    const std::optional<KeyValues> key = find_key_values(table.key, projected, arena);
    if (!key) co_return fail(ErrorCode::corruption, "a row of an index has no key of its item");
    const std::string_view item_key = table_row_key(table, *key, arena);
    const Result<store::Row> item = co_await engine.store.get(item_key, store::ReadMode::latest);
    CO_TRY_VOID(item);
    CO_TRY(const std::optional<IndexRow> wanted, wanted_row(table, index, *key, *item, arena));
    const bool stays = wanted && wanted->key == row_key;
    if (stays && wanted->item.bytes() == row->value.view()) co_return Result<void>();
    store::Batch batch;
    batch.guards = {{row_key, row->version}, {item_key, item->version}};
    std::int64_t deltas[] = {-1, -static_cast<std::int64_t>(projected.item_bytes())};
    if (stays) {
      batch.puts.push_back({row_key, wanted->item.bytes()});
      deltas[0] += 1;
      deltas[1] += static_cast<std::int64_t>(wanted->item.item_bytes());
    } else {
      batch.erases.push_back(row_key);
    }
    const std::string statistics = statistics_key(table.id, index.id);
    batch.adds.push_back({statistics, deltas});
    const Result<void> committed = co_await engine.store.commit(batch);
    if (committed || committed.error().code != ErrorCode::conflict) co_return committed;
  }
  co_return fail(ErrorCode::internal, "an index cannot be built: its items are changed all the time");
}

}  // namespace

base::Task<Result<void>> settle_early_rows(Engine& engine, TablePtr table, const Index& index) {
  const SpaceBounds rows = space_bounds(table->id, index.id);
  std::string from = rows.from;
  for (;;) {
    if (engine.stopping.load()) co_return fail(ErrorCode::unavailable, "stopping");
    store::CollectKeys page(kKeysAtOnce);
    const Result<void> scanned = co_await engine.store.scan({from, rows.to}, store::Direction::ascending, page);
    CO_TRY_VOID(scanned);
    if (page.keys.empty()) co_return Result<void>();
    for (const std::string& key : page.keys) {
      const Result<void> settled = co_await settle_row(engine, *table, index, key);
      CO_TRY_VOID(settled);
    }
    from = page.keys.back() + '\0';
  }
}

}  // namespace stator::engine
