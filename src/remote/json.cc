#include "remote/json.h"

#include <optional>

#include "base/arena.h"
#include "base/buffer.h"
#include "item/base64.h"

namespace stator::remote {
namespace {

tl::unexpected<Error> no_item() {
  return fail(ErrorCode::unavailable, "the answer holds an item that is not in the wire's form");
}

std::string base64(const Binary& binary) {
  base::Buffer out;
  item::append_base64(out, binary.bytes);
  return std::string(out.view());
}

Result<std::string> text_of(const Json& json) {
  if (!json.is_string()) return no_item();
  return json.get<std::string>();
}
Result<Number> number_of(const Json& json) {
  TRY(std::string text, text_of(json));
  return Number(std::move(text));
}
Result<Binary> binary_of(const Json& json) {
  TRY(const std::string text, text_of(json));
  base::Arena arena;
  const std::optional<std::string_view> bytes = item::base64_decode(text, arena);
  if (!bytes) return no_item();
  return Binary(std::string(*bytes));
}

template <class Set, class Read>
Result<AttributeValue> set_of(const Json& json, Read read) {
  if (!json.is_array()) return no_item();
  Set set;
  for (const Json& member : json) {
    TRY(auto value, read(member));
    set.insert(std::move(value));
  }
  return AttributeValue(std::move(set));
}

Result<AttributeValue> to_value(const Json& json);

Result<AttributeValue> list_of(const Json& json) {
  if (!json.is_array()) return no_item();
  List list;
  for (const Json& element : json) {
    TRY(AttributeValue value, to_value(element));
    list.push_back(std::move(value));
  }
  return AttributeValue(std::move(list));
}

Result<AttributeValue> to_value(const Json& json) {
  if (!json.is_object() || json.size() != 1) return no_item();
  const std::string& type = json.begin().key();
  const Json& content = json.begin().value();
  if (type == "S") {
    TRY(std::string text, text_of(content));
    return AttributeValue(std::move(text));
  }
  if (type == "N") {
    TRY(Number number, number_of(content));
    return AttributeValue(std::move(number));
  }
  if (type == "B") {
    TRY(Binary binary, binary_of(content));
    return AttributeValue(std::move(binary));
  }
  if (type == "BOOL" && content.is_boolean()) return AttributeValue(content.get<bool>());
  if (type == "NULL") return AttributeValue(nullptr);
  if (type == "L") return list_of(content);
  if (type == "M") {
    TRY(Item map, to_item(content));
    return AttributeValue(std::move(map));
  }
  if (type == "SS") return set_of<StringSet>(content, text_of);
  if (type == "NS") return set_of<NumberSet>(content, number_of);
  if (type == "BS") return set_of<BinarySet>(content, binary_of);
  return no_item();
}

double units(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

ConsumedCapacity to_capacity(const Json& json) {
  ConsumedCapacity capacity;
  capacity.table_name = text_member(json, "TableName");
  capacity.capacity_units = units(json, "CapacityUnits");
  if (const auto table = json.find("Table"); table != json.end() && table->is_object())
    capacity.table_units = units(*table, "CapacityUnits");
  const auto indexes = [&](const char* name, std::map<std::string, double>& into) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_object()) return;
    for (const auto& [index, content] : found->items())
      into[index] = units(content, "CapacityUnits");
  };
  indexes("LocalSecondaryIndexes", capacity.local_indexes);
  indexes("GlobalSecondaryIndexes", capacity.global_indexes);
  return capacity;
}

}  // namespace

Json wire_json(const AttributeValue& value) {
  switch (value.type()) {
    case AttributeType::null:
      return Json{{"NULL", true}};
    case AttributeType::boolean:
      return Json{{"BOOL", value.as_bool()}};
    case AttributeType::string:
      return Json{{"S", value.as_string()}};
    case AttributeType::number:
      return Json{{"N", value.as_number().text()}};
    case AttributeType::binary:
      return Json{{"B", base64(value.as_binary())}};
    case AttributeType::list: {
      Json list = Json::array();
      for (const AttributeValue& element : value.as_list()) list.push_back(wire_json(element));
      return Json{{"L", std::move(list)}};
    }
    case AttributeType::map:
      return Json{{"M", wire_json(value.as_map())}};
    case AttributeType::string_set:
      return Json{{"SS", value.as_string_set()}};
    case AttributeType::number_set: {
      Json set = Json::array();
      for (const Number& number : value.as_number_set()) set.push_back(number.text());
      return Json{{"NS", std::move(set)}};
    }
    case AttributeType::binary_set: {
      Json set = Json::array();
      for (const Binary& binary : value.as_binary_set()) set.push_back(base64(binary));
      return Json{{"BS", std::move(set)}};
    }
  }
  return Json();
}

Json wire_json(const Item& item) {
  Json json = Json::object();
  for (const auto& [name, value] : item) json[name] = wire_json(value);
  return json;
}

Result<Item> to_item(const Json& json) {
  if (!json.is_object()) return no_item();
  Item item;
  for (const auto& [name, content] : json.items()) {
    TRY(AttributeValue value, to_value(content));
    item.emplace(name, std::move(value));
  }
  return item;
}

Result<std::optional<Item>> item_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::nullopt;
  TRY(Item item, to_item(*found));
  return std::optional<Item>(std::move(item));
}

std::string text_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<ConsumedCapacity> capacity_member(const Json& answer) {
  const auto found = answer.find("ConsumedCapacity");
  if (found == answer.end() || !found->is_object()) return std::nullopt;
  return to_capacity(*found);
}

std::vector<ConsumedCapacity> capacities_member(const Json& answer) {
  std::vector<ConsumedCapacity> capacities;
  const auto found = answer.find("ConsumedCapacity");
  if (found == answer.end() || !found->is_array()) return capacities;
  for (const Json& one : *found) {
    if (one.is_object()) capacities.push_back(to_capacity(one));
  }
  return capacities;
}

}  // namespace stator::remote
