#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "stator/connection.h"
#include "stator/model/versions.h"

namespace stator::model {

// A change of some attributes without reading the object first, by Session::update. The keys of
// indexes that follow from changed fields are rewritten, or removed where a sparse condition no
// longer holds; the version, if there is one, goes up. An item that is not there is not made:
// ErrorKind::conditional_check_failed. For one use by one thread; the connection must live longer.
template <class TableType, class Record>
class Update {
  using EntityType = typename TableType::template EntityOf<Record>;

 public:
  Update(Connection& connection, Record key) : connection_(connection), record_(std::move(key)) {
    request_.table_name = std::string(TableType::kName);
    // Fields of the table's key are known from the object.
    EntityType::each_key([&]<class OneKey>() {
      if (!TableType::KeyType::has(OneKey::kAttribute)) return;
      for (const TemplatePart& part : OneKey::kTemplate.view()) {
        if (part.kind == PartKind::field || part.kind == PartKind::calculated_shard)
          known_[EntityType::field_index(part.text)] = true;
      }
    });
  }

  template <FixedText Name, class Value>
  Update&& set(Value&& value) && {
    using Field = FieldNamed<Name>;
    record_.*Field::kMember = std::forward<Value>(value);
    constexpr std::size_t kAt = EntityType::field_index(Name.view());
    if (std::optional<AttributeValue> stored = detail::attribute_of<Field>(record_)) {
      add(sets_, std::string(placeholder('#', kAt)) + " = " + placeholder(':', kAt));
      request_.values[placeholder(':', kAt)] = std::move(*stored);
    } else {
      add(removes_, placeholder('#', kAt));
    }
    changed<Name>();
    return std::move(*this);
  }
  // Adds to a number; one that is not there counts as 0.
  template <FixedText Name>
  Update&& add(Number amount) && {
    using Field = FieldNamed<Name>;
    using Value = typename detail::Unwrapped<typename Field::ValueType>::Type;
    static_assert(Integer<Value> || std::same_as<Value, Number>, "only numbers can be added to");
    static_assert(!used_by_keys(Name.view()),
                  "the field is part of an index key, which cannot follow a sum: set it");
    constexpr std::size_t kAt = EntityType::field_index(Name.view());
    add(adds_, placeholder('#', kAt) + " " + placeholder(':', kAt));
    request_.values[placeholder(':', kAt)] = std::move(amount);
    request_.names[placeholder('#', kAt)] = std::string(Name.view());
    return std::move(*this);
  }
  // Of an optional.
  template <FixedText Name>
  Update&& remove() && {
    using Field = FieldNamed<Name>;
    static_assert(Field::kOptional, "only a std::optional can be removed");
    record_.*Field::kMember = std::nullopt;
    add(removes_, placeholder('#', EntityType::field_index(Name.view())));
    changed<Name>();
    return std::move(*this);
  }
  // Refused with ErrorKind::version_conflict where the item has another version.
  Update&& expect_version(std::int64_t version) && {
    static_assert(EntityType::kVersioned, "the entity has no Version");
    expected_ = version;
    return std::move(*this);
  }
  // A further condition in DynamoDB's words.
  Update&& when(std::string condition, Item values = {}, Names names = {}) && {
    condition_ = std::move(condition);
    request_.values.merge(values);
    request_.names.merge(names);
    return std::move(*this);
  }

  // The object as it is afterwards.
  [[nodiscard]] Outcome<Record> run() && {
    auto key = detail::keys_of<TableType, EntityType>(record_, true);
    if (!key) return key.error();
    request_.key = std::move(*key);
    if (const Outcome<void> rewritten = rewrite_keys(); !rewritten) return rewritten.error();
    finish();
    auto answer = connection_.update_item(request_);
    if (!answer) {
      if (expected_ && !condition_.has_value() &&
          answer.error().kind == ErrorKind::conditional_check_failed)
        return version_conflict(answer.error(), EntityType::kType, *expected_);
      return answer.error();
    }
    return detail::from_item<TableType, EntityType>(answer->attributes.value_or(Item{}));
  }

 private:
  template <FixedText Name>
  static constexpr auto field_named() {
    constexpr std::size_t kAt = EntityType::field_index(Name.view());
    static_assert(kAt != detail::kNowhere, "the entity has no field of this name");
    using Field = std::tuple_element_t<kAt, typename EntityType::Fields>;
    static_assert(Field::kKind != detail::FieldKind::version, "the version goes up by itself");
    static_assert(!in_table_key(Name.view()) && Field::kKind != detail::FieldKind::key_only,
                  "a field of the table's key cannot be changed: delete the item and put another");
    return std::type_identity<Field>();
  }
  template <FixedText Name>
  using FieldNamed = typename decltype(field_named<Name>())::type;

  static constexpr bool in_table_key(std::string_view field) {
    bool used = false;
    EntityType::each_key([&]<class OneKey>() {
      used = used || (TableType::KeyType::has(OneKey::kAttribute) && OneKey::kTemplate.uses(field));
    });
    return used;
  }
  // By its template, or by a sparse condition of an index that it is a key of.
  template <class OneKey>
  static constexpr bool depends_on(std::string_view field) {
    bool used = OneKey::kTemplate.uses(field);
    const auto look = [&]<class Condition>() {
      if (Condition::kField != field) return;
      TableType::each_index([&]<class One>() {
        used = used || (One::kName == Condition::kIndex && One::KeyType::has(OneKey::kAttribute));
      });
    };
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (look.template operator()<std::tuple_element_t<At, typename EntityType::Conditions>>(), ...);
    }
    (std::make_index_sequence<EntityType::kConditions>());
    return used;
  }
  static constexpr bool used_by_keys(std::string_view field) {
    bool used = false;
    EntityType::each_key([&]<class OneKey>() { used = used || depends_on<OneKey>(field); });
    return used;
  }

  static std::string placeholder(char sign, std::size_t at) {
    return std::string(1, sign) + "stator_f" + std::to_string(at);
  }
  static void add(std::string& list, const std::string& one) {
    list += (list.empty() ? "" : ", ") + one;
  }
  template <FixedText Name>
  void changed() {
    constexpr std::size_t kAt = EntityType::field_index(Name.view());
    request_.names[placeholder('#', kAt)] = std::string(Name.view());
    known_[kAt] = true;
    changed_[kAt] = true;
  }

  // The keys of indexes that depend on what was changed.
  Outcome<void> rewrite_keys() {
    std::optional<DatabaseError> problem;
    std::size_t number = 0;
    EntityType::each_key([&]<class OneKey>() {
      ++number;
      if (problem || TableType::KeyType::has(OneKey::kAttribute)) return;
      bool affected = false;
      std::string unknown;
      EntityType::each_field([&]<class Field>() {
        if (!depends_on<OneKey>(Field::kName)) return;
        constexpr std::size_t kAt = EntityType::field_index(Field::kName);
        affected = affected || changed_[kAt];
        if (!known_[kAt]) unknown = Field::kName;
      });
      if (!affected) return;
      if (!unknown.empty()) {
        problem = detail::invalid("the key " + std::string(OneKey::kAttribute) + " follows from " +
                                  unknown + " too: set that as well, or read, change and put");
        return;
      }
      auto text = detail::evaluate<EntityType, OneKey>(record_);
      if (!text) {
        problem = text.error();
        return;
      }
      const std::string name = "#stator_k" + std::to_string(number);
      request_.names[name] = std::string(OneKey::kAttribute);
      if (*text && detail::in_index<TableType, EntityType>(record_, OneKey::kAttribute)) {
        const std::string value = ":stator_k" + std::to_string(number);
        add(sets_, name + " = " + value);
        request_.values[value] = detail::key_value<OneKey>(std::move(**text));
      } else {
        add(removes_, name);
      }
    });
    if (problem) return std::move(*problem);
    return {};
  }

  void finish() {
    if constexpr (EntityType::kVersioned) {
      add(adds_, "#stator_version :stator_one");
      request_.names["#stator_version"] = detail::VersionField<EntityType>::kName;
      request_.values[":stator_one"] = AttributeValue(1);
    }
    std::string update;
    const auto clause = [&](const char* word, const std::string& list) {
      if (!list.empty()) update += (update.empty() ? "" : " ") + std::string(word) + " " + list;
    };
    clause("SET", sets_);
    clause("REMOVE", removes_);
    clause("ADD", adds_);
    if (!update.empty()) request_.update = std::move(update);
    request_.names["#stator_partition"] = TableType::KeyType::kPartition;
    request_.condition = "attribute_exists(#stator_partition)";
    if (expected_) {
      *request_.condition += " AND #stator_version = :stator_version";
      request_.values[":stator_version"] = AttributeValue(*expected_);
    }
    if (condition_) *request_.condition += " AND (" + *condition_ + ")";
    request_.return_values = ReturnValues::all_new;
    request_.return_item_on_failure = true;
  }

  Connection& connection_;
  Record record_;
  UpdateItemRequest request_;
  std::array<bool, EntityType::kFields> known_ = {};
  std::array<bool, EntityType::kFields> changed_ = {};
  std::string sets_;
  std::string removes_;
  std::string adds_;
  std::optional<std::string> condition_;
  std::optional<std::int64_t> expected_;
};

}  // namespace stator::model
