#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/model/table.h"
#include "stator/outcome.h"

// Objects to items and back.
namespace stator::model::detail {

// Text that a member gives to keys; nothing for an optional that is empty.
template <class Field>
std::optional<std::string> field_text(const typename Field::RecordType& record) {
  const std::optional<AttributeValue> value = written(record.*Field::kMember);
  return value ? key_text(*value) : std::nullopt;
}

template <class EntityType>
int shard_number(const typename EntityType::Record& record) {
  if constexpr (EntityType::kHasShardNumber) {
    return record.*std::tuple_element_t<0, typename EntityType::ShardNumbers>::kMember;
  } else {
    return 0;
  }
}

// How much of a key is wanted.
struct KeyExtent {
  std::size_t parts = ParsedTemplate::kPartsMax;  // this many from the left
  int shard = -1;                                 // a reader's: for every kind of shard
};

// A key's text; nothing where an optional field has no value. Errors: an empty field, a value that
// its format cannot take, a field that would end where its own text has the delimiter.
template <class EntityType, class OneKey>
Outcome<std::optional<std::string>> evaluate(const typename EntityType::Record& record,
                                             const KeyExtent& extent = {}) {
  std::string text;
  std::optional<DatabaseError> problem;
  bool complete = true;
  const auto append = [&]<std::size_t At>() {
    constexpr TemplatePart kPart = OneKey::kTemplate.parts[At];
    if (problem || !complete || At >= extent.parts) return;
    if constexpr (kPart.kind == PartKind::literal) {
      text += kPart.text;
    } else if constexpr (kPart.kind == PartKind::random_shard) {
      const int number = extent.shard >= 0 ? extent.shard : shard_number<EntityType>(record);
      if (number < 0) {
        problem = invalid("the number of the object's shard is not known, and the key " +
                          std::string(OneKey::kAttribute) + " needs it");
        return;
      }
      text += std::to_string(number);
    } else {
      if (kPart.kind == PartKind::calculated_shard && extent.shard >= 0) {
        text += std::to_string(extent.shard);
        return;
      }
      using Field =
          std::tuple_element_t<EntityType::field_index(kPart.text), typename EntityType::Fields>;
      std::optional<std::string> value = field_text<Field>(record);
      if (!value) {
        complete = false;
        return;
      }
      constexpr bool kReadBack = Field::kKind == FieldKind::key_only &&
                                 kPart.kind == PartKind::field && At + 1 < OneKey::kTemplate.count;
      if constexpr (kReadBack) {
        constexpr TemplatePart kNext = OneKey::kTemplate.parts[At + 1];
        if (kNext.kind == PartKind::literal && value->find(kNext.text) != std::string::npos) {
          problem = invalid("the field " + std::string(kPart.text) + " holds \"" +
                            std::string(kNext.text) + "\", which ends it in the key " +
                            std::string(OneKey::kAttribute));
          return;
        }
      }
      Outcome<std::string> piece = formatted(kPart, std::move(*value));
      if (piece) {
        text += *piece;
      } else {
        problem = piece.error();
      }
    }
  };
  [&]<std::size_t... At>(std::index_sequence<At...>) { (append.template operator()<At>(), ...); }
  (std::make_index_sequence<OneKey::kTemplate.count>());
  if (problem) return std::move(*problem);
  if (!complete) return std::optional<std::string>();
  return std::optional<std::string>(std::move(text));
}

// A key attribute's value from its text.
template <class OneKey>
AttributeValue key_value(std::string text) {
  if constexpr (OneKey::kNumber) {
    return number_from_key(text);
  } else {
    return AttributeValue(std::move(text));
  }
}

// Whether the sparse conditions of all indexes with this key attribute hold.
template <class TableType, class EntityType>
bool in_index(const typename EntityType::Record& record, std::string_view attribute) {
  bool holds = true;
  const auto look = [&]<std::size_t At>() {
    using Condition = std::tuple_element_t<At, typename EntityType::Conditions>;
    using Field = std::tuple_element_t<EntityType::field_index(Condition::kField),
                                       typename EntityType::Fields>;
    bool own = false;
    TableType::each_index([&]<class One>() {
      own = own || (One::kName == Condition::kIndex && One::KeyType::has(attribute));
    });
    if (!own) return;
    const std::optional<std::string> value = field_text<Field>(record);
    bool found = value.has_value() && Condition::kValues.empty();
    for (const std::string_view one : Condition::kValues) found = found || value == one;
    holds = holds && found;
  };
  if (!TableType::KeyType::has(attribute)) {
    [&]<std::size_t... At>(std::index_sequence<At...>) { (look.template operator()<At>(), ...); }
    (std::make_index_sequence<EntityType::kConditions>());
  }
  return holds;
}

// The table's key of an object, or all its keys.
template <class TableType, class EntityType>
Outcome<Item> keys_of(const typename EntityType::Record& record, bool table_only) {
  Item item;
  std::optional<DatabaseError> problem;
  EntityType::each_key([&]<class OneKey>() {
    const bool of_table = TableType::KeyType::has(OneKey::kAttribute);
    if (problem || (table_only && !of_table)) return;
    if (!in_index<TableType, EntityType>(record, OneKey::kAttribute)) return;
    Outcome<std::optional<std::string>> text = evaluate<EntityType, OneKey>(record);
    if (!text) {
      problem = text.error();
    } else if (*text) {
      item.insert_or_assign(std::string(OneKey::kAttribute), key_value<OneKey>(std::move(**text)));
    } else if (of_table) {
      problem = invalid("a field of the key " + std::string(OneKey::kAttribute) + " has no value");
    }
  });
  if (problem) return std::move(*problem);
  return item;
}

// A member as its attribute; nothing where it is not stored.
template <class Field>
std::optional<AttributeValue> attribute_of(const typename Field::RecordType& record) {
  std::optional<AttributeValue> value = written(record.*Field::kMember);
  if constexpr (Field::kKind == FieldKind::compressed) {
    if (value) value = compressed(std::move(*value));
  }
  return value;
}

template <class TableType, class EntityType>
Outcome<Item> to_item(const typename EntityType::Record& record) {
  Outcome<Item> keys = keys_of<TableType, EntityType>(record, false);
  if (!keys) return keys.error();
  Item item = std::move(*keys);
  if constexpr (!TableType::kTypeAttribute.empty()) {
    item.insert_or_assign(std::string(TableType::kTypeAttribute),
                          AttributeValue(EntityType::kType));
  }
  EntityType::each_field([&]<class Field>() {
    if constexpr (Field::kKind != FieldKind::key_only) {
      if (std::optional<AttributeValue> value = attribute_of<Field>(record))
        item.insert_or_assign(std::string(Field::kName), std::move(*value));
    }
  });
  return item;
}

// Reads one member. False: the attribute has another type than the member, or is missing.
template <class Field>
bool read_attribute(const Item& item, typename Field::RecordType& record, bool projected) {
  using Value = typename Unwrapped<typename Field::ValueType>::Type;
  const auto found = item.find(Field::kName);
  if (found == item.end()) return Field::kOptional || projected;
  std::optional<Value> value;
  if constexpr (Field::kKind == FieldKind::compressed) {
    const auto plain = decompressed(found->second, std::same_as<Value, std::string>);
    if (plain) value = Codec<Value>::read(*plain);
  } else {
    value = Codec<Value>::read(found->second);
  }
  if (!value) return false;
  record.*Field::kMember = std::move(*value);
  return true;
}

// Reads a field or the number of a shard back from the table's key.
template <class TableType, class EntityType, class Take>
bool read_from_keys(const Item& item, std::size_t (*part_of)(const ParsedTemplate&), Take&& take) {
  bool taken = false;
  EntityType::each_key([&]<class OneKey>() {
    if (taken || !TableType::KeyType::has(OneKey::kAttribute)) return;
    const std::size_t part = part_of(OneKey::kTemplate);
    const auto found = item.find(OneKey::kAttribute);
    if (part == kNowhere || found == item.end()) return;
    const std::optional<std::string> key = key_text(found->second);
    if (!key) return;
    if (std::optional<std::string> text = part_of_key(*key, OneKey::kTemplate.view(), part))
      taken = take(std::move(*text));
  });
  return taken;
}

template <class TableType, class EntityType, class Field>
bool read_key_field(const Item& item, typename EntityType::Record& record) {
  using Value = typename Unwrapped<typename Field::ValueType>::Type;
  return read_from_keys<TableType, EntityType>(
      item, [](const ParsedTemplate& key) { return whole_part(key, Field::kName); },
      [&](std::string text) {
        std::optional<Value> value = Codec<Value>::read(number_from_key(text));
        if (std::optional<Value> plain = Codec<Value>::read(AttributeValue(std::move(text))))
          value = std::move(plain);
        if (value) record.*Field::kMember = std::move(*value);
        return value.has_value();
      });
}

// `projected`: the item comes from an index that holds only some attributes.
template <class TableType, class EntityType>
Outcome<typename EntityType::Record> from_item(const Item& item, bool projected = false) {
  typename EntityType::Record record{};
  std::string_view wrong;
  EntityType::each_field([&]<class Field>() {
    bool read = false;
    if constexpr (Field::kKind == FieldKind::key_only) {
      read = read_key_field<TableType, EntityType, Field>(item, record);
    } else {
      read = read_attribute<Field>(item, record, projected);
    }
    if (!read) wrong = Field::kName;
  });
  if constexpr (EntityType::kHasShardNumber) {
    read_from_keys<TableType, EntityType>(
        item,
        [](const ParsedTemplate& key) {
          for (std::size_t i = 0; i < key.count; ++i) {
            if (key.parts[i].kind == PartKind::random_shard) return i;
          }
          return kNowhere;
        },
        [&](const std::string& text) {
          const auto number = number_from_key(text).as_number().to_int64();
          if (number) {
            record.*std::tuple_element_t<0, typename EntityType::ShardNumbers>::kMember =
                static_cast<int>(*number);
          }
          return number.has_value();
        });
  }
  if (!wrong.empty()) {
    return invalid("an item is no " + std::string(EntityType::kType) + ": " + std::string(wrong) +
                   " is missing or of another type");
  }
  return record;
}

// Whether an item is of the entity: by the type attribute, or by its keys where it has none.
template <class TableType, class EntityType>
bool is_of(const Item& item) {
  if constexpr (!TableType::kTypeAttribute.empty()) {
    const auto type = item.find(TableType::kTypeAttribute);
    if (type != item.end())
      return type->second.is(AttributeType::string) &&
             type->second.as_string() == EntityType::kType;
  }
  bool fits = true;
  EntityType::each_key([&]<class OneKey>() {
    if (!TableType::KeyType::has(OneKey::kAttribute)) return;
    const auto found = item.find(OneKey::kAttribute);
    const std::optional<std::string> text =
        found == item.end() ? std::nullopt : key_text(found->second);
    fits = fits && text && matches(*text, OneKey::kTemplate.view());
  });
  return fits;
}

}  // namespace stator::model::detail
