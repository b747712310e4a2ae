#include "embed/convert.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "engine/table.h"
#include "item/number.h"

namespace stator::embed {
namespace {

using item::Type;
using item::Value;

Error damaged() { return {ErrorCode::corruption, "an item in the store is damaged"}; }

Result<void> check_text(std::string_view text) {
  if (base::is_utf8(text)) return {};
  return invalid(
      "One or more parameter values were invalid: Strings and attribute names must be UTF-8");
}

Result<Value> to_string(const std::string& text) {
  TRY_VOID(check_text(text));
  return Value::string(text);
}

Result<Value> to_number(const Number& number, base::Arena& arena) {
  TRY(const std::string_view canonical, item::canonical_number(number.text(), arena));
  return Value::number(canonical);
}

// The members of a set; `convert` makes a Result<Value> of each.
template <class Set, class Convert>
Result<Value> to_set(Type type, const Set& set, std::string_view empty_text, base::Arena& arena,
                     Convert&& convert) {
  if (set.empty()) {
    return invalid(fmt::format("One or more parameter values were invalid: {}", empty_text));
  }
  const std::span<Value> members = arena.array<Value>(set.size());
  std::size_t count = 0;
  for (const auto& member : set) {
    TRY(members[count++], convert(member));
  }
  return Value::set(type, members);
}

Result<Value> to_value(const AttributeValue& value, int depth, base::Arena& arena);

Result<Value> to_list(const List& list, int depth, base::Arena& arena) {
  const std::span<Value> elements = arena.array<Value>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY(elements[i], to_value(list[i], depth + 1, arena));
  }
  return Value::list(elements);
}

// `depth` is that of the values.
Result<item::Attributes> nested_attributes(const Item& item, int depth, base::Arena& arena) {
  const std::span<item::Attribute> attributes = arena.array<item::Attribute>(item.size());
  std::size_t count = 0;
  for (const auto& [name, value] : item) {
    TRY_VOID(check_text(name));
    attributes[count].name = name;
    TRY(attributes[count++].value, to_value(value, depth, arena));
  }
  return attributes;
}

Result<Value> to_map(const Item& map, int depth, base::Arena& arena) {
  TRY(const item::Attributes attributes, nested_attributes(map, depth + 1, arena));
  return Value::map(attributes);
}

Result<Value> to_value(const AttributeValue& value, int depth, base::Arena& arena) {
  const bool nests = value.is(AttributeType::map) || value.is(AttributeType::list);
  if (nests && depth >= engine::kNestingLevelsMax)
    return invalid(std::string(engine::kNestedTooDeep));
  switch (value.type()) {
    case AttributeType::null:
      break;
    case AttributeType::boolean:
      return Value::boolean(value.as_bool());
    case AttributeType::string:
      return to_string(value.as_string());
    case AttributeType::number:
      return to_number(value.as_number(), arena);
    case AttributeType::binary:
      return Value::binary(value.as_binary().bytes);
    case AttributeType::list:
      return to_list(value.as_list(), depth, arena);
    case AttributeType::map:
      return to_map(value.as_map(), depth, arena);
    case AttributeType::string_set:
      return to_set(Type::string_set, value.as_string_set(), "An string set  may not be empty",
                    arena, to_string);
    case AttributeType::number_set:
      return to_set(Type::number_set, value.as_number_set(), "An number set  may not be empty",
                    arena, [&](const Number& number) { return to_number(number, arena); });
    case AttributeType::binary_set:
      return to_set(
          Type::binary_set, value.as_binary_set(), "Binary sets should not be empty", arena,
          [](const Binary& binary) -> Result<Value> { return Value::binary(binary.bytes); });
  }
  return Value::null();
}

template <class Set, class Make>
Set from_set(const Value& value, Make&& make) {
  Set set;
  for (const Value& member : value.elements()) set.insert(make(member.text()));
  return set;
}

AttributeValue from_value(const Value& value) {
  const auto string_of = [](std::string_view text) { return std::string(text); };
  const auto number_of = [](std::string_view text) { return Number(std::string(text)); };
  const auto binary_of = [](std::string_view bytes) { return Binary(std::string(bytes)); };
  switch (value.type()) {
    case Type::string:
      return string_of(value.text());
    case Type::number:
      return number_of(value.text());
    case Type::binary:
      return binary_of(value.text());
    case Type::boolean:
      return value.as_bool();
    case Type::map:
      return to_item(value.attributes());
    case Type::list: {
      List list;
      list.reserve(value.elements().size());
      for (const Value& element : value.elements()) list.push_back(from_value(element));
      return list;
    }
    case Type::string_set:
      return from_set<StringSet>(value, string_of);
    case Type::number_set:
      return from_set<NumberSet>(value, number_of);
    case Type::binary_set:
      return from_set<BinarySet>(value, binary_of);
    case Type::null:
      break;
  }
  return nullptr;
}

// The end of the JSON object at the front of `text`; npos where it has none.
std::size_t object_end(std::string_view text) noexcept {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Result<item::Attributes> to_attributes(const Item& item, base::Arena& arena) {
  return nested_attributes(item, 1, arena);
}

Result<engine::ExpressionParameters> to_parameters(const Names& names, const Item& values,
                                                   base::Arena& arena) {
  const std::span<expr::Name> engine_names = arena.array<expr::Name>(names.size());
  std::size_t count = 0;
  for (const auto& [placeholder, attribute] : names) {
    TRY_VOID(check_text(attribute));
    engine_names[count++] = {placeholder, attribute};
  }
  const std::span<item::Attribute> engine_values = arena.array<item::Attribute>(values.size());
  count = 0;
  for (const auto& [placeholder, value] : values) {
    const Result<Value> converted = to_value(value, 1, arena);
    if (!converted) {
      return invalid(fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}",
                                 converted.error().message, placeholder));
    }
    engine_values[count++] = {placeholder, *converted};
  }
  return engine::ExpressionParameters{engine_names, engine_values};
}

Item to_item(item::Attributes attributes) {
  Item item;
  for (const item::Attribute& attribute : attributes) {
    item.emplace(attribute.name, from_value(attribute.value));
  }
  return item;
}

Result<Item> to_item(const item::StoredItem& stored, base::Arena& arena) {
  TRY(const item::Attributes attributes, stored.decode_checked(arena));
  return to_item(attributes);
}

Result<Item> to_item(std::string_view wire_text, base::Arena& arena) {
  // An item is written like the content of a map.
  base::Buffer map;
  map.append(R"({"M":)");
  map.append(wire_text);
  map.push_back('}');
  const std::optional<Value> value = item::decode_value(map.view(), arena);
  if (!value) return tl::unexpected(damaged());
  return to_item(value->attributes());
}

Result<std::vector<Item>> to_items(std::string_view wire_texts, base::Arena& arena) {
  std::vector<Item> items;
  while (!wire_texts.empty()) {
    const std::size_t end = object_end(wire_texts);
    if (end == std::string_view::npos) return tl::unexpected(damaged());
    TRY(Item item, to_item(wire_texts.substr(0, end), arena));
    items.push_back(std::move(item));
    wire_texts.remove_prefix(std::min(end + 1, wire_texts.size()));  // the comma too
  }
  return items;
}

ConsumedCapacity to_capacity(const engine::ConsumedCapacity& consumed,
                             ReturnConsumedCapacity wanted) {
  const auto units = [](engine::HalfUnits cost) { return static_cast<double>(cost) / 2; };
  ConsumedCapacity capacity;
  capacity.table_name = consumed.table->name;
  capacity.capacity_units = units(consumed.total());
  if (wanted != ReturnConsumedCapacity::indexes) return capacity;
  capacity.table_units = units(consumed.table_cost);
  for (const auto& [index, cost] : consumed.indexes) {
    const bool local = index->kind == engine::IndexKind::local;
    (local ? capacity.local_indexes : capacity.global_indexes)[index->name] = units(cost);
  }
  return capacity;
}

std::optional<ConsumedCapacity> wanted_capacity(const engine::ConsumedCapacity& consumed,
                                                ReturnConsumedCapacity wanted) {
  if (wanted == ReturnConsumedCapacity::none) return std::nullopt;
  return to_capacity(consumed, wanted);
}

}  // namespace stator::embed
