#include "api/item_write_input.h"

#include "api/legacy.h"
#include "api/violations.h"

namespace stator::api {
namespace {

Result<void> check_parameters(const Reader& in, WriteKind kind, const std::optional<std::string_view>& update,
                              const std::optional<std::string_view>& condition,
                              const ExpressionInput& expressions) {
  const Given updates = {"AttributeUpdates", in.has("AttributeUpdates")};
  const Given expected = {"Expected", in.has("Expected")};
  const Given conditional = {"ConditionalOperator", in.has("ConditionalOperator")};
  const Given by_condition = {"ConditionExpression", condition.has_value()};
  if (kind == WriteKind::update) {
    return check_combination({updates, expected, conditional},
                             {{"UpdateExpression", update.has_value()}, by_condition}, expressions,
                             {"UpdateExpression", "ConditionExpression"});
  }
  return check_combination({expected, conditional}, {by_condition}, expressions, {"ConditionExpression"});
}

}  // namespace

Result<ItemWriteInput> read_item_write(const Call& call, WriteKind kind) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const bool is_update = kind == WriteKind::update;
  const auto table_name = in.string("TableName");
  const auto attributes = in.attributes(kind == WriteKind::put ? "Item" : "Key");
  const auto update = is_update ? in.string("UpdateExpression") : std::nullopt;
  const auto condition = in.string("ConditionExpression");
  const auto return_values = in.string("ReturnValues");
  const auto capacity = in.string("ReturnConsumedCapacity");
  const auto metrics = in.string("ReturnItemCollectionMetrics");
  const auto on_failure = in.string("ReturnValuesOnConditionCheckFailure");
  const auto conditional_operator = in.string("ConditionalOperator");
  const ExpressionInput expressions = read_expression_input(in);
  TRY_VOID(state.result());

  TRY_VOID(check_table_name(table_name));
  Violations violations;
  violations.return_values(return_values);
  violations.return_consumed_capacity(capacity);
  violations.return_item_collection_metrics(metrics);
  violations.return_values_on_failure(on_failure);
  violations.one_of("conditionalOperator", conditional_operator, {"OR", "AND"});
  violations.required(kind == WriteKind::put ? "item" : "key", attributes.has_value());
  TRY_VOID(violations.result());

  TRY_VOID(check_parameters(in, kind, update, condition, expressions));
  TRY_VOID(check_values(attributes));
  if (!is_update && return_values && *return_values != "ALL_OLD" && *return_values != "NONE") {
    return invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  TRY_VOID(refuse_legacy({{"AttributeUpdates", is_update && in.has("AttributeUpdates")},
                          {"Expected", in.has("Expected")},
                          {"ConditionalOperator", conditional_operator.has_value()}}));

  ItemWriteInput input;
  TRY(input.parameters, expression_parameters(expressions));
  TRY(input.table_name, table_name_of(call, *table_name));
  input.attributes = attributes->attributes;
  input.update = update;
  input.condition = condition;
  input.return_values = return_values.value_or("NONE");
  input.return_item_on_failure = on_failure == "ALL_OLD";
  input.collection_metrics = metrics == "SIZE";
  input.capacity = return_capacity(capacity);
  return input;
}

}  // namespace stator::api
