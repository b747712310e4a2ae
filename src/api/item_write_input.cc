#include "api/item_write_input.h"

#include "api/legacy_condition.h"
#include "api/legacy_updates.h"
#include "api/violations.h"
#include "engine/put_item.h"

namespace stator::api {
namespace {

// The parameters from before expressions.
struct Legacy {
  std::optional<LegacyUpdates> updates;
  std::optional<LegacyConditions> expected;
  std::optional<std::string_view> conditional_operator;
};

Result<void> check_parameters(WriteKind kind, const Legacy& legacy, const std::optional<std::string_view>& update,
                              const std::optional<std::string_view>& condition,
                              const ExpressionInput& expressions) {
  const Given updates = {"AttributeUpdates", legacy.updates.has_value()};
  const Given expected = {"Expected", legacy.expected.has_value()};
  const Given conditional = {"ConditionalOperator", legacy.conditional_operator.has_value()};
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
  const Legacy legacy = {is_update ? read_attribute_updates(in) : std::nullopt, read_expected(in),
                         in.string("ConditionalOperator")};
  const ExpressionInput expressions = read_expression_input(in);
  TRY_VOID(state.result());

  Violations violations;
  violations.return_values(return_values);
  violations.return_consumed_capacity(capacity);
  violations.return_item_collection_metrics(metrics);
  violations.return_values_on_failure(on_failure);
  violations.one_of("conditionalOperator", legacy.conditional_operator, {"OR", "AND"});
  check_constraints(legacy.updates, violations);
  check_constraints(legacy.expected, "expected", Operator::optional, violations);
  violations.required(kind == WriteKind::put ? "item" : "key", attributes.has_value());
  violations.table_name(table_name);
  TRY_VOID(violations.result());

  ItemWriteInput input;
  TRY(input.table_name, table_name_of(call, *table_name));

  TRY_VOID(check_parameters(kind, legacy, update, condition, expressions));
  TRY_VOID(check_values(attributes));
  if (!is_update && return_values && *return_values != "ALL_OLD" && *return_values != "NONE") {
    return invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  if (legacy.updates) {
    TRY(input.update, attribute_updates(*legacy.updates, call.arena));
  }
  if (legacy.expected || legacy.conditional_operator) {
    if (kind == WriteKind::put) TRY_VOID(engine::check_item_size(attributes->attributes));
    TRY(input.condition, expected_condition(legacy.expected, legacy.conditional_operator, call.arena));
  }

  input.parameters = expression_parameters(expressions);
  input.attributes = attributes->attributes;
  if (update) input.update = update;
  if (condition) input.condition = condition;
  input.return_values = return_values.value_or("NONE");
  input.return_item_on_failure = on_failure == "ALL_OLD";
  input.collection_metrics = metrics == "SIZE";
  input.capacity = return_capacity(capacity);
  return input;
}

}  // namespace stator::api
