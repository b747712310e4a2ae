#include "engine/batch_get_item.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/answers.h"
#include "api/legacy_projection.h"
#include "api/operations.h"
#include "api/usage.h"
#include "api/violations.h"

namespace stator::api {
namespace {

// One entry of RequestItems.
struct TableInput {
  std::string_view given_name;  // name or ARN, as the answer repeats it
  Json json;                    // for UnprocessedKeys
  std::vector<ReadAttributes> keys;
  bool has_keys = false;
  std::optional<std::vector<std::string_view>> attributes_to_get;
  std::optional<std::string_view> projection;
  ExpressionInput expressions;
  bool consistent = false;
};

struct BatchGetItemInput {
  std::vector<TableInput> given;
  std::vector<engine::BatchGetTable> tables;
  ReturnCapacity capacity = ReturnCapacity::none;
};

void read_keys(Json array, TableInput& table, ReadState& state) {
  if (!array.is_array()) {
    state.fail(array.is_object() ? "Start of structure or map found where not expected"
                                 : "Unexpected field type");
    return;
  }
  table.has_keys = true;
  for (const Json key : simdjson::dom::array(array)) {
    if (key.is_object()) {
      table.keys.push_back(read_attributes(simdjson::dom::object(key), state));
    } else if (key.is_array()) {
      state.fail("Unrecognized collection type java.util.Map<java.lang.String, "
                 "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    } else {
      state.fail("class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
                 "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
                 "java.lang.Class are in module java.base of loader 'bootstrap')");
    }
  }
}

TableInput read_table(std::string_view name, Json json, ReadState& state) {
  TableInput table;
  table.given_name = name;
  table.json = json;
  const std::optional<Reader> in = read_structure(json, "KeysAndAttributes", false, state);
  if (!in) return table;
  const auto keys = json["Keys"];
  if (keys.error() == simdjson::SUCCESS && !keys.value_unsafe().is_null()) {
    read_keys(keys.value_unsafe(), table, state);
  }
  table.attributes_to_get = in->attributes_to_get();
  table.projection = in->string("ProjectionExpression");
  table.expressions.names = in->names("ExpressionAttributeNames");
  table.consistent = in->boolean("ConsistentRead").value_or(false);
  return table;
}

bool is_table_name(std::string_view name) {
  return name.starts_with("arn:") || (name.size() >= 3 && name.size() <= 255 && has_name_characters(name));
}

std::string keys_path(const TableInput& table) { return fmt::format("RequestItems.{}.member.Keys", table.given_name); }

void check_other_counts(const TableInput& table, Violations& violations) {
  if (table.keys.size() > engine::kBatchGetKeysMax) {
    violations.add("", keys_path(table), "Member must have length less than or equal to 100");
  }
  if (table.attributes_to_get) {
    violations.count(fmt::format("requestItems.{}.member.attributesToGet", table.given_name), "[]",
                     table.attributes_to_get->size(), 1, 1'000'000);
  }
}

Result<void> check_constraints_classic(const BatchGetItemInput& input, bool sent,
                                       const std::optional<std::string_view>& capacity) {
  Violations violations;
  violations.required("requestItems", sent);
  violations.return_consumed_capacity(capacity);
  for (const TableInput& table : input.given) {
    const std::string path = fmt::format("requestItems.{}.member.keys", table.given_name);
    violations.required(path, table.has_keys);
    if (table.has_keys && table.keys.empty()) violations.count(path, "[]", 0, 1, engine::kBatchGetKeysMax);
    check_other_counts(table, violations);
  }
  TRY_VOID(violations.result());
  return input.given.empty() ? Result<void>(invalid("The requestItems parameter is required for BatchGetItem"))
                             : Result<void>();
}

// `request_items` is null where it was not sent.
Result<void> check_constraints(const BatchGetItemInput& input,
                               const std::optional<simdjson::dom::object>& request_items,
                               const std::optional<std::string_view>& capacity) {
  Violations violations;
  violations.required("requestItems", request_items.has_value());
  const bool named = std::all_of(input.given.begin(), input.given.end(),
                                 [](const TableInput& table) { return is_table_name(table.given_name); });
  if (!named) {
    violations.add(fmt::format("'{}'", simdjson::minify(*request_items)), "requestItems",
                   "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must "
                   "have length greater than or equal to 3, Member must satisfy regular expression pattern: "
                   "[a-zA-Z0-9_.-]+]");
  }
  violations.return_consumed_capacity(capacity);
  if (request_items && input.given.empty() && violations.empty()) {
    violations.add("", "RequestItems", "Member must have length greater than or equal to 1");
  }
  for (const TableInput& table : input.given) {
    violations.required(fmt::format("requestItems.{}.member.keys", table.given_name), table.has_keys);
    if (!table.has_keys) continue;
    if (table.keys.empty()) violations.add("", keys_path(table), "Member must have length greater than or equal to 1");
    check_other_counts(table, violations);
  }
  return violations.result();
}

// Projections of both kinds may not be mixed, not even over several tables.
Result<void> check_projections(const BatchGetItemInput& input) {
  bool legacy = false;
  bool expression = false;
  for (const TableInput& table : input.given) {
    legacy = legacy || table.attributes_to_get;
    expression = expression || table.projection;
  }
  return check_combination({{"AttributesToGet", legacy}}, {{"ProjectionExpression", expression}}, {}, {});
}

// A table can be named twice, by its name and by its ARN: what was said last holds, as of a name that is there twice.
void keep_last_of_each_table(BatchGetItemInput& input) {
  for (std::size_t i = input.tables.size(); i-- > 0;) {
    const auto same_table = [&](const engine::BatchGetTable& table) {
      return table.table_name == input.tables[i].table_name;
    };
    const auto position = static_cast<std::ptrdiff_t>(i);
    if (std::none_of(input.tables.begin() + position + 1, input.tables.end(), same_table)) continue;
    input.tables.erase(input.tables.begin() + position);
    input.given.erase(input.given.begin() + position);
  }
}

Result<BatchGetItemInput> read_batch_get_item(const Call& call) {
  ReadState state(call.arena, call.layer);
  const Reader in(call.body, state);
  const auto request_items =
      in.map("RequestItems", "com.amazonaws.dynamodb.v20120810.KeysAndAttributes");
  const auto capacity = in.string("ReturnConsumedCapacity");
  BatchGetItemInput input;
  if (request_items) {
    for (const auto field : *request_items) {
      if (!field.value.is_null()) input.given.push_back(read_table(field.key, field.value, state));
    }
  }
  TRY_VOID(state.result());

  TRY_VOID(call.layer == Layer::current ? check_constraints(input, request_items, capacity)
                                        : check_constraints_classic(input, request_items.has_value(), capacity));
  std::size_t total = 0;
  for (const TableInput& table : input.given) total += table.keys.size();
  if (total > engine::kBatchGetKeysMax) {
    return invalid("Too many items requested for the BatchGetItem call");
  }
  if (call.layer == Layer::current) TRY_VOID(check_projections(input));
  for (const TableInput& table : input.given) {
    TRY_VOID(check_combination({{"AttributesToGet", table.attributes_to_get.has_value()}},
                               {{"ProjectionExpression", table.projection.has_value()}}, table.expressions, {}));
    engine::BatchGetTable request;
    TRY(request.projection, attributes_to_get(table.attributes_to_get, call.arena));
    request.parameters = expression_parameters(table.expressions);
    TRY(request.table_name, table_name_of(call, table.given_name));
    if (table.projection) request.projection = table.projection;
    request.consistent = table.consistent;
    const std::span<item::Attributes> keys = call.arena.array<item::Attributes>(table.keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::optional<std::string>& problem = table.keys[i].invalid;
      if (problem && request.invalid_key.empty()) {
        request.invalid_key = call.arena.copy(std::string_view(*problem));
      }
      keys[i] = table.keys[i].attributes;
    }
    request.keys = keys;
    input.tables.push_back(request);
  }
  keep_last_of_each_table(input);
  input.capacity = return_capacity(capacity);
  return input;
}

void write_unprocessed(JsonWriter& out, const TableInput& given, const engine::BatchGetTable& table,
                       const std::vector<std::size_t>& positions) {
  out.user_key(given.given_name).begin_object();
  out.key("Keys").begin_array();
  for (const std::size_t position : positions) {
    base::Buffer text;
    item::append_attributes(text, table.keys[position]);
    out.raw(text.view());
  }
  out.end_array();
  if (table.consistent) out.key("ConsistentRead").boolean(true);
  if (given.attributes_to_get) {
    out.key("AttributesToGet").begin_array();
    for (const std::string_view name : *given.attributes_to_get) out.string(name);
    out.end_array();
  }
  if (given.projection) out.key("ProjectionExpression").string(*given.projection);
  if (!table.parameters.names.empty()) {
    out.key("ExpressionAttributeNames").begin_object();
    for (const expr::Name& name : table.parameters.names) {
      out.user_key(name.placeholder).string(name.attribute);
    }
    out.end_object();
  }
  out.end_object();
}

}  // namespace

base::Task<Result<void>> batch_get_item(Call& call) {
  CO_TRY(const BatchGetItemInput input, read_batch_get_item(call));
  const Result<std::vector<engine::BatchGetTableResult>> results =
      co_await engine::batch_get_item(call.engine, input.tables, call.arena);
  CO_TRY_VOID(results);
  for (const auto& result : *results) {
    note_consumed(call, result.consumed, metrics::Units::read);
    if (result.throttled) note_throttled(call, true);
  }
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Responses").begin_object();
  for (std::size_t i = 0; i < results->size(); ++i) {
    out.user_key(input.given[i].given_name).begin_array();
    if (!(*results)[i].items.empty()) out.raw((*results)[i].items.view());
    out.end_array();
  }
  out.end_object();
  out.key("UnprocessedKeys").begin_object();
  for (std::size_t i = 0; i < results->size(); ++i) {
    const auto& unprocessed = (*results)[i].unprocessed;
    if (!unprocessed.empty()) write_unprocessed(out, input.given[i], input.tables[i], unprocessed);
  }
  out.end_object();
  if (input.capacity != ReturnCapacity::none) {
    out.key("ConsumedCapacity").begin_array();
    for (std::size_t i = 0; i < results->size(); ++i) {
      write_capacity_object(out, (*results)[i].consumed, input.given[i].given_name, input.capacity);
    }
    out.end_array();
  }
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
