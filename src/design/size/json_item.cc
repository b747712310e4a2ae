#include "design/size/json_item.h"

#include <fmt/format.h>

#include <algorithm>

#include "item/base64.h"
#include "item/number.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;
using item::Type;
using item::Value;

// Deep enough for every item that DynamoDB takes (32 levels), and a bound for our recursion.
constexpr int kNestingMax = 40;

// Whether a value has the form {"S": ...}: one member, named like a type, with content that the type can have.
bool has_typed_form(const OrderedJson& value) {
  if (!value.is_object() || value.size() != 1) return false;
  const auto type = item::type_from_name(value.begin().key());
  if (!type) return false;
  const OrderedJson& content = value.begin().value();
  switch (*type) {
    case Type::boolean:
    case Type::null:
      return content.is_boolean();
    case Type::map:
      return content.is_object();
    case Type::list:
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return content.is_array();
    default:
      return content.is_string();
  }
}

class Reader {
 public:
  explicit Reader(base::Arena& arena) : arena_(arena) {}

  Result<Value> typed(const OrderedJson& value, int depth) {
    if (depth > kNestingMax) return invalid("nested deeper than DynamoDB allows (32 levels)");
    if (!has_typed_form(value)) {
      return invalid(fmt::format("expected a value such as {{\"S\": \"text\"}}, found {}", value.dump().substr(0, 60)));
    }
    const Type type = *item::type_from_name(value.begin().key());
    const OrderedJson& content = value.begin().value();
    switch (type) {
      case Type::boolean:
        return Value::boolean(content.get<bool>());
      case Type::null:
        return Value::null();
      case Type::map: {
        TRY(const item::Attributes members, members_of(content, depth + 1, true));
        return Value::map(members);
      }
      case Type::list:
        return list(content, depth, true);
      case Type::string_set:
      case Type::number_set:
      case Type::binary_set:
        return set(type, content);
      default:
        return scalar(type, content.get_ref<const std::string&>());
    }
  }

  Result<Value> plain(const OrderedJson& value, int depth) {
    if (depth > kNestingMax) return invalid("nested deeper than DynamoDB allows (32 levels)");
    if (value.is_string()) return Value::string(arena_.copy(value.get_ref<const std::string&>()));
    if (value.is_boolean()) return Value::boolean(value.get<bool>());
    if (value.is_null()) return Value::null();
    if (value.is_number()) return scalar(Type::number, value.dump());
    if (value.is_array()) return list(value, depth, false);
    TRY(const item::Attributes members, members_of(value, depth + 1, false));
    return Value::map(members);
  }

  Result<item::Attributes> members_of(const OrderedJson& object, int depth, bool typed_form) {
    const std::span<item::Attribute> out = arena_.array<item::Attribute>(object.size());
    std::size_t at = 0;
    for (const auto& [name, value] : object.items()) {
      auto read = typed_form ? typed(value, depth) : plain(value, depth);
      if (!read) return invalid(fmt::format("attribute \"{}\": {}", name, read.error().message));
      out[at++] = item::Attribute{arena_.copy(std::string_view(name)), *read};
    }
    return item::Attributes(out);
  }

 private:
  Result<Value> scalar(Type type, const std::string& text) {
    if (type == Type::string) return Value::string(arena_.copy(std::string_view(text)));
    if (type == Type::number) {
      TRY(const std::string_view canonical, item::canonical_number(text, arena_));
      return Value::number(arena_.copy(canonical));
    }
    const auto bytes = item::base64_decode(text, arena_);
    if (!bytes) return invalid(fmt::format("\"{}\" is not base64", text.substr(0, 40)));
    return Value::binary(*bytes);
  }

  Result<Value> list(const OrderedJson& array, int depth, bool typed_form) {
    const std::span<Value> out = arena_.array<Value>(array.size());
    for (std::size_t at = 0; at < array.size(); ++at) {
      TRY(out[at], typed_form ? typed(array[at], depth + 1) : plain(array[at], depth + 1));
    }
    return Value::list(out);
  }

  Result<Value> set(Type type, const OrderedJson& array) {
    if (array.empty()) return invalid("a set has one member at least");
    const std::span<Value> out = arena_.array<Value>(array.size());
    for (std::size_t at = 0; at < array.size(); ++at) {
      if (!array[at].is_string()) return invalid("the members of a set are written as texts");
      TRY(out[at], scalar(item::set_member_type(type), array[at].get_ref<const std::string&>()));
    }
    return Value::set(type, out);
  }

  base::Arena& arena_;
};

}  // namespace

Result<JsonItem> parse_json_item(std::string_view text) {
  OrderedJson json = OrderedJson::parse(text, nullptr, false);
  if (json.is_discarded()) {
    try {
      json = OrderedJson::parse(text);
    } catch (const OrderedJson::parse_error& error) {
      return invalid(fmt::format("not JSON: {}", error.what()));
    }
  }
  if (!json.is_object()) return invalid("expected one item: a JSON object of attributes");
  // What `aws dynamodb get-item` prints.
  if (const auto wrapped = json.find("Item");
      wrapped != json.end() && wrapped->is_object() && !has_typed_form(*wrapped)) {
    const bool answer = std::all_of(json.items().begin(), json.items().end(), [](const auto& member) {
      return member.key() == "Item" || member.key() == "ConsumedCapacity";
    });
    if (answer) json = OrderedJson(*wrapped);
  }
  JsonItem result;
  result.arena = std::make_unique<base::Arena>();
  const bool typed = !json.empty() && std::all_of(json.begin(), json.end(), has_typed_form);
  result.spelling = typed ? JsonSpelling::dynamodb : JsonSpelling::plain;
  TRY(result.attributes, Reader(*result.arena).members_of(json, 0, typed));
  return result;
}

Result<Value> read_attribute_value(const OrderedJson& value, base::Arena& arena) {
  return Reader(arena).typed(value, 0);
}

Result<item::Attributes> read_attributes(const OrderedJson& object, base::Arena& arena) {
  if (!object.is_object()) return invalid("expected an object of attribute values");
  return Reader(arena).members_of(object, 0, true);
}

}  // namespace stator::design
