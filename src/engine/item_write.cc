#include "engine/item_write.h"

#include "engine/capacity_hold.h"
#include "engine/item_steps.h"

namespace stator::engine {
namespace {

// A condition that failed is paid for by the size of the item that is there.
Error paid_refusal(const Error& error, TablePtr table, HalfUnits cost) {
  auto detail = std::make_shared<ConditionFailedDetail>();
  if (const auto* given = dynamic_cast<const ConditionFailedDetail*>(error.detail.get())) {
    detail->item_text = given->item_text;
  }
  detail->table = std::move(table);
  detail->cost = cost;
  return {error.code, error.message, std::move(detail)};
}

}  // namespace

base::Task<Result<WriteOutcome>> write_item(Engine& engine, TablePtr table, KeyValues key,
                                            const ItemDecision& decision, bool collection_metrics,
                                            base::Arena& arena) {
  Step step;
  step.row_key = table_row_key(*table, key, arena);
  if (engine.transactions.is_locked(step.row_key)) {
    co_return fail(ErrorCode::transaction_conflict, "Transaction is ongoing for the item");
  }
  store::Batch batch;
  CapacityHold hold(engine, *table, arena);
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<store::Row> row = co_await engine.store.get(step.row_key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    step.row = std::move(*row);
    CO_TRY_VOID(open_row(step));

    const Result<void> decided = decide(step, decision, arena);
    if (!decided) {
      const bool paid = decided.error().code == ErrorCode::condition_failed;
      const HalfUnits cost = write_cost(step.before ? step.before->item_bytes() : 0);
      if (paid) CO_TRY_VOID(hold.take_write(step.row_key, cost, {}));
      const Result<void> settled = co_await settle_refusal(engine.store, {&step, 1});
      if (settled && !paid) co_return tl::unexpected(decided.error());
      if (settled) {
        hold.keep();
        co_return tl::unexpected(paid_refusal(decided.error(), table, cost));
      }
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
    const std::span<const IndexCost> index_costs = plan_change(change, batch, outcome.consumed, arena);
    const bool has_collections = !table->indexes.empty() && table->has_local_indexes();
    if (has_collections) {
      const Result<void> fits = co_await check_collections(engine, batch.adds);
      CO_TRY_VOID(fits);
    }
    CO_TRY_VOID(hold.take_write(step.row_key, outcome.consumed.table_cost, index_costs));
    const Result<void> committed = co_await engine.store.commit(batch);
    if (!committed) {
      if (committed.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(committed.error());
    }
    hold.keep();
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
