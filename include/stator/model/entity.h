#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "stator/model/codec.h"
#include "stator/model/fixed_text.h"
#include "stator/model/key_template.h"

// What an entity is made of. stator/model.h shows a whole declaration.
namespace stator::model {

namespace detail {

template <class T>
struct MemberOf;
template <class Record, class Value>
struct MemberOf<Value Record::*> {
  using RecordType = Record;
  using ValueType = Value;
};

enum class FieldKind : std::uint8_t { attribute, key_only, version, compressed };

template <FixedText Name, auto Member, FieldKind Kind>
struct Field {
  using RecordType = typename MemberOf<decltype(Member)>::RecordType;
  using ValueType = typename MemberOf<decltype(Member)>::ValueType;
  static_assert(
      Storable<ValueType>,
      "the member has a type that no attribute can hold: specialise stator::model::Codec");
  static constexpr std::string_view kName = Name.view();
  static constexpr auto kMember = Member;
  static constexpr FieldKind kKind = Kind;
  static constexpr bool kOptional = kIsOptional<ValueType>;
};

}  // namespace detail

// An attribute of the item, and the member that holds it. A std::optional may be missing.
template <FixedText Name, auto Member>
struct Attribute : detail::Field<Name, Member, detail::FieldKind::attribute> {};

// A field that is part of keys and no attribute of its own: it is read back from the table's key.
template <FixedText Name, auto Member>
struct KeyOnly : detail::Field<Name, Member, detail::FieldKind::key_only> {};

// An attribute that is stored compressed where it is large: text, or Binary.
template <FixedText Name, auto Member>
struct Compressed : detail::Field<Name, Member, detail::FieldKind::compressed> {
  using Held = typename detail::Unwrapped<
      typename detail::Field<Name, Member, detail::FieldKind::compressed>::ValueType>::Type;
  static_assert(std::same_as<Held, std::string> || std::same_as<Held, Binary>,
                "only std::string and stator::Binary can be stored compressed");
};

// The number of the object's version: 0 before it is written for the first time. Every write adds
// one, and is refused with ErrorKind::version_conflict where somebody else has written meanwhile.
template <FixedText Name, auto Member>
struct Version : detail::Field<Name, Member, detail::FieldKind::version> {
  static_assert(Integer<typename detail::MemberOf<decltype(Member)>::ValueType>,
                "a version is an integer");
};

// Holds the number of a random shard: below 0 before the object is written, then the one that was
// chosen. Needed where a key has {shard(random, n)}, because the item cannot be found without it.
template <auto Member>
struct ShardNumber {
  using RecordType = typename detail::MemberOf<decltype(Member)>::RecordType;
  static constexpr auto kMember = Member;
  static_assert(std::same_as<typename detail::MemberOf<decltype(Member)>::ValueType, int>,
                "the number of a shard is an int");
};

// The text of a key attribute, of the table or of an index.
template <FixedText AttributeName, FixedText Template>
struct Key {
  static constexpr std::string_view kAttribute = AttributeName.view();
  static constexpr const ParsedTemplate& kTemplate = kParsed<Template>;
  static constexpr bool kNumber = false;
  static constexpr TemplateProblem kProblem = kTemplate.problem;
  static_assert(kProblem != TemplateProblem::brace,
                "a key template has a brace without its partner; {{ and }} are braces of the text");
  static_assert(kProblem != TemplateProblem::name, "a key template has {} without a field");
  static_assert(kProblem != TemplateProblem::format,
                "a key template has an unknown format: expected a width such as 08 or 06.2, one of "
                "year, month, day, hour, minute, second, or upper, lower");
  static_assert(kProblem != TemplateProblem::shard,
                "a key template has a wrong shard: expected {shard(field, 10)} or "
                "{shard(random, 10)} with a number from 1 to 10000");
  static_assert(kProblem != TemplateProblem::second_shard,
                "a key template has two shards; one is the most");
  static_assert(kProblem != TemplateProblem::too_many_parts, "a key template has over 16 parts");
};
// The same for a key attribute of type N.
template <FixedText AttributeName, FixedText Template>
struct NumberKey : Key<AttributeName, Template> {
  static constexpr bool kNumber = true;
};

// The item is in the index only while the field has one of the values; without values: while it is
// there (a std::optional).
template <FixedText IndexName, FixedText FieldName, FixedText... Values>
struct Sparse {
  static constexpr std::string_view kIndex = IndexName.view();
  static constexpr std::string_view kField = FieldName.view();
  static constexpr std::array<std::string_view, sizeof...(Values)> kValues = {Values.view()...};
};

namespace detail {

template <class Part>
inline constexpr bool kIsField = requires {
  Part::kKind;
};
template <class Part>
inline constexpr bool kIsKey = requires {
  Part::kTemplate;
};
template <class Part>
inline constexpr bool kIsSparse = requires {
  Part::kIndex;
};
template <class Part>
inline constexpr bool kIsShardNumber = !kIsField<Part> && requires {
  Part::kMember;
};

template <class Part, bool Keep>
using Kept = std::conditional_t<Keep, std::tuple<Part>, std::tuple<>>;
template <class... Tuples>
using Joined = decltype(std::tuple_cat(std::declval<Tuples>()...));

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Stands in the compiler's notes with the name that is wrong.
template <class Record, FixedText FieldName, bool Declared>
struct FieldOfTemplate {
  static_assert(Declared,
                "a key template or a sparse condition names a field that the entity does not "
                "declare; FieldOfTemplate<...> has its name");
  static constexpr bool kGood = Declared;
};

}  // namespace detail

// An entity of a table: the struct of the program, the name that the type attribute gets, and its
// fields, keys and conditions in any order.
template <class RecordType, FixedText TypeName, class... Parts>
struct Entity {
  using Record = RecordType;
  static constexpr std::string_view kType = TypeName.view();

  using Fields = detail::Joined<detail::Kept<Parts, detail::kIsField<Parts>>...>;
  using Keys = detail::Joined<detail::Kept<Parts, detail::kIsKey<Parts>>...>;
  using Conditions = detail::Joined<detail::Kept<Parts, detail::kIsSparse<Parts>>...>;
  using ShardNumbers = detail::Joined<detail::Kept<Parts, detail::kIsShardNumber<Parts>>...>;
  static constexpr std::size_t kFields = std::tuple_size_v<Fields>;
  static constexpr std::size_t kKeys = std::tuple_size_v<Keys>;
  static constexpr std::size_t kConditions = std::tuple_size_v<Conditions>;
  static constexpr bool kHasShardNumber = std::tuple_size_v<ShardNumbers> > 0;

  // Calls visit.template operator()<Field>() for each.
  template <class Visit>
  static constexpr void each_field(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit.template operator()<std::tuple_element_t<I, Fields>>(), ...);
    }
    (std::make_index_sequence<kFields>());
  }
  template <class Visit>
  static constexpr void each_key(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit.template operator()<std::tuple_element_t<I, Keys>>(), ...);
    }
    (std::make_index_sequence<kKeys>());
  }

  static constexpr std::size_t field_index(std::string_view name) {
    std::size_t at = 0;
    std::size_t found = detail::kNowhere;
    each_field([&]<class Field>() {
      if (Field::kName == name) found = at;
      ++at;
    });
    return found;
  }
  static constexpr std::size_t key_index(std::string_view attribute) {
    std::size_t at = 0;
    std::size_t found = detail::kNowhere;
    each_key([&]<class OneKey>() {
      if (OneKey::kAttribute == attribute) found = at;
      ++at;
    });
    return found;
  }
  static constexpr std::size_t version_index() {
    std::size_t at = 0;
    std::size_t found = detail::kNowhere;
    each_field([&]<class Field>() {
      if (Field::kKind == detail::FieldKind::version) found = at;
      ++at;
    });
    return found;
  }
  static constexpr bool kVersioned = version_index() != detail::kNowhere;

 private:
  template <std::string_view const& Name>
  static constexpr bool declared() {
    return detail::FieldOfTemplate<RecordType, FixedText<Name.size() + 1>(Name),
                                   field_index(Name) != detail::kNowhere>::kGood;
  }
  template <class OneKey, std::size_t At>
  struct PartName {
    static constexpr std::string_view kName = OneKey::kTemplate.parts[At].text;
  };
  template <class OneKey, std::size_t... At>
  static constexpr bool key_declared(std::index_sequence<At...>) {
    return ([] {
      constexpr TemplatePart kPart = OneKey::kTemplate.parts[At];
      if constexpr (kPart.kind == PartKind::field || kPart.kind == PartKind::calculated_shard) {
        return declared<PartName<OneKey, At>::kName>();
      } else if constexpr (kPart.kind == PartKind::random_shard) {
        static_assert(kHasShardNumber,
                      "a key has {shard(random, n)}: declare ShardNumber<&Record::member>, without "
                      "which the item cannot be found again");
        return kHasShardNumber;
      } else {
        return true;
      }
    }() && ...);
  }
  template <std::size_t... K, std::size_t... C>
  static constexpr bool all_declared(std::index_sequence<K...>, std::index_sequence<C...>) {
    return (key_declared<std::tuple_element_t<K, Keys>>(
                std::make_index_sequence<std::tuple_element_t<K, Keys>::kTemplate.count>()) &&
            ...) &&
           (declared<std::tuple_element_t<C, Conditions>::kField>() && ...);
  }
  static constexpr bool same_record() {
    bool same = true;
    each_field([&]<class Field>() {
      same = same && std::is_same_v<typename Field::RecordType, RecordType>;
    });
    return same;
  }

 public:
  static_assert(((detail::kIsField<Parts> || detail::kIsKey<Parts> || detail::kIsSparse<Parts> ||
                  detail::kIsShardNumber<Parts>)&&...),
                "an entity is made of Attribute, KeyOnly, Compressed, Version, ShardNumber, Key, "
                "NumberKey and Sparse");
  static_assert(same_record(), "a field's member belongs to another struct than the entity's");
  static_assert(all_declared(std::make_index_sequence<kKeys>(),
                             std::make_index_sequence<kConditions>()));
};

}  // namespace stator::model
