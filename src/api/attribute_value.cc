#include "api/attribute_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/table.h"
#include "item/base64.h"
#include "item/number.h"

namespace stator::api {
namespace {

using item::Attribute;
using item::Type;
using item::Value;

constexpr std::string_view kNoType =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";

// A cheaper look that is enough for nearly all items: few attributes, no two alike.
bool all_distinct_few(std::span<const Attribute> attributes) {
  if (attributes.size() > 16) return false;
  for (std::size_t i = 1; i < attributes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (attributes[i].name == attributes[j].name) return false;
    }
  }
  return true;
}

// Of several members of one name the last one counts, as in the service's parser.
std::span<Attribute> keep_last_of_each(std::span<Attribute> attributes) {
  if (all_distinct_few(attributes)) return attributes;
  std::vector<std::uint32_t> order(attributes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(attributes[a].name, a) < std::pair(attributes[b].name, b);
  });
  std::vector<bool> dropped(attributes.size(), false);
  bool any = false;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (attributes[order[i]].name == attributes[order[i + 1]].name) dropped[order[i]] = any = true;
  }
  if (!any) return attributes;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (!dropped[i]) attributes[kept++] = attributes[i];
  }
  return attributes.first(kept);
}

}  // namespace

void AttributeValueReader::reject(InvalidKind kind, std::string message) {
  if (invalid_) return;
  invalid_ = std::move(message);
  invalid_name_ = current_name_;
  invalid_kind_ = kind;
}

item::Attributes AttributeValueReader::read_attributes(simdjson::dom::object object, std::string_view member) {
  const std::span<Attribute> room = state_.arena().array<Attribute>(object.size());
  // size() stops counting at 2^24 - 1 members, more than the largest request has.
  std::size_t count = 0;
  for (const auto field : object) {
    if (count == room.size()) break;
    current_name_ = field.key;
    state_.check_name(field.key, member, "Map keys");
    room[count++] = {field.key, read(field.value, 1)};
  }
  return keep_last_of_each(room.first(count));
}

Value AttributeValueReader::read(Json json, int depth) {
  if (!json.is_object()) {
    if (json.is_null()) {
      reject(InvalidKind::shape, std::string(kNoType));
      return {};
    }
    static_cast<void>(read_structure(json, "AttributeValue", false, state_));
    return {};
  }
  Value result;
  int types = 0;
  for (const auto field : simdjson::dom::object(json)) {
    if (field.value.is_null()) continue;
    if (!item::type_from_name(field.key)) continue;  // unknown members are ignored
    result = read_typed(field.key, field.value, depth);
    ++types;
  }
  if (types == 0) {
    reject(InvalidKind::shape, std::string(kNoType));
  } else if (types > 1) {
    reject(InvalidKind::shape,
           "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
           "datatypes");
  }
  return result;
}

Value AttributeValueReader::read_typed(std::string_view type_name, Json json, int depth) {
  const Type type = *item::type_from_name(type_name);
  if ((type == Type::map || type == Type::list) && depth >= engine::kNestingLevelsMax &&
      nesting_ == Nesting::limited) {
    state_.note_too_deep();
    reject(InvalidKind::shape, std::string(engine::kNestedTooDeep));
    return {};
  }
  switch (type) {
    case Type::string: {
      const std::optional<std::string_view> text = read_string(json, state_);
      return text ? Value::string(*text) : Value();
    }
    case Type::number:
      return read_number(json);
    case Type::binary:
      return read_binary(json);
    case Type::boolean: {
      const std::optional<bool> flag = read_boolean(json, state_);
      return flag ? Value::boolean(*flag) : Value();
    }
    case Type::null:
      return read_null(json);
    case Type::map:
      return read_map(json, depth);
    case Type::list:
      return read_list(json, depth);
    default:
      return read_set(type, json);
  }
}

Value AttributeValueReader::read_null(Json json) {
  const std::optional<bool> flag = read_boolean(json, state_);
  if (flag && !*flag) {
    reject(InvalidKind::null,
           "One or more parameter values were invalid: Null attribute value types must have the value of true");
  }
  return Value::null();
}

Value AttributeValueReader::read_number(Json json) {
  const std::optional<std::string_view> text = read_string(json, state_);
  if (!text) return {};
  const Result<std::string_view> canonical = item::canonical_number(
      *text, state_.arena(),
      state_.layer() == Layer::current ? item::NumberRules::current : item::NumberRules::classic);
  if (!canonical) {
    reject(InvalidKind::content, canonical.error().message);
    return {};
  }
  return Value::number(*canonical);
}

Value AttributeValueReader::read_binary(Json json) {
  const auto text = json.get_string();
  if (text.error() != simdjson::SUCCESS) {
    state_.fail(json.is_array()    ? "Unrecognized collection type class java.nio.ByteBuffer"
                : json.is_object() ? std::string(kStructureUnexpected)
                                   : "only base-64-encoded strings are convertible to bytes");
    return {};
  }
  if (text.value_unsafe().size() % 4 != 0) {
    state_.fail(fmt::format("Base64 encoded length is expected a multiple of 4 bytes but found: {}",
                            text.value_unsafe().size()));
    return {};
  }
  const std::optional<std::string_view> bytes = item::base64_decode(text.value_unsafe(), state_.arena());
  if (!bytes) {
    state_.fail("Invalid last non-pad Base64 character dectected");
    return {};
  }
  return Value::binary(*bytes);
}

Value AttributeValueReader::read_list(Json json, int depth) {
  const auto array = json.get_array();
  if (array.error() != simdjson::SUCCESS) {
    state_.fail(json.is_object() ? std::string(kStructureUnexpected) : "Unexpected field type");
    return {};
  }
  std::vector<Value> elements;
  elements.reserve(array.value_unsafe().size());
  for (const Json element : array.value_unsafe()) elements.push_back(read(element, depth + 1));
  return Value::list(state_.arena().copy(std::span<const Value>(elements)));
}

Value AttributeValueReader::read_map(Json json, int depth) {
  const auto object = json.get_object();
  if (object.error() != simdjson::SUCCESS) {
    state_.fail(json.is_array() ? "Unrecognized collection type java.util.Map<java.lang.String, "
                                  "com.amazonaws.dynamodb.v20120810.AttributeValue>"
                                : "Unexpected field type");
    return {};
  }
  const std::span<Attribute> room = state_.arena().array<Attribute>(object.value_unsafe().size());
  std::size_t count = 0;
  for (const auto field : object.value_unsafe()) {
    if (count == room.size()) break;
    room[count++] = {field.key, read(field.value, depth + 1)};
  }
  return Value::map(keep_last_of_each(room.first(count)));
}

}  // namespace stator::api
