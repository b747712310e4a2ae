#include <fmt/format.h>

#include <memory>

#include "api/answers.h"
#include "api/fingerprint.h"
#include "api/operations.h"
#include "api/statement_input.h"
#include "api/transact_capacity.h"
#include "api/usage.h"
#include "engine/key_check.h"
#include "engine/transact_get_items.h"
#include "engine/transact_write_items.h"
#include "partiql/execute.h"
#include "partiql/plan.h"

namespace stator::api {
namespace {

using partiql::BoundStatement;
using partiql::StatementKind;

struct ExecuteTransactionInput {
  std::vector<BoundStatement> statements;
  std::vector<bool> return_items;
  std::string token;
  std::string fingerprint;
  ReturnCapacity capacity = ReturnCapacity::none;
  bool reads = false;
};

// A fault of one statement, with its position.
Error at_statement(const Error& error, std::size_t position) {
  if (error.code != ErrorCode::validation) return error;
  return {ErrorCode::validation,
          fmt::format("Validation failed in TransactStatements[{}]: {}", position, error.message)};
}

Result<BoundStatement> bind_in_transaction(const Call& call, const StatementInput& input, std::size_t position) {
  // Values that are none are reported without the position.
  const Result<BoundStatement> bound = bind_statement(call, input);
  if (!bound) {
    const bool of_value = input.parameters && input.parameters->invalid == bound.error().message;
    return tl::unexpected(of_value ? bound.error() : at_statement(bound.error(), position));
  }
  return bound;
}

Result<ExecuteTransactionInput> read_execute_transaction(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  const auto elements = in.objects("TransactStatements", "ParameterizedStatement");
  const auto token = in.string("ClientRequestToken");
  const auto capacity = in.string("ReturnConsumedCapacity");
  std::vector<StatementInput> statements;
  violations.required("transactStatements", elements.has_value());
  if (elements) {
    violations.count("transactStatements", elements->empty() ? "[]" : "[...]", elements->size(), 1,
                     engine::kTransactItemsMax);
    for (const Reader& element : *elements) {
      const std::string path = fmt::format("transactStatements.{}.member.", statements.size() + 1);
      statements.push_back(read_statement(element, path, violations));
    }
  }
  violations.length("clientRequestToken", token, 1, 36);
  violations.return_consumed_capacity(capacity);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());

  ExecuteTransactionInput input;
  std::size_t reads = 0;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    TRY(BoundStatement bound, bind_in_transaction(call, statements[i], i));
    if (bound.kind == StatementKind::select) ++reads;
    input.statements.push_back(std::move(bound));
    input.return_items.push_back(statements[i].on_failure == "ALL_OLD");
  }
  if (reads != 0 && reads != statements.size()) {
    return invalid("ExecuteTransaction API does not support both read and write operations in the same request.");
  }
  input.reads = reads != 0;
  // The tokens of this operation are none of TransactWriteItems'.
  if (token) {
    input.token = fmt::format("partiql/{}", *token);
    input.fingerprint = fingerprint(call.body, "TransactStatements");
  }
  input.capacity = return_capacity(capacity);
  return input;
}

// Marks the fault of a statement whose key does not fit its table.
struct KeyDoesNotFit final : ErrorDetail {};

tl::unexpected<Error> key_does_not_fit(std::string message) {
  return tl::unexpected(Error{ErrorCode::validation, std::move(message), std::make_shared<KeyDoesNotFit>()});
}

// Of WHERE the service says no more, whatever it is.
constexpr std::string_view kKeyMismatch = "The provided key element does not match the schema";

// Faults that need the table, statement by statement: they cancel the transaction, all of them together.
class Refusals {
 public:
  explicit Refusals(std::size_t statements) : reasons_(statements, engine::CancellationReason{"None", "", ""}) {}

  // Whether the fault is one of them.
  bool take(std::size_t statement, const Error& error) {
    const bool missing = error.code == ErrorCode::table_not_found;
    if (!missing && dynamic_cast<const KeyDoesNotFit*>(error.detail.get()) == nullptr) return false;
    reasons_[statement] = {missing ? "ResourceNotFound" : "ValidationError", error.message, ""};
    any_ = true;
    return true;
  }
  [[nodiscard]] Result<void> result() && {
    if (!any_) return {};
    return tl::unexpected(engine::transaction_canceled(std::move(reasons_)));
  }

 private:
  std::vector<engine::CancellationReason> reasons_;
  bool any_ = false;
};

// What a transaction cannot do is told of tables that are there.
Result<engine::TablePtr> table_of(const Call& call, const BoundStatement& statement) {
  TRY(engine::TablePtr table, call.engine.catalog.find_usable(statement.table_name));
  if (statement.returning != partiql::Returning::none) {
    return invalid("RETURNING clause is not supported in ExecuteTransaction.");
  }
  if (statement.index_name) return invalid("Reads on indices are not supported within transactions.");
  return table;
}

Result<engine::TransactGet> get_of(const Call& call, const BoundStatement& statement) {
  TRY(const engine::TablePtr table, table_of(call, statement));
  TRY_VOID(partiql::check_overlap(statement, *table, call.arena));
  const Result<std::optional<partiql::KeyMatch>> found =
      partiql::match_key(statement.where, *table, call.arena, true);
  if (!found) return key_does_not_fit(std::string(kKeyMismatch));
  const std::optional<partiql::KeyMatch>& match = *found;
  if (!match || !match->rest.empty()) {  // a read of one item has no filter
    return invalid("Select statements within ExecuteTransaction must specify the primary key in the where clause.");
  }
  engine::TransactGet get;
  get.table_name = statement.table_name;
  get.key = match->key;
  get.projection = statement.projection;
  return get;
}

// The key of the item that a statement writes. Empty key values are no reason to cancel: the engine refuses them.
Result<void> check_written_key(const Call& call, const BoundStatement& statement, const engine::Table& table) {
  if (statement.kind == StatementKind::insert) {
    if (!engine::check_no_empty_keys(table, statement.item, true)) return {};
    const Result<engine::KeyValues> key = engine::check_item(table, statement.item, call.arena);
    if (!key) return key_does_not_fit(key.error().message);
  }
  if (statement.kind == StatementKind::exists) {
    const Result<std::optional<partiql::KeyMatch>> match = partiql::match_key(statement.where, table, call.arena);
    TRY_VOID(match);
    if (!*match || (*match)->rest.empty()) {
      return invalid("EXISTS() must contain a single item read with additional condition");
    }
  }
  return {};
}

Result<engine::TransactAction> action_of(const Call& call, const BoundStatement& statement, bool return_item) {
  TRY(const engine::TablePtr table, table_of(call, statement));
  TRY_VOID(check_written_key(call, statement, *table));
  const Result<partiql::WritePlan> planned = partiql::plan_write(statement, *table, call.arena);
  if (!planned) return key_does_not_fit(std::string(kKeyMismatch));
  const partiql::WritePlan& plan = *planned;
  engine::TransactAction action;
  action.table_name = statement.table_name;
  action.attributes = plan.key;
  action.condition = plan.condition;
  action.return_item_on_failure = return_item;
  switch (statement.kind) {
    case StatementKind::insert:
      action.kind = engine::TransactKind::put;
      action.attributes = statement.item;
      action.return_item_on_failure = false;
      break;
    case StatementKind::update:
      action.kind = engine::TransactKind::update;
      action.update = statement.update;
      break;
    case StatementKind::remove:
      action.kind = engine::TransactKind::remove;
      break;
    default:
      action.kind = engine::TransactKind::check;
  }
  return action;
}

// An INSERT over an item is told apart from a condition that failed.
Error with_duplicates(const Error& error, const ExecuteTransactionInput& input) {
  const auto* canceled = dynamic_cast<const engine::TransactionCanceledDetail*>(error.detail.get());
  if (canceled == nullptr) return error;
  std::vector<engine::CancellationReason> reasons = canceled->reasons;
  for (std::size_t i = 0; i < reasons.size() && i < input.statements.size(); ++i) {
    const bool inserts = input.statements[i].kind == StatementKind::insert;
    if (!inserts || reasons[i].code != "ConditionalCheckFailed") continue;
    reasons[i] = {"DuplicateItem", partiql::duplicate_item().message, ""};
  }
  return engine::transaction_canceled(std::move(reasons));
}

base::Task<Result<void>> run_reads(Call& call, const ExecuteTransactionInput& input) {
  std::vector<engine::TransactGet> gets;
  Refusals refusals(input.statements.size());
  for (std::size_t i = 0; i < input.statements.size(); ++i) {
    const Result<engine::TransactGet> get = get_of(call, input.statements[i]);
    if (get) {
      gets.push_back(*get);
    } else if (!refusals.take(i, get.error())) {
      co_return tl::unexpected(at_statement(get.error(), i));
    }
  }
  CO_TRY_VOID(std::move(refusals).result());
  const Result<std::vector<engine::TransactGetItem>> items =
      co_await engine::transact_get_items(call.engine, gets, call.arena);
  CO_TRY_VOID(items);
  TransactCapacity capacity;
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Responses").begin_array();
  for (std::size_t i = 0; i < items->size(); ++i) {
    const engine::TransactGetItem& item = (*items)[i];
    capacity.add(item.consumed);
    note_consumed(call, item.consumed, metrics::Units::read);
    out.begin_object();
    if (item.item) {
      out.key("Item");
      write_item_text(out, *item.item, item.projection, call.arena);
    }
    out.end_object();
  }
  out.end_array();
  capacity.write(out, input.capacity, UnitKind::read);
  out.end_object();
  co_return Result<void>();
}

base::Task<Result<void>> run_writes(Call& call, const ExecuteTransactionInput& input) {
  std::vector<engine::TransactAction> actions;
  Refusals refusals(input.statements.size());
  for (std::size_t i = 0; i < input.statements.size(); ++i) {
    Result<engine::TransactAction> action = action_of(call, input.statements[i], input.return_items[i]);
    if (action) {
      actions.push_back(*std::move(action));
    } else if (!refusals.take(i, action.error())) {
      co_return tl::unexpected(at_statement(action.error(), i));
    }
  }
  CO_TRY_VOID(std::move(refusals).result());
  engine::TransactWriteRequest request;
  request.actions = actions;
  request.token = input.token;
  request.fingerprint = input.fingerprint;
  const Result<engine::TransactWriteResult> result =
      co_await engine::transact_write_items(call.engine, request, call.arena);
  if (!result) co_return tl::unexpected(with_duplicates(result.error(), input));
  TransactCapacity capacity;
  for (const engine::WriteOutcome& outcome : result->outcomes) {
    capacity.add(outcome.consumed);
    note_consumed(call, outcome.consumed, result->replayed ? metrics::Units::read : metrics::Units::write);
  }
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Responses").begin_array().end_array();
  capacity.write(out, input.capacity, result->replayed ? UnitKind::read : UnitKind::write);
  out.end_object();
  co_return Result<void>();
}

}  // namespace

base::Task<Result<void>> execute_transaction(Call& call) {
  CO_TRY(const ExecuteTransactionInput input, read_execute_transaction(call));
  if (input.reads) {
    Result<void> done = co_await run_reads(call, input);
    co_return done;
  }
  Result<void> done = co_await run_writes(call, input);
  co_return done;
}

}  // namespace stator::api
