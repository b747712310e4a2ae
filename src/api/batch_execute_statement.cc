#include <fmt/format.h>

#include <set>

#include "api/answers.h"
#include "api/cut.h"
#include "api/operations.h"
#include "api/statement_input.h"
#include "api/transact_capacity.h"
#include "api/usage.h"
#include "engine/update_item.h"
#include "partiql/execute.h"
#include "partiql/plan.h"

namespace stator::api {
namespace {

constexpr std::size_t kStatementsMax = 25;

struct BatchExecuteStatementInput {
  std::vector<StatementInput> statements;
  ReturnCapacity capacity = ReturnCapacity::none;
};

Result<BatchExecuteStatementInput> read_batch_execute_statement(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  const auto elements = in.objects("Statements", "BatchStatementRequest");
  const auto capacity = in.string("ReturnConsumedCapacity");
  BatchExecuteStatementInput input;
  violations.required("statements", elements.has_value());
  if (elements) {
    violations.count("statements", elements->empty() ? "[]" : "[...]", elements->size(), 1, kStatementsMax);
    for (const Reader& element : *elements) {
      const std::string path = fmt::format("statements.{}.member.", input.statements.size() + 1);
      input.statements.push_back(read_statement(element, path, violations));
    }
  }
  violations.return_consumed_capacity(capacity);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());
  input.capacity = return_capacity(capacity);
  return input;
}

// The code of an error inside a batch: a name of its own, without "Exception".
std::string_view error_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::validation:
      return "ValidationError";
    case ErrorCode::condition_failed:
      return "ConditionalCheckFailed";
    case ErrorCode::duplicate_item:
      return "DuplicateItem";
    case ErrorCode::table_not_found:
      return "ResourceNotFound";
    case ErrorCode::transaction_conflict:
      return "TransactionConflict";
    case ErrorCode::throughput_exceeded:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::throttled:
      return "ThrottlingError";
    case ErrorCode::collection_too_large:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::access_denied:
      return "AccessDenied";
    default:
      return "InternalServerError";
  }
}

// One member of the batch, as far as it can be known before any of them runs.
using Bound = std::vector<Result<partiql::BoundStatement>>;

Result<void> check_kinds(const Bound& statements) {
  bool reads = false;
  bool writes = false;
  for (const Result<partiql::BoundStatement>& statement : statements) {
    if (!statement) continue;
    (statement->kind == partiql::StatementKind::select ? reads : writes) = true;
  }
  if (reads && writes) {
    return invalid(
        "BatchExecuteStatement API does not support both read and write operations in the same request.");
  }
  return {};
}

Result<void> check_distinct(const Call& call, const Bound& statements) {
  std::set<std::string> seen;
  for (const Result<partiql::BoundStatement>& statement : statements) {
    if (!statement || statement->index_name) continue;
    const Result<engine::TablePtr> table = call.engine.catalog.find_usable(statement->table_name);
    if (!table) continue;
    std::string identity = partiql::item_identity(*statement, **table, call.arena);
    if (!identity.empty() && !seen.insert(std::move(identity)).second) {
      return invalid("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

// Whether the statement came as far as its item.
bool has_run(const Error& error) {
  return error.code == ErrorCode::condition_failed || error.code == ErrorCode::duplicate_item ||
         dynamic_cast<const engine::UpdateFailedDetail*>(error.detail.get()) != nullptr;
}

void write_error_member(JsonWriter& out, const Error& error, std::string_view table_name) {
  out.begin_object();
  out.key("Error").begin_object();
  out.key("Code").string(error_code(error.code)).key("Message").string(cut(error.message, kMessageBytesMax));
  out.end_object();
  if (has_run(error)) out.key("TableName").string(table_name);
  out.end_object();
}

// A write whose condition failed has consumed something all the same.
std::optional<engine::ConsumedCapacity> refused_capacity(const Error& error) {
  const auto* failed = dynamic_cast<const engine::ConditionFailedDetail*>(error.detail.get());
  if (failed == nullptr || !failed->table) return std::nullopt;
  engine::ConsumedCapacity consumed;
  consumed.table = failed->table;
  consumed.table_cost = failed->cost;
  return consumed;
}

}  // namespace

base::Task<Result<void>> batch_execute_statement(Call& call) {
  CO_TRY(const BatchExecuteStatementInput input, read_batch_execute_statement(call));
  Bound statements;
  for (const StatementInput& statement : input.statements) statements.push_back(bind_statement(call, statement));
  CO_TRY_VOID(check_kinds(statements));
  CO_TRY_VOID(check_distinct(call, statements));
  TransactCapacity capacity;
  bool any_succeeded = false;
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Responses").begin_array();
  base::Buffer items;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (!statements[i]) {
      write_error_member(out, statements[i].error(), "");
      continue;
    }
    const partiql::BoundStatement& statement = *statements[i];
    partiql::ExecuteOptions options;
    options.consistent = input.statements[i].consistent;
    options.single_item_only = true;
    items.clear();
    const Result<partiql::ExecuteResult> result =
        co_await partiql::execute(call.engine, statement, options, items, call.arena);
    if (!result) {
      write_error_member(out, result.error(), statement.table_name);
      if (const auto consumed = refused_capacity(result.error())) {
        capacity.add_refused(*consumed);
        note_consumed(call, *consumed, metrics::Units::write);
      }
      continue;
    }
    capacity.add(result->consumed);
    note_consumed(call, result->consumed, units_of(statement));
    any_succeeded = true;
    out.begin_object();
    if (!items.empty()) out.key("Item").raw(items.view());
    out.key("TableName").string(statement.table_name);
    out.end_object();
  }
  out.end_array();
  if (any_succeeded) capacity.write(out, input.capacity, UnitKind::unnamed);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
