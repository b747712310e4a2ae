#include "api/statement_input.h"

#include "partiql/parser.h"

namespace stator::api {
namespace {

constexpr std::size_t kStatementBytesMax = 8192;
constexpr std::size_t kParametersMax = 1'000'000;  // as many as fit into a request

}  // namespace

StatementInput read_statement(const Reader& in, const std::string& path, Violations& violations) {
  StatementInput input;
  input.statement = in.string("Statement");
  input.parameters = in.values("Parameters");
  input.consistent = in.boolean("ConsistentRead").value_or(false);
  input.on_failure = in.string("ReturnValuesOnConditionCheckFailure");
  violations.required(path + "statement", input.statement.has_value());
  violations.length(path + "statement", input.statement, 1, kStatementBytesMax);
  if (input.parameters) {
    violations.count(path + "parameters", "[]", input.parameters->values.size(), 1, kParametersMax);
  }
  violations.one_of(path + "returnValuesOnConditionCheckFailure", input.on_failure, {"ALL_OLD", "NONE"});
  return input;
}

Result<partiql::BoundStatement> bind_statement(const Call& call, const StatementInput& input) {
  if (input.parameters && input.parameters->invalid) return invalid(*input.parameters->invalid);
  TRY(const partiql::Statement statement, partiql::parse(*input.statement, call.arena));
  TRY(partiql::BoundStatement bound, partiql::bind(statement, input.values(), call.arena));
  if (bound.table_name.starts_with("arn:")) {
    TRY(bound.table_name, table_name_of(call, bound.table_name));
  }
  return bound;
}

}  // namespace stator::api
