#include "engine/get_item.h"

#include "api/answers.h"
#include "api/legacy_projection.h"
#include "api/operations.h"
#include "api/usage.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct GetItemInput {
  engine::GetItemRequest request;
  std::string_view given_name;  // of the table, as the answer repeats it
  ReturnCapacity capacity = ReturnCapacity::none;
};

Result<GetItemInput> read_get_item(const Call& call) {
  ReadState state(call.arena, call.layer);
  const Reader in(call.body, state);
  const auto table_name = in.string("TableName");
  const auto key = in.attributes("Key");
  const auto consistent = in.boolean("ConsistentRead");
  const auto projection = in.string("ProjectionExpression");
  const auto capacity = in.string("ReturnConsumedCapacity");
  const auto names_to_get = in.attributes_to_get();
  const ExpressionInput expressions = {in.names("ExpressionAttributeNames"), std::nullopt};
  TRY_VOID(state.result());

  Violations violations;
  violations.table_name(table_name);
  violations.required("key", key.has_value());
  violations.return_consumed_capacity(capacity);
  if (names_to_get) violations.count("attributesToGet", "[]", names_to_get->size(), 1, 1'000'000);
  TRY_VOID(violations.result());

  GetItemInput input;
  input.given_name = *table_name;
  TRY(input.request.table_name, table_name_of(call, *table_name));
  TRY_VOID(check_combination({{"AttributesToGet", names_to_get.has_value()}},
                             {{"ProjectionExpression", projection.has_value()}}, expressions, {}));
  TRY_VOID(check_values(key));
  TRY(input.request.projection, attributes_to_get(names_to_get, call.arena));

  input.request.parameters = expression_parameters(expressions);
  input.request.key = key->attributes;
  if (projection) input.request.projection = projection;
  input.request.consistent = consistent.value_or(false);
  input.capacity = return_capacity(capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> get_item(Call& call) {
  CO_TRY(const GetItemInput input, read_get_item(call));
  const Result<engine::GetItemResult> result =
      co_await engine::get_item(call.engine, input.request, call.arena);
  CO_TRY_VOID(result);
  note_consumed(call, result->consumed, metrics::Units::read);
  JsonWriter out(call.out);
  out.begin_object();
  if (result->item) {
    out.key("Item");
    write_item_text(out, *result->item, result->projection, call.arena);
  }
  write_consumed_capacity(out, result->consumed, input.given_name, input.capacity);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
