#include "engine/transact_write_items.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/delete_item.h"
#include "engine/expressions.h"
#include "engine/idempotency.h"
#include "engine/key_check.h"
#include "engine/put_item.h"
#include "engine/update_check.h"
#include "engine/update_item.h"
#include "engine/write_items.h"
#include "item/size.h"

namespace stator::engine {
namespace {

// A condition alone: the item stays as it is.
class CheckDecision final : public ItemDecision {
 public:
  CheckDecision(std::optional<expr::Condition> condition, bool return_item)
      : condition_(std::move(condition)), return_item_(return_item) {}
  [[nodiscard]] Result<std::optional<std::string_view>> decide(const item::StoredItem* before,
                                                               base::Arena& arena) const override {
    TRY_VOID(check_condition(condition_, before, return_item_, arena));
    return std::nullopt;
  }

 private:
  std::optional<expr::Condition> condition_;
  bool return_item_;
};

// The actions of one request, ready to be written.
struct PreparedWrites {
  std::vector<PlannedWrite> writes;
  std::vector<std::unique_ptr<ItemDecision>> decisions;
  std::vector<std::string_view> row_keys;
};

std::unique_ptr<ItemDecision> decision_of(const TransactAction& action, const BoundExpressions& bound,
                                          const Table& table, base::Arena& arena) {
  const bool return_item = action.return_item_on_failure;
  switch (action.kind) {
    case TransactKind::put:
      return std::make_unique<PutDecision>(item::encode_item(action.attributes, arena), bound.condition,
                                           return_item);
    case TransactKind::update:
      return std::make_unique<UpdateDecision>(table, action.attributes, bound.update, bound.condition,
                                              return_item);
    case TransactKind::remove:
      return std::make_unique<DeleteDecision>(bound.condition, return_item);
    case TransactKind::check:
      break;
  }
  return std::make_unique<CheckDecision>(bound.condition, return_item);
}

// The key of one action against its table; what is wrong here is a reason of cancellation.
Result<KeyValues> check_action(const TransactAction& action, const BoundExpressions& bound, const Table& table,
                               base::Arena& arena) {
  if (action.kind != TransactKind::put) {
    TRY(const KeyValues key, check_key(table, action.attributes, arena));
    if (bound.update) TRY_VOID(check_update(table, *bound.update));
    return key;
  }
  return check_item(table, action.attributes, arena);
}

Result<void> check_distinct(std::vector<std::string_view> row_keys) {
  std::sort(row_keys.begin(), row_keys.end());
  if (std::adjacent_find(row_keys.begin(), row_keys.end()) == row_keys.end()) return {};
  return invalid("Transaction request cannot include multiple operations on one item");
}

// What needs no table, action by action: these are errors of the request.
Result<std::vector<BoundExpressions>> bind_actions(const TransactWriteRequest& request, base::Arena& arena) {
  std::vector<BoundExpressions> bound;
  std::size_t bytes = 0;
  for (const TransactAction& action : request.actions) {
    const std::size_t item_bytes = item::item_bytes(action.attributes);
    if (action.kind == TransactKind::put && item_bytes > kItemBytesMax) {
      return invalid("Item size has exceeded the maximum allowed size");
    }
    bytes += item_bytes;
    TRY(BoundExpressions expressions,
        bind_expressions({.update = action.update, .condition = action.condition}, action.parameters, arena));
    bound.push_back(std::move(expressions));
  }
  if (bytes > kTransactBytesMax) return invalid(std::string(kTransactTooLarge));
  return bound;
}

// What does not fit a table's schema cancels the transaction; only the first such action is named.
Error canceled_by(const Error& error, std::size_t position, std::size_t count) {
  std::vector<CancellationReason> reasons(count);
  reasons[position] = {"ValidationError", error.message, ""};
  return transaction_canceled(std::move(reasons));
}

Result<PreparedWrites> prepare(Engine& engine, const TransactWriteRequest& request, base::Arena& arena) {
  const std::size_t count = request.actions.size();
  TRY(const std::vector<BoundExpressions> bound, bind_actions(request, arena));
  std::vector<WriteTable> tables;
  for (const TransactAction& action : request.actions) {
    TRY(WriteTable table, engine.catalog.begin_write(action.table_name));
    tables.push_back(std::move(table));
  }
  PreparedWrites prepared;
  std::optional<Error> canceled;
  for (std::size_t i = 0; i < count; ++i) {
    const TransactAction& action = request.actions[i];
    TRY_VOID(check_no_empty_keys(*tables[i], action.attributes, action.kind == TransactKind::put));
    if (bound[i].update) TRY_VOID(check_no_empty_updates(*tables[i], *bound[i].update, arena));
    const Result<KeyValues> key = check_action(action, bound[i], *tables[i], arena);
    if (!key) {
      if (!canceled) canceled = canceled_by(key.error(), i, count);
      continue;
    }
    prepared.decisions.push_back(decision_of(action, bound[i], *tables[i], arena));
    prepared.row_keys.push_back(table_row_key(*tables[i], *key, arena));
    prepared.writes.push_back({std::move(tables[i]), *key, prepared.decisions.back().get(),
                               action.kind == TransactKind::check});
  }
  TRY_VOID(check_distinct(prepared.row_keys));
  if (canceled) return tl::unexpected(*canceled);
  return prepared;
}

Error canceled_by(const std::vector<std::size_t>& conflicts, std::size_t count) {
  std::vector<CancellationReason> reasons(count);
  for (const std::size_t position : conflicts) reasons[position] = conflict_reason();
  return transaction_canceled(std::move(reasons));
}

Error canceled_by(const std::vector<std::optional<Error>>& refusals) {
  std::vector<CancellationReason> reasons(refusals.size());
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    if (!refusals[i]) continue;
    const std::optional<CancellationReason> reason = reason_of(*refusals[i]);
    if (!reason) return *refusals[i];
    reasons[i] = *reason;
  }
  return transaction_canceled(std::move(reasons));
}

// The repetition of a request that was done already: it reads what it would have written, of the size that it had then.
Result<TransactWriteResult> replay(Engine& engine, const PreparedWrites& prepared, std::span<const HalfUnits> costs) {
  std::vector<std::optional<Error>> refusals(prepared.row_keys.size());
  bool refused = false;
  TransactWriteResult result;
  result.replayed = true;
  for (std::size_t i = 0; i < prepared.row_keys.size(); ++i) {
    WriteOutcome outcome;
    // A read unit is four write units, both rounded up, and a transaction pays either twice.
    const HalfUnits write_units = i < costs.size() ? costs[i] / (2 * write_cost(0)) : 1;
    outcome.consumed.table = prepared.writes[i].table.pointer();
    outcome.consumed.table_cost = 2 * read_cost(static_cast<std::size_t>(write_units) * kWriteUnitBytes, true);
    const Result<void> admitted =
        engine.admission.admit_read(*outcome.consumed.table, prepared.row_keys[i], outcome.consumed.table_cost);
    if (!admitted) refusals[i] = admitted.error();
    refused = refused || !admitted;
    result.outcomes.push_back(std::move(outcome));
  }
  if (refused) return tl::unexpected(canceled_by(refusals));
  return result;
}

std::vector<HalfUnits> table_costs(std::span<const WriteOutcome> outcomes) {
  std::vector<HalfUnits> costs;
  for (const WriteOutcome& outcome : outcomes) costs.push_back(outcome.consumed.table_cost);
  return costs;
}

}  // namespace

base::Task<Result<TransactWriteResult>> transact_write_items(Engine& engine,
                                                             const TransactWriteRequest& request,
                                                             base::Arena& arena) {
  CO_TRY(const PreparedWrites prepared, prepare(engine, request, arena));
  const TokenInProgress in_progress(engine.transactions, request.token);
  if (!in_progress.begun()) {
    co_return fail(ErrorCode::transaction_in_progress,
                   "Transaction from previous request is still in progress");
  }
  std::optional<LockedKeys> locked;
  MultiWrite write = {
      .writes = prepared.writes, .collection_metrics = request.collection_metrics, .transactional = true};
  TokenLookup token;
  std::string value;  // of the token, as long as the commit lasts
  if (!request.token.empty()) {
    write.add_rows = [&](std::span<const WriteOutcome> outcomes, store::Batch& batch) {
      value = token_value(token.rows, table_costs(outcomes));
      batch.puts.push_back({token.rows.key, value});
      batch.puts.push_back({token.rows.expiry_key, token.rows.key});
    };
  }
  Result<MultiWriteResult> written = fail(ErrorCode::conflict, "");
  while (!written && written.error().code == ErrorCode::conflict) {
    if (!request.token.empty()) {
      Result<TokenLookup> found = co_await look_up_token(engine, request.token, request.fingerprint);
      CO_TRY_VOID(found);
      token = std::move(*found);
      if (token.state == TokenState::repeated) co_return replay(engine, prepared, token.costs);
      // Within this process the token is marked as under way; another node may have got the same request.
      if (engine.store.shared()) write.premise = store::Guard{token.rows.key, token.version};
    }
    if (!locked) locked.emplace(engine.transactions, prepared.row_keys);
    if (!locked->conflicts().empty()) {
      co_return tl::unexpected(canceled_by(locked->conflicts(), prepared.row_keys.size()));
    }
    written = co_await write_items(engine, write, arena);
  }
  CO_TRY_VOID(written);
  if (!written->done()) co_return tl::unexpected(canceled_by(written->refusals));
  TransactWriteResult result;
  result.outcomes = std::move(written->outcomes);
  co_return std::move(result);
}

}  // namespace stator::engine
