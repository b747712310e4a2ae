#include "engine/item_write.h"

#include "engine/item_steps.h"

namespace stator::engine {

base::Task<Result<WriteOutcome>> write_item(Engine& engine, TablePtr table, KeyValues key,
                                            const ItemDecision& decision, bool collection_metrics,
                                            base::Arena& arena) {
  Step step;
  step.row_key = table_row_key(*table, key, arena);
  if (engine.transactions.is_locked(step.row_key)) {
    co_return fail(ErrorCode::transaction_conflict, "Transaction is ongoing for the item");
  }
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
    ItemChange change = change_of(engine, step, *table, key);
    if (table->builds_index) {
      const Result<void> found = co_await find_building_rows(engine.store, {&change, 1}, arena);
      CO_TRY_VOID(found);
    }
    plan_change(change, batch, outcome.consumed, arena);
    const bool has_collections = !table->indexes.empty() && table->has_local_indexes();
    if (has_collections) {
      const Result<void> fits = co_await check_collections(engine, batch.adds);
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

}  // namespace stator::engine
