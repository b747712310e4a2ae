#include "engine/build_rows.h"

#include <utility>

#include "engine/expiry.h"
#include "engine/item_steps.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"

namespace stator::engine {
namespace {

struct NewRow {
  std::string_view key;
  std::string_view value;
  std::int64_t bytes = 0;
};

std::optional<NewRow> row_for(const BuildTarget& target, const item::StoredItem& item, std::string_view row_key,
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

// Plans the rows of some items, each under a guard on its item.
Result<void> plan_rows(const BuildTarget& target, const std::vector<store::KeyedRow>& items, std::vector<NewRow>& rows,
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

// Because some have changed.
base::Task<Result<void>> read_again(Engine& engine, std::vector<store::KeyedRow>& items) {
  std::vector<std::string_view> keys;
  for (const store::KeyedRow& item : items) keys.push_back(item.key);
  Result<std::vector<store::Row>> rows = co_await engine.store.get_many(keys, store::ReadMode::latest);
  CO_TRY_VOID(rows);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].row = std::move((*rows)[i]);
  co_return Result<void>();
}

// `guards_rows`: whether somebody may put a row without changing its item, as a propagator does.
void add_new_rows(const BuildTarget& target, const std::vector<NewRow>& rows, const std::vector<store::Row>& existing,
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

base::Task<Result<void>> plan_commit(Engine& engine, const BuildTarget& target, BuiltRows& built, base::Turns& turns) {
  built.batch = {};
  built.arena = std::make_unique<base::Arena>();
  std::vector<NewRow> rows;
  CO_TRY_VOID(plan_rows(target, built.items, rows, built.batch, *built.arena));
  turns.may_end();
  std::vector<std::string_view> new_keys;
  for (const NewRow& row : rows) new_keys.push_back(row.key);
  const Result<std::vector<store::Row>> existing =
      co_await engine.store.get_many(new_keys, store::ReadMode::latest);
  CO_TRY_VOID(existing);
  turns.may_end();
  add_new_rows(target, rows, *existing, engine.outbox != nullptr, built.batch, *built.arena);
  built.batch.puts.push_back({target.progress_key, built.items.back().key});
  built.batch.patient = true;
  co_return Result<void>();
}

}  // namespace

base::Task<Result<std::unique_ptr<BuiltRows>>> prepare_rows(Engine& engine, const BuildTarget& target,
                                                            std::vector<store::KeyedRow> items, base::Turns& turns) {
  auto built = std::make_unique<BuiltRows>();
  built->items = std::move(items);
  const Result<void> planned = co_await plan_commit(engine, target, *built, turns);
  CO_TRY_VOID(planned);
  co_return built;
}

base::Task<Result<void>> commit_rows(Engine& engine, const BuildTarget& target, BuiltRows& built, base::Turns& turns) {
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    if (attempt > 0) {
      const Result<void> again = co_await read_again(engine, built.items);
      CO_TRY_VOID(again);
      const Result<void> planned = co_await plan_commit(engine, target, built, turns);
      CO_TRY_VOID(planned);
    }
    const Result<void> committed = co_await engine.store.commit(built.batch);
    if (committed) co_return Result<void>();
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return fail(ErrorCode::internal, "an index cannot be built: its items are changed all the time");
}

}  // namespace stator::engine
