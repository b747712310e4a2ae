#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "stator/model/entity.h"
#include "stator/tables.h"

namespace stator::model {

// The key attributes of the table or of an index.
template <FixedText Partition, FixedText... Sort>
struct Keys {
  static_assert(sizeof...(Sort) <= 1, "a key has one sort attribute at most");
  static constexpr std::string_view kPartition = Partition.view();
  static constexpr std::string_view kSort = [] {
    std::string_view sort;
    ((sort = Sort.view()), ...);
    return sort;
  }();
  static constexpr bool has(std::string_view attribute) {
    return attribute == kPartition || (!kSort.empty() && attribute == kSort);
  }
};

// The attribute that says of which entity an item is. Without one the keys tell.
template <FixedText Name>
struct TypeAttribute {
  static constexpr std::string_view kName = Name.view();
};
struct NoTypeAttribute {
  static constexpr std::string_view kName = "";
};

// What an index holds besides keys; members of objects that it does not hold keep their defaults.
struct ProjectAll {
  static constexpr ProjectionType kKind = ProjectionType::all;
  static std::vector<std::string> attributes() { return {}; }
};
struct ProjectKeys {
  static constexpr ProjectionType kKind = ProjectionType::keys_only;
  static std::vector<std::string> attributes() { return {}; }
};
template <FixedText... Names>
struct Project {
  static constexpr ProjectionType kKind = ProjectionType::include;
  static std::vector<std::string> attributes() { return {std::string(Names.view())...}; }
};

// A global secondary index.
template <FixedText Name, class KeysOf, class Projection = ProjectAll>
struct Index {
  static constexpr std::string_view kName = Name.view();
  using KeyType = KeysOf;
  using ProjectionType = Projection;
};
template <class... All>
struct Indexes {
  using Tuple = std::tuple<All...>;
};

namespace detail {

// The table itself, in the place of an index.
template <class KeysOf>
struct TableIndex {
  static constexpr std::string_view kName = "";
  using KeyType = KeysOf;
  using ProjectionType = ProjectAll;
};

// Each of these stands in the compiler's notes with the types that are wrong.
template <class Record, bool Known>
struct RecordOfTable {
  static_assert(Known, "the table has no entity with this struct");
};
template <class Record, bool Complete>
struct TableKeyOf {
  static_assert(Complete, "an entity lacks a template for the table's partition or sort key");
  static constexpr bool kGood = Complete;
};
template <class Record, FixedText Attribute, bool Known>
struct KeyAttributeOf {
  static_assert(
      Known, "an entity has a template for an attribute that is no key of the table or an index");
  static constexpr bool kGood = Known;
};
template <FixedText Name, bool Known>
struct IndexNamed {
  static_assert(Known, "there is no index of this name");
};
template <class Record, FixedText Name, bool Readable>
struct KeyOnlyField {
  static_assert(Readable,
                "a KeyOnly field must stand whole in the table's key, with text between it and the "
                "next field; otherwise it cannot be read back: make it an Attribute");
  static constexpr bool kGood = Readable;
};

// Where a field can be read back from: parts that hold all of it, and whose end can be seen.
constexpr std::size_t whole_part(const ParsedTemplate& key, std::string_view field) {
  for (std::size_t i = 0; i < key.count; ++i) {
    const TemplatePart& part = key.parts[i];
    const bool whole = part.kind == PartKind::field && part.text == field &&
                       (part.format == PartFormat::plain || part.format == PartFormat::number);
    const bool ends = i + 1 == key.count || key.parts[i + 1].kind == PartKind::literal ||
                      part.format == PartFormat::number;
    if (whole && ends) return i;
  }
  return kNowhere;
}

}  // namespace detail

// A single table with all its entities:
//
//   using Shop = Table<"app-main", Keys<"PK", "SK">, TypeAttribute<"entity_type">,
//                      Indexes<Index<"GSI1", Keys<"GSI1PK", "GSI1SK">>>, Customers, Orders>;
template <FixedText Name, class KeysOf, class Type, class AllIndexes, class... EntityTypes>
struct Table {
  static constexpr std::string_view kName = Name.view();
  static constexpr std::string_view kTypeAttribute = Type::kName;
  using KeyType = KeysOf;
  using IndexTuple = typename AllIndexes::Tuple;
  using Entities = std::tuple<EntityTypes...>;
  static constexpr std::size_t kIndexes = std::tuple_size_v<IndexTuple>;

  template <class Visit>
  static constexpr void each_index(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit.template operator()<std::tuple_element_t<I, IndexTuple>>(), ...);
    }
    (std::make_index_sequence<kIndexes>());
  }

  template <class Record>
  static constexpr std::size_t entity_index() {
    std::size_t at = 0;
    std::size_t found = detail::kNowhere;
    ((std::is_same_v<typename EntityTypes::Record, Record> ? found = at++ : at++), ...);
    return found;
  }
  template <class Record>
  static constexpr auto entity_of() {
    constexpr std::size_t kAt = entity_index<Record>();
    static_cast<void>(detail::RecordOfTable<Record, kAt != detail::kNowhere>());
    return std::type_identity<std::tuple_element_t<kAt, Entities>>();
  }
  // The entity that a struct of the program is.
  template <class Record>
  using EntityOf = typename decltype(entity_of<Record>())::type;

  // "" is the table.
  template <FixedText IndexName>
  static constexpr auto index_named() {
    if constexpr (IndexName.view().empty()) {
      return std::type_identity<detail::TableIndex<KeysOf>>();
    } else {
      constexpr std::size_t kAt = [] {
        std::size_t at = 0;
        std::size_t found = detail::kNowhere;
        each_index([&]<class One>() {
          if (One::kName == IndexName.view()) found = at;
          ++at;
        });
        return found;
      }();
      static_cast<void>(detail::IndexNamed<IndexName, kAt != detail::kNowhere>());
      return std::type_identity<std::tuple_element_t<kAt, IndexTuple>>();
    }
  }
  template <FixedText IndexName>
  using IndexNamed = typename decltype(index_named<IndexName>())::type;

  static constexpr bool is_key(std::string_view attribute) {
    bool found = KeysOf::has(attribute);
    each_index([&]<class One>() { found = found || One::KeyType::has(attribute); });
    return found;
  }

  static CreateTableRequest create_table_request() {
    CreateTableRequest request{.table_name = std::string(kName), .key = schema<KeysOf>()};
    each_index([&]<class One>() {
      request.global_secondary_indexes.push_back(
          {.index_name = std::string(One::kName),
           .key = schema<typename One::KeyType>(),
           .projection = One::ProjectionType::kKind,
           .non_key_attributes = One::ProjectionType::attributes()});
    });
    return request;
  }

 private:
  static bool is_number(std::string_view attribute) {
    bool number = false;
    const auto look = [&]<class One>() {
      One::each_key([&]<class OneKey>() {
        if (OneKey::kAttribute == attribute) number = number || OneKey::kNumber;
      });
    };
    (look.template operator()<EntityTypes>(), ...);
    return number;
  }
  static KeyAttribute key_attribute(std::string_view attribute) {
    return {std::string(attribute), is_number(attribute) ? ScalarType::number : ScalarType::string};
  }
  template <class OneKeys>
  static KeySchema schema() {
    KeySchema schema{.partition = {key_attribute(OneKeys::kPartition)}};
    if (!OneKeys::kSort.empty()) schema.sort = {key_attribute(OneKeys::kSort)};
    return schema;
  }

  template <class One, std::size_t... K>
  static constexpr bool keys_known(std::index_sequence<K...>) {
    return ([] {
      using OneKey = std::tuple_element_t<K, typename One::Keys>;
      return detail::KeyAttributeOf<typename One::Record,
                                    FixedText<OneKey::kAttribute.size() + 1>(OneKey::kAttribute),
                                    is_key(OneKey::kAttribute)>::kGood;
    }() && ...);
  }
  template <class One, std::size_t... F>
  static constexpr bool fields_readable(std::index_sequence<F...>) {
    return ([] {
      using Field = std::tuple_element_t<F, typename One::Fields>;
      if constexpr (Field::kKind == detail::FieldKind::key_only) {
        bool readable = false;
        One::each_key([&]<class OneKey>() {
          if (KeysOf::has(OneKey::kAttribute) &&
              detail::whole_part(OneKey::kTemplate, Field::kName) != detail::kNowhere)
            readable = true;
        });
        return readable;
      } else {
        return true;
      }
    }() && ...);
  }
  template <class One, std::size_t... F>
  static constexpr bool check_fields(std::index_sequence<F...>) {
    return ([] {
      using Field = std::tuple_element_t<F, typename One::Fields>;
      return detail::KeyOnlyField<typename One::Record,
                                  FixedText<Field::kName.size() + 1>(Field::kName),
                                  fields_readable<One>(std::index_sequence<F>())>::kGood;
    }() && ...);
  }
  template <class One>
  static constexpr bool good() {
    constexpr bool kComplete =
        One::key_index(KeysOf::kPartition) != detail::kNowhere &&
        (KeysOf::kSort.empty() || One::key_index(KeysOf::kSort) != detail::kNowhere);
    return detail::TableKeyOf<typename One::Record, kComplete>::kGood &&
           keys_known<One>(std::make_index_sequence<One::kKeys>()) &&
           check_fields<One>(std::make_index_sequence<One::kFields>());
  }
  static_assert((good<EntityTypes>() && ...));
};

}  // namespace stator::model
