#include "design/prove/read_request.h"

#include <fmt/format.h>

#include <set>

#include "design/filter_text.h"
#include "design/prove/outcome.h"

namespace stator::design {

namespace {

using client::Json;

// The names that the application needs, and the keys by which rows are told apart.
std::set<std::string> asked_names(const Model& model, const Pattern& pattern) {
  std::set<std::string> names(pattern.projection.begin(), pattern.projection.end());
  if (names.empty()) return names;
  for (const std::string& index : {std::string(), pattern.index}) {
    names.insert(model.partition_key(index).name);
    if (const KeyAttribute* sort = model.sort_key(index)) names.insert(sort->name);
  }
  return names;
}

void add_projection(const Model& model, const Pattern& pattern, Json& request) {
  std::string expression;
  for (const std::string& name : asked_names(model, pattern)) {
    const std::string placeholder = fmt::format("#p{}", request["ExpressionAttributeNames"].size());
    request["ExpressionAttributeNames"][placeholder] = name;
    expression += (expression.empty() ? "" : ", ") + placeholder;
  }
  if (!expression.empty()) request["ProjectionExpression"] = expression;
}

void add_filter(const Model& model, const Lookup& lookup, Json& request) {
  const Pattern& pattern = *lookup.pattern;
  request["FilterExpression"] = with_name_placeholders(*pattern.filter);
  for (const std::string& name : pattern.filter->attributes) request["ExpressionAttributeNames"]["#" + name] = name;
  for (const std::string& name : pattern.filter->parameters) {
    const auto value = lookup.values.find(name);
    if (value != lookup.values.end()) {
      request["ExpressionAttributeValues"][":" + name] =
          Json::parse(parameter_json(model, pattern, name, value->second));
    }
  }
}

std::string key_expression(const KeyCondition& condition, std::string_view name, std::string_view value,
                           std::string_view upper) {
  switch (condition.op) {
    case KeyOperator::equal:
      return fmt::format("{} = {}", name, value);
    case KeyOperator::begins_with:
      return fmt::format("begins_with({}, {})", name, value);
    case KeyOperator::less:
      return fmt::format("{} < {}", name, value);
    case KeyOperator::less_or_equal:
      return fmt::format("{} <= {}", name, value);
    case KeyOperator::greater:
      return fmt::format("{} > {}", name, value);
    case KeyOperator::greater_or_equal:
      return fmt::format("{} >= {}", name, value);
    case KeyOperator::between:
      break;
  }
  return fmt::format("{} BETWEEN {} AND {}", name, value, upper);
}

Json wire_key(const KeyAttribute& key, const std::string& text) {
  return Json::parse(make_attribute(key.name, key.type, text, 0, 0).json);
}

}  // namespace

Json get_request(const Model& model, const std::string& table, const Lookup& lookup, std::size_t partition) {
  const Table& keys = model.table;
  Json request = {{"TableName", table}, {"ReturnConsumedCapacity", "TOTAL"}};
  request["Key"][keys.partition_key.name] = wire_key(keys.partition_key, lookup.partition_keys[partition]);
  if (lookup.sort != nullptr) request["Key"][keys.sort_key->name] = wire_key(*keys.sort_key, lookup.sort_value);
  if (lookup.pattern->consistency == Consistency::strong) request["ConsistentRead"] = true;
  add_projection(model, *lookup.pattern, request);
  return request;
}

Json query_request(const Model& model, const std::string& table, const Lookup& lookup, std::size_t partition) {
  const Pattern& pattern = *lookup.pattern;
  const KeyAttribute& partition_key = model.partition_key(pattern.index);
  const KeyAttribute* sort_key = model.sort_key(pattern.index);
  Json request = {{"TableName", table}, {"ReturnConsumedCapacity", "TOTAL"}};
  if (!pattern.index.empty()) request["IndexName"] = pattern.index;
  request["ExpressionAttributeNames"]["#partition"] = partition_key.name;
  request["ExpressionAttributeValues"][":partition"] = wire_key(partition_key, lookup.partition_keys[partition]);
  std::string expression = "#partition = :partition";
  if (lookup.sort != nullptr) {
    request["ExpressionAttributeNames"]["#sort"] = sort_key->name;
    request["ExpressionAttributeValues"][":sort"] = wire_key(*sort_key, lookup.sort_value);
    if (lookup.sort->op == KeyOperator::between) {
      request["ExpressionAttributeValues"][":upper"] = wire_key(*sort_key, lookup.sort_upper);
    }
    expression += " AND " + key_expression(*lookup.sort, "#sort", ":sort", ":upper");
  }
  request["KeyConditionExpression"] = expression;
  if (pattern.order == Order::descending) request["ScanIndexForward"] = false;
  if (pattern.consistency == Consistency::strong) request["ConsistentRead"] = true;
  if (pattern.limit) request["Limit"] = static_cast<std::int64_t>(*pattern.limit);
  if (pattern.count_only) request["Select"] = "COUNT";
  if (pattern.filter) add_filter(model, lookup, request);
  if (!pattern.count_only) add_projection(model, pattern, request);
  return request;
}

Json visible_part(const Model& model, const Pattern& pattern, const GeneratedItem& item) {
  const Index* index = pattern.index.empty() ? nullptr : model.index(pattern.index);
  std::vector<std::string> names;
  if (index != nullptr) {
    names = projected_names(model, *index, item);
  } else {
    for (const GeneratedAttribute& attribute : item.attributes) names.push_back(attribute.name);
  }
  const std::set<std::string> asked = asked_names(model, pattern);
  if (!asked.empty()) std::erase_if(names, [&](const std::string& name) { return !asked.contains(name); });
  return Json::parse(item.json(names));
}

std::size_t bytes_read(const Model& model, const Pattern& pattern, const GeneratedItem& item) {
  const Index* index = pattern.index.empty() ? nullptr : model.index(pattern.index);
  return index == nullptr ? item.bytes() : projected_bytes(model, *index, item);
}

}  // namespace stator::design
