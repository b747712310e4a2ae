#include "engine/delete_item.h"
#include "engine/put_item.h"
#include "engine/update_item.h"
#include "partiql/execute.h"
#include "partiql/plan.h"

namespace stator::partiql {
namespace {

base::Task<Result<ExecuteResult>> run_insert(engine::Engine& engine, const BoundStatement& statement,
                                             const WritePlan& plan, base::Arena& arena) {
  engine::PutItemRequest request;
  request.table_name = statement.table_name;
  request.item = statement.item;
  request.condition = plan.condition;
  Result<engine::WriteOutcome> outcome = co_await engine::put_item(engine, request, arena);
  if (!outcome && outcome.error().code == ErrorCode::condition_failed) {
    Error duplicate = duplicate_item();
    duplicate.detail = outcome.error().detail;
    co_return tl::unexpected(std::move(duplicate));
  }
  CO_TRY_VOID(outcome);
  ExecuteResult result;
  result.consumed = std::move(outcome->consumed);
  co_return result;
}

// What RETURNING asks for; nothing where there is none of it.
void append_returned(Returning returning, const engine::UpdateOutcome& outcome, base::Buffer& items,
                     base::Arena& arena) {
  const bool old = returning == Returning::all_old || returning == Returning::modified_old;
  const std::optional<item::StoredItem>& item = old ? outcome.write.before : outcome.write.after;
  if (returning == Returning::none || !item) return;
  if (returning == Returning::all_old || returning == Returning::all_new) {
    items.append(item->text());
    return;
  }
  const std::size_t start = items.size();
  if (outcome.targets.append(items, *item, arena) == 0) items.truncate(start);
}

base::Task<Result<ExecuteResult>> run_update(engine::Engine& engine, const BoundStatement& statement,
                                             const WritePlan& plan, const ExecuteOptions& options,
                                             base::Buffer& items, base::Arena& arena) {
  engine::UpdateItemRequest request;
  request.table_name = statement.table_name;
  request.key = plan.key;
  request.update = statement.update;
  request.condition = plan.condition;
  request.return_item_on_failure = options.return_item_on_failure;
  request.measure = engine::UpdateMeasure::item;
  Result<engine::UpdateOutcome> outcome = co_await engine::update_item(engine, request, arena);
  CO_TRY_VOID(outcome);
  append_returned(statement.returning, *outcome, items, arena);
  ExecuteResult result;
  result.consumed = std::move(outcome->write.consumed);
  co_return result;
}

base::Task<Result<ExecuteResult>> run_delete(engine::Engine& engine, const BoundStatement& statement,
                                             const WritePlan& plan, const ExecuteOptions& options,
                                             base::Buffer& items, base::Arena& arena) {
  engine::DeleteItemRequest request;
  request.table_name = statement.table_name;
  request.key = plan.key;
  request.condition = plan.condition;
  request.return_item_on_failure = options.return_item_on_failure;
  Result<engine::WriteOutcome> outcome = co_await engine::delete_item(engine, request, arena);
  CO_TRY_VOID(outcome);
  if (statement.returning == Returning::all_old && outcome->before) items.append(outcome->before->text());
  ExecuteResult result;
  result.consumed = std::move(outcome->consumed);
  co_return result;
}

}  // namespace

Error duplicate_item() { return {ErrorCode::duplicate_item, "Duplicate primary key exists in table"}; }

base::Task<Result<ExecuteResult>> execute_write(engine::Engine& engine, const BoundStatement& statement,
                                                const ExecuteOptions& options, base::Buffer& items,
                                                base::Arena& arena) {
  CO_TRY(const engine::TablePtr table, engine.catalog.find_usable(statement.table_name));
  CO_TRY(const WritePlan plan, plan_write(statement, *table, arena));
  if (statement.kind == StatementKind::insert) {
    Result<ExecuteResult> result = co_await run_insert(engine, statement, plan, arena);
    co_return result;
  }
  if (statement.kind == StatementKind::update) {
    Result<ExecuteResult> result = co_await run_update(engine, statement, plan, options, items, arena);
    co_return result;
  }
  Result<ExecuteResult> result = co_await run_delete(engine, statement, plan, options, items, arena);
  co_return result;
}

base::Task<Result<ExecuteResult>> execute(engine::Engine& engine, const BoundStatement& statement,
                                          const ExecuteOptions& options, base::Buffer& items, base::Arena& arena) {
  if (statement.kind == StatementKind::exists) {
    return base::Task<Result<ExecuteResult>>::ready(
        invalid("EXISTS can only be used in ExecuteTransaction write requests."));
  }
  return statement.kind == StatementKind::select ? execute_select(engine, statement, options, items, arena)
                                                 : execute_write(engine, statement, options, items, arena);
}

}  // namespace stator::partiql
