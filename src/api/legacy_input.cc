#include "api/legacy_input.h"

#include <fmt/format.h>

#include <map>

#include "api/legacy_comparison.h"

namespace stator::api {
namespace {

constexpr std::string_view kModelPrefix = "com.amazonaws.dynamodb.v20120810.";

// Reads the entries of a map of structures, each by `read_entry(members, entry)`.
template <class Entry, class ReadEntry>
std::optional<std::vector<Entry>> read_entries(const Reader& in, std::string_view name,
                                               std::string_view type, const ReadEntry& read_entry) {
  if (!in.has(name)) return std::nullopt;
  const auto map = in.map(name, std::string(kModelPrefix).append(type));
  if (!map) return std::nullopt;
  std::vector<Entry> entries;
  std::map<std::string_view, std::size_t> positions;
  for (const auto field : *map) {
    Entry entry;
    entry.attribute = field.key;
    in.state().check_name(field.key, name, "Map keys");
    entry.is_null = field.value.is_null();
    if (!entry.is_null) {
      const std::optional<Reader> members = read_structure(field.value, type, false, in.state());
      if (!members) return std::nullopt;
      read_entry(*members, entry);
    }
    const auto [at, is_new] = positions.try_emplace(field.key, entries.size());
    if (is_new) {
      entries.push_back(std::move(entry));
    } else {
      entries[at->second] = std::move(entry);
    }
  }
  return entries;
}

void read_condition(const Reader& in, LegacyCondition& condition) {
  condition.comparison = in.string("ComparisonOperator");
  if (auto read = in.values("AttributeValueList")) {
    condition.operands = read->values;
    condition.invalid = std::move(read->invalid);
  }
}

void read_value(const Reader& in, std::optional<item::Value>& value,
                std::optional<std::string>& invalid) {
  if (auto read = in.value("Value")) {
    value = read->values.front();
    if (!invalid) invalid = std::move(read->invalid);
  }
}

}  // namespace

std::optional<LegacyConditions> read_conditions(const Reader& in, std::string_view name) {
  return read_entries<LegacyCondition>(in, name, "Condition", read_condition);
}

std::optional<LegacyConditions> read_expected(const Reader& in) {
  return read_entries<LegacyCondition>(in, "Expected", "ExpectedAttributeValue",
                                       [](const Reader& members, LegacyCondition& condition) {
                                         read_condition(members, condition);
                                         read_value(members, condition.value, condition.invalid);
                                         condition.exists = members.boolean("Exists");
                                       });
}

std::optional<LegacyUpdates> read_attribute_updates(const Reader& in) {
  return read_entries<LegacyUpdate>(in, "AttributeUpdates", "AttributeValueUpdate",
                                    [](const Reader& members, LegacyUpdate& update) {
                                      update.action = members.string("Action");
                                      read_value(members, update.value, update.invalid);
                                    });
}

// As many as an expression may have operators.
constexpr std::size_t kConditionsMax = 300;

void check_constraints(const std::optional<LegacyConditions>& conditions, std::string_view path,
                       Operator comparison, Violations& violations) {
  if (!conditions) return;
  violations.count(path, "{...}", conditions->size(), 0, kConditionsMax);
  for (const LegacyCondition& condition : *conditions) {
    if (condition.is_null) continue;
    if (!condition.comparison && comparison == Operator::optional) continue;
    if (condition.comparison && find_comparison(*condition.comparison) != nullptr) continue;
    const std::string member =
        fmt::format("{}.{}.member.comparisonOperator", path, condition.attribute);
    violations.required(member, condition.comparison.has_value());
    violations.one_of(member, condition.comparison,
                      {"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE",
                       "LE", "BEGINS_WITH", "GE", "CONTAINS"});
  }
}

void check_constraints(const std::optional<LegacyUpdates>& updates, Violations& violations) {
  if (!updates) return;
  for (const LegacyUpdate& update : *updates) {
    violations.one_of(fmt::format("attributeUpdates.{}.member.action", update.attribute),
                      update.action, {"ADD", "DELETE", "PUT"});
  }
}

}  // namespace stator::api
