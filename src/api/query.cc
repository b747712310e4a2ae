#include "engine/query.h"

#include "api/answers.h"
#include "api/legacy_condition.h"
#include "api/legacy_key_conditions.h"
#include "api/legacy_projection.h"
#include "api/operations.h"
#include "api/page_input.h"
#include "api/usage.h"

namespace stator::api {
namespace {

struct QueryInput {
  engine::QueryRequest request;
  std::string_view given_name;  // of the table, as the answer repeats it
  ReturnCapacity capacity = ReturnCapacity::none;
};

// KeyConditions go together with expressions, which the service looks at before them.
Result<void> check_expressions(const PageInput& page, const engine::ExpressionParameters& parameters,
                               base::Arena& arena) {
  if (!page.filter && !page.projection) return {};
  TRY_VOID(engine::bind_expressions({.filter = page.filter, .projection = page.projection}, parameters, arena));
  return {};
}

Result<QueryInput> read_query(const Call& call) {
  ReadState state(call.arena, call.layer);
  const Reader in(call.body, state);
  const PageInput page = read_page_input(in);
  const auto key_condition = in.string("KeyConditionExpression");
  const auto key_conditions = read_conditions(in, "KeyConditions");
  const auto query_filter = read_conditions(in, "QueryFilter");
  const auto forward = in.boolean("ScanIndexForward");
  TRY_VOID(state.result());

  const bool is_current = call.layer == Layer::current;
  if (is_current && page.conditional_operator && *page.conditional_operator != "AND" && *page.conditional_operator != "OR") {
    return invalid(std::string(kUnknownConditional));
  }
  Violations violations;
  check_page_constraints(page, violations);
  check_constraints(query_filter, "queryFilter", Operator::required, violations);
  check_constraints(key_conditions, "keyConditions", Operator::required, violations);
  if (page.limit && *page.limit < 1) {
    violations.add("", "Limit", "Member must have value greater than or equal to 1");
  }
  TRY_VOID(violations.result());
  TRY(const std::string_view table_name, table_name_of(call, *page.table_name));

  TRY_VOID(check_combination({{"AttributesToGet", page.attributes_to_get.has_value()},
                              {"QueryFilter", query_filter.has_value()},
                              {"ConditionalOperator", page.conditional_operator.has_value()},
                              {"KeyConditions", key_conditions.has_value() && key_condition.has_value()}},
                             {{"ProjectionExpression", page.projection.has_value()},
                              {"FilterExpression", page.filter.has_value()},
                              {"KeyConditionExpression", key_condition.has_value()}},
                             page.expressions, {"FilterExpression", "KeyConditionExpression"}));
  TRY(const auto legacy_filter, filter_condition(query_filter, page.conditional_operator, call.arena));
  TRY(const auto legacy_projection, attributes_to_get(page.attributes_to_get, call.arena));
  TRY_VOID(check_start_key_values(page));
  if (!key_condition && !key_conditions) {
    return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
                   "request.");
  }
  // These rules belong to a layer of Query's own, which counts them.
  const Result<void> selected = check_select_parameters(page);
  if (!selected) return invalid("1 validation error detected: " + selected.error().message);

  QueryInput input;
  input.request.page = page_request(table_name, page);
  input.request.page.parameters.layer = call.layer;
  if (legacy_filter) input.request.page.filter = legacy_filter;
  if (legacy_projection) input.request.page.projection = legacy_projection;
  if (key_condition) {
    input.request.key_condition = *key_condition;
  } else {
    TRY_VOID(check_expressions(page, input.request.page.parameters, call.arena));
    TRY(input.request.key_condition,
        key_condition_of(*key_conditions, page.index_name.has_value(), call.arena));
  }
  input.request.forward = forward.value_or(true);
  input.given_name = *page.table_name;
  input.capacity = return_capacity(page.capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> query(Call& call) {
  CO_TRY(const QueryInput input, read_query(call));
  JsonWriter out(call.out);
  out.begin_object();
  const bool has_items = input.request.page.select != engine::Select::count;
  if (has_items) out.key("Items").begin_array();
  const Result<engine::Page> page =
      co_await engine::query(call.engine, input.request, call.out, call.arena);
  CO_TRY_VOID(page);
  note_consumed(call, page->consumed, metrics::Units::read);
  note_returned(call, page->count);
  if (has_items) out.end_array();
  write_page_footer(out, *page, input.given_name, input.capacity);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
