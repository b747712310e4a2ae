#include "design/model.h"

#include <algorithm>

namespace stator::design {
namespace {

template <class List>
auto find_named(const List& list, std::string_view name) -> const typename List::value_type* {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const Attribute* Entity::attribute(std::string_view wanted) const { return find_named(attributes, wanted); }

const Template* Entity::key(std::string_view wanted) const {
  for (const KeyTemplate& key : keys) {
    if (key.attribute == wanted) return &key.value;
  }
  return nullptr;
}

const SparseCondition* Entity::sparse_in(std::string_view index) const {
  for (const SparseCondition& condition : sparse) {
    if (condition.index == index) return &condition;
  }
  return nullptr;
}

const KeyCondition* Pattern::condition(std::string_view attribute) const {
  for (const KeyCondition& one : key) {
    if (one.attribute == attribute) return &one;
  }
  return nullptr;
}

const Parameter* Pattern::parameter(std::string_view wanted) const { return find_named(parameters, wanted); }

bool Pattern::is_read() const {
  switch (kind) {
    case PatternKind::get:
    case PatternKind::query:
    case PatternKind::scan:
    case PatternKind::batch_get:
    case PatternKind::transact_get:
      return true;
    default:
      return false;
  }
}

bool Pattern::is_transaction() const {
  return kind == PatternKind::transact_get || kind == PatternKind::transact_write;
}

const Index* Model::index(std::string_view wanted) const { return find_named(indexes, wanted); }
const Entity* Model::entity(std::string_view wanted) const { return find_named(entities, wanted); }
const Pattern* Model::pattern(std::string_view wanted) const { return find_named(patterns, wanted); }

const KeyAttribute& Model::partition_key(std::string_view wanted) const {
  const Index* found = index(wanted);
  return found == nullptr ? table.partition_key : found->partition_key;
}

const KeyAttribute* Model::sort_key(std::string_view wanted) const {
  const Index* found = index(wanted);
  const std::optional<KeyAttribute>& key = found == nullptr ? table.sort_key : found->sort_key;
  return key ? &*key : nullptr;
}

std::vector<KeyAttribute> Model::key_attributes() const {
  std::vector<KeyAttribute> all;
  const auto add = [&](const KeyAttribute& key) {
    if (find_named(all, key.name) == nullptr) all.push_back(key);
  };
  add(table.partition_key);
  if (table.sort_key) add(*table.sort_key);
  for (const Index& one : indexes) {
    add(one.partition_key);
    if (one.sort_key) add(*one.sort_key);
  }
  return all;
}

std::string_view Model::ttl_attribute() const {
  for (const Entity& one : entities) {
    if (!one.ttl_attribute.empty()) return one.ttl_attribute;
  }
  return {};
}

std::string_view pattern_kind_text(PatternKind kind) noexcept {
  constexpr std::string_view kTexts[] = {"get",    "query",     "scan",        "put",          "update",
                                         "delete", "batch_get", "batch_write", "transact_get", "transact_write"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view attribute_type_text(AttributeType type) noexcept {
  constexpr std::string_view kTexts[] = {"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
  return kTexts[static_cast<std::size_t>(type)];
}

std::string_view key_operator_text(KeyOperator op) noexcept {
  constexpr std::string_view kTexts[] = {"equal",   "begins_with",      "less",   "less_or_equal",
                                         "greater", "greater_or_equal", "between"};
  return kTexts[static_cast<std::size_t>(op)];
}

std::string_view action_kind_text(ActionKind kind) noexcept {
  constexpr std::string_view kTexts[] = {"get", "put", "update", "delete", "check"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view value_format_text(ValueFormat format) noexcept {
  constexpr std::string_view kTexts[] = {"text",     "path",      "id",    "uuid",   "ulid", "date",
                                         "datetime", "day_first", "epoch", "number", "email"};
  return kTexts[static_cast<std::size_t>(format)];
}

}  // namespace stator::design
