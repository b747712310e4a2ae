#include "api/item_write_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/legacy_condition.h"
#include "api/legacy_updates.h"
#include "api/violations.h"
#include "engine/put_item.h"

// The service's current layer stands out in these three operations: it stops at the first member that is wrong, and puts
// every text about the request alone into an envelope. Requests that are nested deeper than this layer goes, and
// those without Item or Key, are left to the layer before it, which reports all members together.
namespace stator::api {
namespace {

constexpr std::string_view kEnvelope = "1 validation error detected: ";
constexpr int kCurrentLayerLevels = 127;  // of JSON; a map of an attribute value is two of them

// The parameters from before expressions.
struct Legacy {
  std::optional<LegacyUpdates> updates;
  std::optional<LegacyConditions> expected;
  std::optional<std::string_view> conditional_operator;
};

// A request as it was sent.
struct Members {
  std::optional<std::string_view> table_name;
  std::optional<ReadAttributes> attributes;
  std::optional<std::string_view> update;
  std::optional<std::string_view> condition;
  std::optional<std::string_view> return_values;
  std::optional<std::string_view> capacity;
  std::optional<std::string_view> metrics;
  std::optional<std::string_view> on_failure;
  Legacy legacy;
  ExpressionInput expressions;
};

int json_levels(Json value) {
  int inner = 0;
  if (value.is_object()) {
    for (const auto field : simdjson::dom::object(value)) inner = std::max(inner, json_levels(field.value));
  } else if (value.is_array()) {
    for (const Json element : simdjson::dom::array(value)) inner = std::max(inner, json_levels(element));
  } else {
    return 0;
  }
  return inner + 1;
}

Members read_members(const Reader& in, WriteKind kind) {
  const bool is_update = kind == WriteKind::update;
  Members members;
  members.table_name = in.string("TableName");
  members.attributes = in.attributes(kind == WriteKind::put ? "Item" : "Key");
  if (is_update) members.update = in.string("UpdateExpression");
  members.condition = in.string("ConditionExpression");
  members.return_values = in.string("ReturnValues");
  members.capacity = in.string("ReturnConsumedCapacity");
  members.metrics = in.string("ReturnItemCollectionMetrics");
  members.on_failure = in.string("ReturnValuesOnConditionCheckFailure");
  if (is_update) members.legacy.updates = read_attribute_updates(in);
  members.legacy.expected = read_expected(in);
  members.legacy.conditional_operator = in.string("ConditionalOperator");
  members.expressions = read_expression_input(in, Nesting::limited);
  return members;
}

constexpr std::string_view kUnknownReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, "
    "NONE]";

bool is_one_of(const std::optional<std::string_view>& value, std::initializer_list<std::string_view> allowed) {
  return !value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end();
}

bool has_known_return_values(const Members& members) {
  return is_one_of(members.return_values, {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"});
}

Result<void> check_all_members(const Members& members, WriteKind kind, Layer layer) {
  Violations violations;
  violations.one_of("conditionalOperator", members.legacy.conditional_operator, {"OR", "AND"});
  violations.return_consumed_capacity(members.capacity);
  violations.return_item_collection_metrics(members.metrics);
  violations.table_name(members.table_name);
  if (layer == Layer::classic || !members.attributes) {
    violations.return_values(members.return_values);
  } else if (!has_known_return_values(members)) {
    violations.add_text(kUnknownReturnValues);
  }
  violations.return_values_on_failure(members.on_failure);
  check_constraints(members.legacy.updates, violations);
  check_constraints(members.legacy.expected, "expected", Operator::optional, violations);
  violations.required(kind == WriteKind::put ? "item" : "key", members.attributes.has_value());
  return violations.result();
}

// The members that the current layer looks at first, one by one. What it does not know is left to the other one.
Result<void> check_first_members(const Members& members, WriteKind kind) {
  if (!members.attributes || !members.table_name) return {};
  if (members.table_name->empty()) {
    Violations violations;
    violations.add("", "TableName", "Member must have length greater than or equal to 1");
    return violations.result();
  }
  Violations alone;
  if (kind == WriteKind::update && !has_known_return_values(members)) {
    alone.add_text(kUnknownReturnValues);
  } else if (!is_one_of(members.legacy.conditional_operator, {"OR", "AND"})) {
    alone.add_text(kUnknownConditional);
  }
  return alone.result();
}

Result<void> check_parameters(WriteKind kind, const Members& members, Layer layer) {
  const Legacy& legacy = members.legacy;
  const Given updates = {"AttributeUpdates", legacy.updates.has_value()};
  const Given expected = {"Expected", legacy.expected.has_value()};
  const Given conditional = {"ConditionalOperator", legacy.conditional_operator.has_value()};
  const Given by_condition = {"ConditionExpression", members.condition.has_value()};
  if (kind == WriteKind::update) {
    return check_combination({updates, expected, conditional},
                             {{"UpdateExpression", members.update.has_value()}, by_condition}, members.expressions,
                             {"UpdateExpression", "ConditionExpression"}, layer);
  }
  return check_combination({expected, conditional}, {by_condition}, members.expressions, {"ConditionExpression"},
                           layer);
}

// What can be said of the request without its table.
Result<ItemWriteInput> checked(const Call& call, const Members& members, WriteKind kind, Layer layer) {
  ItemWriteInput input;
  TRY_VOID(check_parameters(kind, members, layer));
  if (kind == WriteKind::put) TRY_VOID(check_names(members.attributes));
  TRY_VOID(check_values(members.attributes));
  const auto& return_values = members.return_values;
  if (kind != WriteKind::update && return_values && *return_values != "ALL_OLD" && *return_values != "NONE") {
    return invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  const Legacy& legacy = members.legacy;
  if (legacy.updates) {
    TRY(input.update, attribute_updates(*legacy.updates, call.arena));
  }
  if (legacy.expected || legacy.conditional_operator) {
    if (kind == WriteKind::put) TRY_VOID(engine::check_item_size(members.attributes->attributes));
    TRY(input.condition, expected_condition(legacy.expected, legacy.conditional_operator, call.arena));
  }
  input.parameters = expression_parameters(members.expressions);
  input.attributes = members.attributes->attributes;
  if (members.update) input.update = members.update;
  if (members.condition) input.condition = members.condition;
  input.return_values = return_values.value_or("NONE");
  input.return_item_on_failure = members.on_failure == "ALL_OLD";
  input.collection_metrics = members.metrics == "SIZE";
  input.capacity = return_capacity(members.capacity);
  return input;
}

// Sizes, and values without exactly one type, are found behind the layer that makes envelopes.
void put_into_envelope(Error& error) {
  const bool bare =
      error.message.starts_with("Supplied AttributeValue") || error.message.starts_with("Item size");
  if (!bare) error.message = fmt::format("{}{}", kEnvelope, error.message);
}

Result<ItemWriteInput> read_classic(const Call& call, WriteKind kind) {
  ReadState state(call.arena);
  const Members members = read_members(Reader(call.body, state), kind);
  TRY_VOID(state.result());
  TRY_VOID(check_all_members(members, kind, Layer::classic));
  TRY(const std::string_view table_name, table_name_of(call, *members.table_name));
  Result<ItemWriteInput> input = checked(call, members, kind, Layer::classic);
  if (input) {
    input->table_name = table_name;
    input->given_name = *members.table_name;
  }
  return input;
}

}  // namespace

Result<ItemWriteInput> read_item_write(const Call& call, WriteKind kind) {
  if (call.layer == Layer::classic) return read_classic(call, kind);
  ReadState state(call.arena, Layer::current);
  const Members members = read_members(Reader(call.body, state), kind);
  TRY_VOID(state.result());
  if (state.too_deep() && json_levels(call.body) > kCurrentLayerLevels) return read_classic(call, kind);
  TRY_VOID(check_first_members(members, kind));
  TRY_VOID(check_all_members(members, kind, Layer::current));
  TRY(const std::string_view table_name, table_name_of(call, *members.table_name));
  Result<ItemWriteInput> input = checked(call, members, kind, Layer::current);
  if (!input) {
    put_into_envelope(input.error());
    return input;
  }
  input->table_name = table_name;
  input->given_name = *members.table_name;
  input->parameters.fault_prefix = kEnvelope;
  return input;
}

}  // namespace stator::api
