#include "api/answers.h"
#include "api/operations.h"
#include "api/statement_input.h"
#include "api/usage.h"
#include "partiql/execute.h"

namespace stator::api {
namespace {

struct ExecuteStatementInput {
  partiql::BoundStatement statement;
  partiql::ExecuteOptions options;
  std::uint64_t hash = 0;  // of statement and parameters: a token belongs to them
  ReturnCapacity capacity = ReturnCapacity::none;
};

Result<ExecuteStatementInput> read_execute_statement(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  const StatementInput statement = read_statement(in, "", violations);
  const auto limit = in.integer("Limit");
  const auto token = in.string("NextToken");
  const auto capacity = in.string("ReturnConsumedCapacity");
  violations.range("limit", limit, 1);
  violations.length("nextToken", token, 1, 32768);
  violations.return_consumed_capacity(capacity);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());

  ExecuteStatementInput input;
  TRY(input.statement, bind_statement(call, statement));
  input.hash = partiql::statement_hash(*statement.statement, statement.values());
  if (token) {
    TRY(input.options.page, partiql::decode_next_token(*token, input.hash, call.arena));
  }
  input.options.consistent = statement.consistent;
  input.options.limit = limit;
  input.options.return_item_on_failure = statement.on_failure == "ALL_OLD";
  input.capacity = return_capacity(capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> execute_statement(Call& call) {
  CO_TRY(const ExecuteStatementInput input, read_execute_statement(call));
  base::Buffer items;
  const Result<partiql::ExecuteResult> result =
      co_await partiql::execute(call.engine, input.statement, input.options, items, call.arena);
  CO_TRY_VOID(result);
  note_consumed(call, result->consumed, units_of(input.statement));
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Items").begin_array();
  if (!items.empty()) out.raw(items.view());
  out.end_array();
  if (result->next_part) {
    const partiql::NextPage next = {*result->next_part, result->last_key_text};
    out.key("NextToken").string(partiql::encode_next_token(next, input.hash));
    if (!result->last_key_text.empty()) out.key("LastEvaluatedKey").raw(result->last_key_text);
  }
  if (result->consumed.table) {
    write_consumed_capacity(out, result->consumed, result->consumed.table->name, input.capacity);
  }
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
