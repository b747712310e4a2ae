#include "engine/write_items.h"

#include "base/turn.h"
#include "engine/capacity_hold.h"
#include "engine/item_steps.h"

namespace stator::engine {
namespace {

struct Plan {
  std::vector<Step> steps;
  std::vector<ItemChange> changes;        // of the writes that change something, with
  std::vector<std::size_t> changed;       // their places among the writes
  std::vector<std::string_view> keys;
  std::vector<CapacityHold> holds;        // one per write
  store::Batch batch;
  MultiWriteResult result;
  bool transactional = false;
};

// How far a commit was filled before something was added to it.
struct BatchMark {
  explicit BatchMark(const store::Batch& batch)
      : guards(batch.guards.size()), puts(batch.puts.size()), erases(batch.erases.size()), adds(batch.adds.size()),
        appends(batch.appends.size()), fences(batch.fences.size()) {}
  void cut(store::Batch& batch) const {
    batch.guards.resize(guards);
    batch.puts.resize(puts);
    batch.erases.resize(erases);
    batch.adds.resize(adds);
    batch.appends.resize(appends);
    batch.fences.resize(fences);
  }
  std::size_t guards, puts, erases, adds, appends, fences;
};

// Decides on every item. An error is one that no item is to blame for.
base::Task<Result<void>> decide_all(const Engine& engine, const MultiWrite& request, std::vector<store::Row> rows,
                                    Plan& plan, base::Arena& arena) {
  const std::size_t count = request.writes.size();
  plan.batch.clear();
  plan.changes.clear();
  plan.changed.clear();
  plan.result.outcomes.clear();
  plan.result.outcomes.resize(count);
  plan.result.left_out.clear();
  std::vector<std::optional<Error>> refusals(count);
  bool refused = false;
  base::Turn turn;
  for (std::size_t i = 0; i < count; ++i) {
    Step& step = plan.steps[i];
    const PlannedWrite& write = request.writes[i];
    step.row = std::move(rows[i]);
    CO_TRY_VOID(open_row(step));
    const Result<void> decided = decide(step, *write.decision, arena);
    if (!decided) {
      refusals[i] = decided.error();
      refused = true;
    } else if (write.check_only) {
      plan.batch.guards.push_back({step.row_key, step.row.version});
      const HalfUnits cost = write_cost(step.before ? step.before->item_bytes() : 0);
      plan.result.outcomes[i].consumed.table_cost = cost * (request.transactional ? 2 : 1);
    } else {
      plan.changes.push_back(change_of(engine, step, *write.table, write.key));
      plan.changed.push_back(i);
    }
    if (turn.is_over()) co_await turn.next();
  }
  plan.result.refusals.clear();
  if (refused) plan.result.refusals = std::move(refusals);
  co_return Result<void>();
}

void refuse(Plan& plan, std::size_t position, const Error& error) {
  plan.result.refusals.resize(plan.steps.size());
  plan.result.refusals[position] = error;
}

// Takes what a write costs; one that is throttled refuses, where that is a reason.
Result<void> take(Plan& plan, std::size_t position, std::span<const IndexCost> index_costs) {
  Result<void> taken = plan.holds[position].take_write(
      plan.steps[position].row_key, plan.result.outcomes[position].consumed.table_cost, index_costs);
  if (!taken && plan.transactional) refuse(plan, position, taken.error());
  return taken;
}

// What the commit of all changes holds, unless one makes an item collection too large.
base::Task<Result<void>> plan_all(Engine& engine, const MultiWrite& request, Plan& plan, base::Arena& arena) {
  const Result<void> found = co_await find_building_rows(engine.store, plan.changes, arena);
  CO_TRY_VOID(found);
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    const std::size_t position = plan.changed[i];
    const BatchMark mark(plan.batch);
    ConsumedCapacity& consumed = plan.result.outcomes[position].consumed;
    const std::span<const IndexCost> index_costs = plan_change(plan.changes[i], plan.batch, consumed, arena);
    // A transactional write costs twice a plain one on the table, and the same on its indexes.
    if (request.transactional) consumed.table_cost *= 2;
    if (plan.changes[i].table.has_local_indexes()) {
      const Result<void> fits = co_await check_collections(engine, std::span(plan.batch.adds).subspan(mark.adds));
      if (!fits) {
        if (fits.error().code != ErrorCode::collection_too_large) co_return tl::unexpected(fits.error());
        refuse(plan, position, fits.error());
        continue;
      }
    }
    const Result<void> taken = take(plan, position, index_costs);
    if (taken || request.transactional) continue;
    mark.cut(plan.batch);
    consumed = ConsumedCapacity();
    plan.result.left_out.resize(plan.steps.size());
    plan.result.left_out[position] = taken.error();
  }
  for (std::size_t i = 0; i < request.writes.size(); ++i) {
    if (request.writes[i].check_only) static_cast<void>(take(plan, i, {}));
  }
  if (request.add_rows) request.add_rows(plan.result.outcomes, plan.batch);
  if (request.premise) plan.batch.guards.push_back(*request.premise);
  co_return Result<void>();
}

// Read after the items: whoever changed both has changed both at once.
base::Task<Result<void>> check_premise(Engine& engine, const MultiWrite& request) {
  if (!request.premise) co_return Result<void>();
  const Result<store::Row> row = co_await engine.store.get(request.premise->key, store::ReadMode::committed);
  CO_TRY_VOID(row);
  if (row->version != request.premise->version) co_return fail(ErrorCode::conflict, "the premise has changed");
  co_return Result<void>();
}

// What is known only after the commit.
base::Task<Result<void>> complete(Engine& engine, const MultiWrite& request, Plan& plan, base::Arena& arena) {
  for (std::size_t i = 0; i < request.writes.size(); ++i) {
    const PlannedWrite& write = request.writes[i];
    WriteOutcome& outcome = plan.result.outcomes[i];
    outcome.consumed.table = write.table.pointer();
    const bool left_out = !plan.result.left_out.empty() && plan.result.left_out[i];
    if (request.collection_metrics && !write.check_only && !left_out && write.table->has_local_indexes()) {
      const Result<CollectionMetrics> metrics =
          co_await read_collection(engine, *write.table, write.key, arena);
      CO_TRY_VOID(metrics);
      outcome.collection = *metrics;
    }
  }
  co_return Result<void>();
}

}  // namespace

base::Task<Result<MultiWriteResult>> write_items(Engine& engine, const MultiWrite& request,
                                                 base::Arena& arena) {
  Plan plan;
  plan.transactional = request.transactional;
  plan.steps.resize(request.writes.size());
  plan.holds.reserve(request.writes.size());
  for (std::size_t i = 0; i < request.writes.size(); ++i) {
    plan.steps[i].row_key = table_row_key(*request.writes[i].table, request.writes[i].key, arena);
    plan.keys.push_back(plan.steps[i].row_key);
    plan.holds.emplace_back(engine, *request.writes[i].table, arena);
  }
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<std::vector<store::Row>> rows =
        co_await engine.store.get_many(plan.keys, store::ReadMode::latest);
    CO_TRY_VOID(rows);
    const Result<void> decided = co_await decide_all(engine, request, std::move(*rows), plan, arena);
    CO_TRY_VOID(decided);
    if (plan.result.done()) {
      const Result<void> planned = co_await plan_all(engine, request, plan, arena);
      CO_TRY_VOID(planned);
    }
    Result<void> committed;
    if (plan.result.done()) {
      committed = co_await engine.store.commit(plan.batch);
    } else {
      committed = co_await settle_refusal(engine.store, plan.steps);
    }
    if (!committed && committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
    if (!committed || !plan.result.done()) {
      const Result<void> checked = co_await check_premise(engine, request);
      CO_TRY_VOID(checked);
    }
    if (committed) {
      if (plan.result.done()) {
        for (CapacityHold& hold : plan.holds) hold.keep();
        const Result<void> completed = co_await complete(engine, request, plan, arena);
        CO_TRY_VOID(completed);
      }
      co_return std::move(plan.result);
    }
  }
  co_return fail(ErrorCode::internal, "items are changed by too many writers at once");
}

}  // namespace stator::engine
