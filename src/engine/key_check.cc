#include "engine/key_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "item/size.h"

namespace stator::engine {
namespace {

constexpr std::string_view kKeyMismatch = "The provided key element does not match the schema";

bool is_empty(const item::Value& value) {
  return !value.is(item::Type::number) && value.text().empty();
}

std::string_view empty_kind(const item::Value& value) {
  return value.is(item::Type::binary) ? "binary" : "string";
}

// Calls visit(attribute, value) for each key attribute with its value.
template <class Visit>
Result<void> for_each_key(const KeySchema& schema, const KeyValues& key, Visit&& visit) {
  for (std::size_t i = 0; i < schema.partition.size(); ++i) {
    TRY_VOID(visit(schema.partition[i], key.partition[i]));
  }
  for (std::size_t i = 0; i < schema.sort.size(); ++i) TRY_VOID(visit(schema.sort[i], key.sort[i]));
  return {};
}

std::size_t key_bytes(std::span<const item::Value> values) {
  std::size_t sum = 0;
  for (const item::Value& value : values) sum += item::value_bytes(value);
  return sum;
}

Result<void> check_key_attribute_present(const KeyAttribute& attribute, item::Attributes item) {
  const item::Value* value = item::find(item, attribute.name);
  if (value == nullptr) {
    return invalid(fmt::format("One or more parameter values were invalid: Missing the key {} in the item",
                               attribute.name));
  }
  if (!value->is(attribute.type)) {
    return invalid(fmt::format(
        "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
        attribute.name, item::type_name(attribute.type), item::type_name(value->type())));
  }
  return {};
}

Result<void> check_index_key_not_empty(const Index& index, const KeyAttribute& attribute,
                                       const item::Value& value) {
  if (!is_empty(value)) return {};
  return invalid(fmt::format("One or more parameter values are not valid. A value specified for a secondary "
                             "index key is not supported. The AttributeValue for a key attribute cannot "
                             "contain an empty {} value. IndexName: {}, IndexKey: {}",
                             empty_kind(value), index.name, attribute.name));
}

Result<void> check_key_not_empty(const KeyAttribute& attribute, const item::Value& value) {
  if (!is_empty(value)) return {};
  return invalid(fmt::format("One or more parameter values are not valid. The AttributeValue for a key "
                             "attribute cannot contain an empty {} value. Key: {}",
                             empty_kind(value), attribute.name));
}

// Calls visit(attribute, value) for each attribute of a key schema that is there with the right type.
template <class Visit>
Result<void> for_each_present(const KeySchema& schema, item::Attributes attributes, Visit&& visit) {
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *part) {
      const item::Value* value = item::find(attributes, attribute.name);
      if (value != nullptr && value->is(attribute.type)) TRY_VOID(visit(attribute, *value));
    }
  }
  return {};
}

Result<void> check_index_key_value(const Index& index, const KeyAttribute& attribute,
                                   const item::Value& value) {
  TRY_VOID(check_index_key_type(index, attribute, value.type()));
  return check_index_key_not_empty(index, attribute, value);
}

Result<void> check_sizes(std::size_t partition_bytes, std::size_t sort_bytes) {
  if (partition_bytes > kPartitionKeyBytesMax) {
    return invalid("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
                   "limit of2048 bytes");
  }
  if (sort_bytes > kSortKeyBytesMax) {
    return invalid("One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
                   "the size limit of 1024 bytes");
  }
  return {};
}

std::size_t key_bytes(const std::vector<KeyAttribute>& attributes, item::Attributes item) {
  std::size_t sum = 0;
  for (const KeyAttribute& attribute : attributes) {
    const item::Value* value = item::find(item, attribute.name);
    if (value != nullptr) sum += item::value_bytes(*value);
  }
  return sum;
}

// In the order in which the service checks them.
template <class Visit>
Result<void> for_each_index(const Table& table, Visit&& visit) {
  for (const std::uint8_t position : table.index_check_order) TRY_VOID(visit(table.indexes[position]));
  return {};
}

Result<void> check_index_keys(const Table& table, item::Attributes item) {
  if (table.indexes.empty()) return {};
  return for_each_index(table, [&](const Index& index) -> Result<void> {
    for (const auto* part : {&index.key.partition, &index.key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        const item::Value* value = item::find(item, attribute.name);
        if (value == nullptr) continue;
        TRY_VOID(check_index_key_value(index, attribute, *value));
      }
    }
    return check_sizes(key_bytes(index.key.partition, item), key_bytes(index.key.sort, item));
  });
}

Result<void> check_updated_not_empty(const item::Value& value) {
  if (!is_empty(value)) return {};
  return invalid(fmt::format(
      "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a "
      "value that is not supported. The AttributeValue for a key attribute cannot contain an empty {} value.",
      empty_kind(value)));
}

bool is_index_key(const Table& table, std::string_view name) {
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [&](const Index& index) { return index.key.contains(name); });
}

bool is_defined_as(const Table& table, std::string_view name, item::Type type) {
  return std::any_of(table.definitions.begin(), table.definitions.end(), [&](const KeyAttribute& attribute) {
    return attribute.name == name && attribute.type == type;
  });
}

}  // namespace

Result<void> check_index_key_type(const Index& index, const KeyAttribute& attribute, item::Type type) {
  if (type == attribute.type) return {};
  return invalid(fmt::format(
      "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}",
      attribute.name, item::type_name(attribute.type), item::type_name(type), index.name));
}

// An update of no item at all shows what it writes whatever the item is; one that has to read the item first fails then.
Result<void> check_no_empty_updates(const Table& table, const expr::Update& update, base::Arena& arena) {
  const auto names = update.targets().attribute_names();
  const bool concerned =
      std::any_of(names.begin(), names.end(), [&](std::string_view name) { return is_index_key(table, name); });
  if (!concerned) return {};
  const Result<expr::UpdateChanges> applied = update.apply(nullptr, kItemBytesMax, arena);
  if (!applied) return {};
  for (const expr::AttributeChange& change : applied->changes) {
    const bool is_key = change.after && is_index_key(table, change.name) &&
                        is_defined_as(table, change.name, change.after->type());
    if (is_key) TRY_VOID(check_updated_not_empty(*change.after));
  }
  return {};
}

Result<void> check_no_empty_keys(const Table& table, item::Attributes attributes, bool is_item) {
  TRY_VOID(for_each_present(table.key, attributes, check_key_not_empty));
  if (!is_item) return {};
  return for_each_index(table, [&](const Index& index) {
    return for_each_present(index.key, attributes, [&](const KeyAttribute& attribute, const item::Value& value) {
      return check_index_key_not_empty(index, attribute, value);
    });
  });
}

Result<void> check_key_sizes(const Table& table, const KeyValues& key) {
  TRY_VOID(for_each_key(table.key, key, check_key_not_empty));
  return check_sizes(key_bytes(key.partition), key_bytes(key.sort));
}

Result<KeyValues> check_key(const Table& table, item::Attributes key, base::Arena& arena) {
  if (key.size() != table.key.partition.size() + table.key.sort.size()) {
    return invalid(std::string(kKeyMismatch));
  }
  const std::optional<KeyValues> values = find_key_values(table.key, key, arena);
  if (!values) return invalid(std::string(kKeyMismatch));
  TRY_VOID(check_key_sizes(table, *values));
  return *values;
}

Result<KeyValues> check_item(const Table& table, item::Attributes item, base::Arena& arena) {
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const KeyAttribute& attribute : *part) {
      TRY_VOID(check_key_attribute_present(attribute, item));
    }
  }
  const KeyValues values = *find_key_values(table.key, item, arena);
  TRY_VOID(check_key_sizes(table, values));
  TRY_VOID(check_index_keys(table, item));
  return values;
}

Result<KeyValues> check_batch_item(const Table& table, item::Attributes item, base::Arena& arena) {
  const std::optional<KeyValues> values = find_key_values(table.key, item, arena);
  if (!values) return invalid(std::string(kKeyMismatch));
  TRY_VOID(check_key_sizes(table, *values));
  TRY_VOID(check_index_keys(table, item));
  return *values;
}

Result<void> check_updated_index_key(const Table& table, std::string_view name, const item::Value& value) {
  return for_each_index(table, [&](const Index& index) -> Result<void> {
    for (const auto* part : {&index.key.partition, &index.key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (attribute.name != name) continue;
        if (!value.is(attribute.type)) {
          return invalid("The update expression attempted to update the secondary index key to unsupported type");
        }
        TRY_VOID(check_updated_not_empty(value));
        const std::size_t bytes = item::value_bytes(value);
        TRY_VOID(part == &index.key.partition ? check_sizes(bytes, 0) : check_sizes(0, bytes));
      }
    }
    return {};
  });
}

}  // namespace stator::engine
