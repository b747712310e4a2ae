#include "engine/transact_write_items.h"

#include <fmt/format.h>

#include <map>

#include "api/fingerprint.h"
#include "api/operations.h"
#include "api/transact_capacity.h"
#include "api/usage.h"
#include "api/violations.h"
#include "engine/expressions.h"
#include "engine/put_item.h"
#include "item/size.h"

namespace stator::api {
namespace {

struct TransactWriteItemsInput {
  std::vector<engine::TransactAction> actions;
  std::vector<std::string_view> given_names;  // of the tables, one for each action, as the answer repeats them
  engine::TransactWriteRequest request;
  std::string fingerprint;
  ReturnCapacity capacity = ReturnCapacity::none;
};

// One element of TransactItems as it was sent.
struct ActionInput {
  engine::TransactKind kind = engine::TransactKind::check;
  int kinds = 0;  // how many of the four were there
  std::optional<std::string_view> table_name;
  std::optional<ReadAttributes> attributes;
  std::optional<std::string_view> update;
  std::optional<std::string_view> condition;
  std::optional<std::string_view> on_failure;
  ExpressionInput expressions;
};

struct KindName {
  std::string_view member;
  std::string_view path;
  engine::TransactKind kind;
};
constexpr KindName kKinds[] = {{"ConditionCheck", "conditionCheck", engine::TransactKind::check},
                               {"Put", "put", engine::TransactKind::put},
                               {"Delete", "delete", engine::TransactKind::remove},
                               {"Update", "update", engine::TransactKind::update}};

// A transaction refuses values deeper than any item, even where they would only be compared with.
void check_nesting(ExpressionInput& input, base::Arena& arena) {
  if (!input.values || !input.invalid_value.empty()) return;
  for (const item::Attribute& attribute : input.values->attributes) {
    if (item::nesting_levels(attribute.value) <= engine::kNestingLevelsMax) continue;
    input.invalid_value =
        arena.copy(std::string_view(fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}",
                                                engine::kNestedTooDeep, attribute.name)));
    return;
  }
}

// Unlike other writes, an action without expressions may have placeholders: they are not looked at.
void ignore_placeholders(ExpressionInput& input) {
  if (input.names && !input.names->empty()) input.names.reset();
  if (input.values && !input.values->attributes.empty() && !input.values->invalid) input.values.reset();
}

ActionInput read_action(const Reader& element, std::size_t position, Layer layer, Violations& violations) {
  ActionInput action;
  for (const KindName& kind : kKinds) {
    const std::optional<Reader> in = element.object(kind.member, kind.member);
    if (!in) continue;
    const bool is_put = kind.kind == engine::TransactKind::put;
    const bool is_update = kind.kind == engine::TransactKind::update;
    const bool is_check = kind.kind == engine::TransactKind::check;
    ++action.kinds;
    action.kind = kind.kind;
    action.table_name = in->string("TableName");
    action.attributes = in->attributes(is_put ? "Item" : "Key");
    action.update = is_update ? in->string("UpdateExpression") : std::nullopt;
    action.condition = in->string("ConditionExpression");
    action.on_failure = in->string("ReturnValuesOnConditionCheckFailure");
    action.expressions = read_expression_input(*in);
    if (!action.update && !action.condition) ignore_placeholders(action.expressions);
    check_nesting(action.expressions, in->state().arena());
    const std::string path = fmt::format("transactItems.{}.member.{}", position, kind.path);
    violations.nested_table_name(path + ".tableName", action.table_name, layer);
    violations.required(path + (is_put ? ".item" : ".key"), action.attributes.has_value());
    if (is_update) violations.required(path + ".updateExpression", action.update.has_value());
    if (is_check) violations.required(path + ".conditionExpression", action.condition.has_value());
    violations.one_of(path + ".returnValuesOnConditionCheckFailure", action.on_failure, {"ALL_OLD", "NONE"});
  }
  return action;
}

Result<void> check_placement(const ActionInput& input) {
  return check_combination({},
                           {{"UpdateExpression", input.update.has_value()},
                            {"ConditionExpression", input.condition.has_value()}},
                           input.expressions, {"UpdateExpression", "ConditionExpression"});
}

// What is wrong with an action before its values are looked at.
Result<void> check_expressions(const ActionInput& input, base::Arena& arena) {
  TRY_VOID(check_placement(input));
  TRY_VOID(engine::bind_expressions({.update = input.update, .condition = input.condition},
                                    expression_parameters(input.expressions), arena));
  return input.kind == engine::TransactKind::put ? check_names(input.attributes) : Result<void>();
}

Result<engine::TransactAction> action_of(const Call& call, const ActionInput& input) {
  if (input.kinds == 0 && call.layer == Layer::current) {
    return invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
  }
  if (input.kinds != 1) return invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  TRY_VOID(check_placement(input));
  if (input.kind == engine::TransactKind::put) TRY_VOID(check_names(input.attributes));
  TRY_VOID(check_values(input.attributes));
  engine::TransactAction action;
  action.parameters = expression_parameters(input.expressions);
  TRY(action.table_name, table_name_of(call, *input.table_name));
  action.kind = input.kind;
  action.attributes = input.attributes->attributes;
  action.update = input.update;
  action.condition = input.condition;
  action.return_item_on_failure = input.on_failure == "ALL_OLD";
  return action;
}

// The actions are checked one by one: of an action whose values are wrong, and of all before it, the expressions come
// first.
Result<void> check_actions_until(const std::vector<ActionInput>& actions, const ActionInput& last,
                                 base::Arena& arena) {
  for (const ActionInput& action : actions) {
    if (action.kinds != 1) return {};
    TRY_VOID(check_expressions(action, arena));
    if (action.kind == engine::TransactKind::put && &action != &last) {
      TRY_VOID(engine::check_item_size(action.attributes->attributes));
    }
    if (&action == &last) return {};
  }
  return {};
}

Result<TransactWriteItemsInput> read_transact_write_items(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  const auto elements = in.objects("TransactItems", "TransactWriteItem");
  const auto token = in.string("ClientRequestToken");
  const auto capacity = in.string("ReturnConsumedCapacity");
  const auto metrics = in.string("ReturnItemCollectionMetrics");
  violations.required("transactItems", elements.has_value());
  std::vector<ActionInput> actions;
  if (elements) {
    violations.count("transactItems", elements->empty() ? "[]" : "[...]", elements->size(), 1,
                     engine::kTransactItemsMax);
    for (const Reader& element : *elements) {
      actions.push_back(read_action(element, actions.size() + 1, call.layer, violations));
    }
  }
  violations.length("clientRequestToken", token, 1, 36);
  violations.return_consumed_capacity(capacity);
  violations.return_item_collection_metrics(metrics);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());

  TransactWriteItemsInput input;
  for (const ActionInput& action : actions) {
    Result<engine::TransactAction> checked = action_of(call, action);
    // The engine would find what is wrong with the expressions of earlier actions only after this.
    if (!checked && call.layer == Layer::current) TRY_VOID(check_actions_until(actions, action, call.arena));
    TRY_VOID(checked);
    input.actions.push_back(*checked);
    input.given_names.push_back(*action.table_name);
  }
  input.request.token = token.value_or("");
  if (token) input.fingerprint = fingerprint(call.body, "TransactItems");
  input.request.collection_metrics = metrics == "SIZE";
  input.capacity = return_capacity(capacity);
  return input;
}

void write_collections(JsonWriter& out, const TransactWriteItemsInput& input,
                       const std::vector<engine::WriteOutcome>& outcomes) {
  std::map<std::string_view, std::map<std::string_view, const engine::CollectionMetrics*>> tables;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::optional<engine::CollectionMetrics>& collection = outcomes[i].collection;
    if (collection) tables[input.given_names[i]][collection->partition_key_text] = &*collection;
  }
  if (tables.empty()) return;
  out.key("ItemCollectionMetrics").begin_object();
  for (const auto& [table, collections] : tables) {
    out.user_key(table).begin_array();
    for (const auto& [text, metrics] : collections) write_collection_object(out, *metrics);
    out.end_array();
  }
  out.end_object();
}

}  // namespace

base::Task<Result<void>> transact_write_items(Call& call) {
  CO_TRY(TransactWriteItemsInput input, read_transact_write_items(call));
  input.request.actions = input.actions;
  input.request.fingerprint = input.fingerprint;
  const Result<engine::TransactWriteResult> result =
      co_await engine::transact_write_items(call.engine, input.request, call.arena);
  CO_TRY_VOID(result);
  TransactCapacity capacity;
  for (std::size_t i = 0; i < result->outcomes.size(); ++i) {
    const engine::WriteOutcome& outcome = result->outcomes[i];
    capacity.add(outcome.consumed, input.given_names[i]);
    note_consumed(call, outcome.consumed, result->replayed ? metrics::Units::read : metrics::Units::write);
  }
  JsonWriter out(call.out);
  out.begin_object();
  capacity.write(out, input.capacity, result->replayed ? UnitKind::read : UnitKind::write);
  write_collections(out, input, result->outcomes);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
