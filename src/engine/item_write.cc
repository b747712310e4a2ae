#include "engine/item_write.h"

#include <cmath>

#include "engine/write_plan.h"

namespace stator::engine {
namespace {

// Every conflict means that another writer got on, so this is a bound against our own mistakes only.
constexpr int kConflictsMax = 100'000;

// One item on its way through read, decide and plan.
struct Step {
  std::string_view row_key;
  store::Row row;
  std::optional<item::StoredItem> before;
  std::optional<item::StoredItem> after;
};

Result<void> open_row(Step& step) {
  step.before.reset();
  if (step.row.exists) {
    TRY(step.before, item::StoredItem::open(step.row.value.view()));
  }
  return {};
}

Result<void> decide(Step& step, const ItemDecision& decision, base::Arena& arena) {
  step.after.reset();
  TRY(const std::optional<std::string_view> after,
      decision.decide(step.before ? &*step.before : nullptr, arena));
  if (after) {
    TRY(step.after, item::StoredItem::open(*after));
  }
  return {};
}

ItemChange change_of(const Step& step, const Table& table, const KeyValues& key) {
  return {table,
          key,
          step.row_key,
          step.row.version,
          step.before ? &*step.before : nullptr,
          step.after ? &*step.after : nullptr};
}

// A refusal may rest on a write that is not durable yet. It is given out only when that write is, or not at all: a commit
// of the guard alone waits for it.
base::Task<Result<void>> settle_refusal(store::Store& store, std::span<const Step> steps) {
  store::Batch batch;
  for (const Step& step : steps) batch.guards.push_back({step.row_key, step.row.version});
  const Result<void> settled = co_await store.commit(batch);
  co_return settled;
}

// The growth of item collections must stay under the limit of tables with local indexes.
base::Task<Result<void>> check_collections(Engine& engine, const Table& table, const store::Batch& batch) {
  for (const store::Add& add : batch.adds) {
    const bool is_collection = add.key.size() > kSpaceBytes &&
                               static_cast<std::uint8_t>(add.key[kSpaceBytes - 1]) == kCollectionSpace &&
                               add.key.substr(0, 4) != std::string_view("\0\0\0\0", 4);
    if (!is_collection || add.deltas[0] <= 0) continue;
    const Result<std::vector<std::int64_t>> size = co_await engine.store.counters(add.key, 1);
    CO_TRY_VOID(size);
    if (size->front() + add.deltas[0] > kCollectionBytesMax) {
      co_return fail(ErrorCode::collection_too_large,
                     "Collection size exceeded for table " + table.name +
                         ": an item collection of a table with local secondary indexes may hold 10 GB");
    }
  }
  co_return Result<void>();
}

base::Task<Result<CollectionMetrics>> read_collection(Engine& engine, const Table& table, KeyValues key,
                                                      base::Arena& arena) {
  const Result<std::vector<std::int64_t>> size =
      co_await engine.store.counters(collection_key(table, key.partition, arena), 1);
  CO_TRY_VOID(size);
  CollectionMetrics metrics;
  metrics.partition_key_name = table.key.partition.front().name;
  base::Buffer text;
  item::append_value(text, key.partition.front());
  metrics.partition_key_text = arena.copy(text.view());
  constexpr double kGigabyte = 1024.0 * 1024.0 * 1024.0;
  metrics.lower_gb = std::floor(static_cast<double>(size->front()) / kGigabyte);
  metrics.upper_gb = metrics.lower_gb + 1;
  co_return metrics;
}

}  // namespace

base::Task<Result<WriteOutcome>> write_item(Engine& engine, TablePtr table, KeyValues key,
                                            const ItemDecision& decision, bool collection_metrics,
                                            base::Arena& arena) {
  Step step;
  step.row_key = table_row_key(*table, key, arena);
  store::Batch batch;
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<store::Row> row = co_await engine.store.get(step.row_key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    step.row = std::move(*row);
    CO_TRY_VOID(open_row(step));

    const Result<void> decided = decide(step, decision, arena);
    if (!decided) {
      const Result<void> settled = co_await settle_refusal(engine.store, {&step, 1});
      if (settled) co_return tl::unexpected(decided.error());
      if (settled.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(settled.error());
    }

    WriteOutcome outcome;
    batch.clear();
    plan_change(change_of(step, *table, key), batch, outcome.consumed, arena);
    const bool has_collections = !table->indexes.empty() && table->has_local_indexes();
    if (has_collections) {
      const Result<void> fits = co_await check_collections(engine, *table, batch);
      CO_TRY_VOID(fits);
    }
    const Result<void> committed = co_await engine.store.commit(batch);
    if (!committed) {
      if (committed.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(committed.error());
    }
    if (collection_metrics && has_collections) {
      Result<CollectionMetrics> metrics = co_await read_collection(engine, *table, key, arena);
      CO_TRY_VOID(metrics);
      outcome.collection = *metrics;
    }
    outcome.consumed.table = std::move(table);
    outcome.before_bytes = std::move(step.row.value);
    outcome.before = step.before;
    outcome.after = step.after;
    co_return outcome;
  }
  co_return fail(ErrorCode::internal, "an item is changed by too many writers at once");
}

base::Task<Result<std::vector<WriteOutcome>>> write_items(Engine& engine,
                                                          std::span<const PlannedWrite> writes,
                                                          bool collection_metrics, base::Arena& arena) {
  std::vector<Step> steps(writes.size());
  std::vector<std::string_view> keys(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    keys[i] = steps[i].row_key = table_row_key(*writes[i].table, writes[i].key, arena);
  }
  store::Batch batch;
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<std::vector<store::Row>> rows = co_await engine.store.get_many(keys, store::ReadMode::latest);
    CO_TRY_VOID(rows);
    std::vector<WriteOutcome> outcomes(writes.size());
    batch.clear();
    std::optional<Error> refusal;
    for (std::size_t i = 0; i < writes.size() && !refusal; ++i) {
      steps[i].row = std::move((*rows)[i]);
      CO_TRY_VOID(open_row(steps[i]));
      const Result<void> decided = decide(steps[i], *writes[i].decision, arena);
      if (!decided) {
        refusal = decided.error();
      } else {
        plan_change(change_of(steps[i], *writes[i].table, writes[i].key), batch, outcomes[i].consumed,
                    arena);
      }
    }
    if (refusal) co_return tl::unexpected(*refusal);
    for (const PlannedWrite& write : writes) {
      if (write.table->indexes.empty() || !write.table->has_local_indexes()) continue;
      const Result<void> fits = co_await check_collections(engine, *write.table, batch);
      CO_TRY_VOID(fits);
    }
    const Result<void> committed = co_await engine.store.commit(batch);
    if (!committed) {
      if (committed.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(committed.error());
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      outcomes[i].consumed.table = writes[i].table;
      if (collection_metrics && writes[i].table->has_local_indexes()) {
        Result<CollectionMetrics> metrics =
            co_await read_collection(engine, *writes[i].table, writes[i].key, arena);
        CO_TRY_VOID(metrics);
        outcomes[i].collection = *metrics;
      }
    }
    co_return outcomes;
  }
  co_return fail(ErrorCode::internal, "items are changed by too many writers at once");
}

}  // namespace stator::engine
