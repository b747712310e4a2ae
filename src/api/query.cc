#include "engine/query.h"

#include "api/answers.h"
#include "api/legacy.h"
#include "api/operations.h"
#include "api/page_input.h"

namespace stator::api {
namespace {

struct Input {
  engine::QueryRequest request;
  ReturnCapacity capacity = ReturnCapacity::none;
};

Result<Input> read(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const PageInput page = read_page_input(in);
  const auto key_condition = in.string("KeyConditionExpression");
  const auto forward = in.boolean("ScanIndexForward");
  TRY_VOID(state.result());

  TRY_VOID(check_table_name(page.table_name));
  Violations violations;
  check_page_constraints(page, violations);
  if (page.limit && *page.limit < 1) {
    violations.add("", "Limit", "Member must have value greater than or equal to 1");
  }
  TRY_VOID(violations.result());

  const bool has_key_conditions = in.has("KeyConditions");
  TRY_VOID(check_combination({{"AttributesToGet", page.attributes_to_get.has_value()},
                              {"QueryFilter", in.has("QueryFilter")},
                              {"ConditionalOperator", page.conditional_operator.has_value()},
                              {"KeyConditions", has_key_conditions && key_condition.has_value()}},
                             {{"ProjectionExpression", page.projection.has_value()},
                              {"FilterExpression", page.filter.has_value()},
                              {"KeyConditionExpression", key_condition.has_value()}},
                             page.expressions, {"FilterExpression", "KeyConditionExpression"}));
  TRY_VOID(check_start_key_values(page));
  TRY_VOID(refuse_legacy({{"KeyConditions", has_key_conditions},
                          {"QueryFilter", in.has("QueryFilter")},
                          {"ConditionalOperator", page.conditional_operator.has_value()},
                          {"AttributesToGet", page.attributes_to_get.has_value()}}));
  if (!key_condition) {
    return invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
                   "request.");
  }
  TRY_VOID(check_select_parameters(page));

  Input input;
  TRY(input.request.page, page_request(call, page));
  input.request.key_condition = *key_condition;
  input.request.forward = forward.value_or(true);
  input.capacity = return_capacity(page.capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> query(Call& call) {
  CO_TRY(const Input input, read(call));
  JsonWriter out(call.out);
  out.begin_object();
  const bool has_items = input.request.page.select != engine::Select::count;
  if (has_items) out.key("Items").begin_array();
  const Result<engine::Page> page =
      co_await engine::query(call.engine, input.request, call.out, call.arena);
  CO_TRY_VOID(page);
  if (has_items) out.end_array();
  write_page_footer(out, *page, input.capacity);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
