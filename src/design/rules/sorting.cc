#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "design/rules/rules.h"

// Sort keys: the order of their components, and whether text sorts as the values do.
namespace stator::design {
namespace {

int whole_digits(double value) { return static_cast<int>(fmt::format("{:.0f}", std::floor(std::abs(value))).size()); }

// Why the part does not sort as text as its values do; empty if it does.
std::string unsortable(const Attribute& attribute, const Part& part) {
  if (attribute.format == ValueFormat::day_first) {
    return fmt::format("{} is written with the day or month first", attribute.name);
  }
  if (attribute.type != AttributeType::number || !attribute.values.empty()) return {};
  if (attribute.minimum.value_or(0) < 0)
    return fmt::format("{} can be negative, and -2 sorts after -1 as text", attribute.name);
  if (part.format.kind == FormatKind::number) {
    const int whole = part.format.width - (part.format.decimals > 0 ? part.format.decimals + 1 : 0);
    if (!attribute.maximum || whole_digits(*attribute.maximum) <= whole) return {};
    return fmt::format("{} goes up to {:g} and has room for {} digits before the point", attribute.name,
                       *attribute.maximum, whole);
  }
  if (attribute.format == ValueFormat::epoch) return {};  // ten digits until the year 2286
  if (attribute.maximum && whole_digits(attribute.minimum.value_or(0)) == whole_digits(*attribute.maximum)) return {};
  return fmt::format("{} is a number without leading zeros: 10 sorts before {}", attribute.name,
                     attribute.decimals.value_or(0) > 0 ? "4.8" : "9");
}

std::string cure_of(const Attribute& attribute) {
  if (attribute.format == ValueFormat::day_first) return "Write dates as 2026-06-01 (format: date).";
  if (attribute.minimum.value_or(0) < 0) return "Add an offset that makes all values positive, then pad with zeros.";
  const int whole = attribute.maximum ? whole_digits(*attribute.maximum) : 10;
  const int decimals = attribute.decimals.value_or(0);
  return decimals > 0 ? fmt::format("Pad it with zeros: {{{}:0{}.{}}}.", attribute.name, whole + 1 + decimals, decimals)
                      : fmt::format("Pad it with zeros: {{{}:0{}}}.", attribute.name, whole);
}

// Whether a pattern needs the order of this field: a range on it, or a result sorted by it.
bool order_matters(const Model& model, const Entity& entity, const KeyAttribute& key, const std::string& field) {
  for (const Pattern& pattern : model.patterns) {
    const KeyAttribute* sort = model.sort_key(pattern.index);
    if (sort == nullptr || sort->name != key.name || !reads_by_key(pattern)) continue;
    if (std::find(pattern.entities.begin(), pattern.entities.end(), entity.name) == pattern.entities.end()) continue;
    if (pattern.sorted_by == field) return true;
    const KeyCondition* condition = pattern.condition(key.name);
    const bool range =
        condition != nullptr && condition->op != KeyOperator::equal && condition->op != KeyOperator::begins_with;
    if (!range) continue;
    for (const auto& [given, part] : align(condition->value, *entity.key(key.name), model.delimiter).fields) {
      if (part->text == field) return true;
    }
  }
  return false;
}

void check_condition(RuleContext& context, const Pattern& pattern, const Entity& entity, const KeyCondition& condition,
                     const Template& key) {
  const char delimiter = context.model().delimiter;
  for (const auto& [given, part] : align(condition.value, key, delimiter).fields) {
    if (given->kind != PartKind::field || part->kind != PartKind::field) continue;
    const Parameter* declared = pattern.parameter(given->text);
    const std::string wanted = attribute_of(pattern, given->text);
    if (wanted == part->text || (declared != nullptr && declared->attribute.empty())) continue;
    const bool later = key.uses(wanted);
    context.report(place_of(pattern).at(condition.position),
                   fmt::format("the condition gives {} where the sort key of {} ({}) has {}", wanted, entity.name,
                               key.text(), part->text),
                   later ? fmt::format("Put {} before {} in the sort key.", wanted, part->text)
                         : fmt::format("Give {} a sort key with {} in this place, in an index.", entity.name, wanted));
    return;
  }
}

// The first component of the sort key that the condition does not fix is what the result is ordered by.
const Part* ordered_by(const Template& key, const KeyCondition* condition, char delimiter) {
  std::size_t first = 0;
  const bool fixes =
      condition != nullptr && (condition->op == KeyOperator::begins_with || condition->op == KeyOperator::equal);
  if (fixes) first = align(condition->value, key, delimiter).parts_covered;
  for (std::size_t i = first; i < key.parts().size(); ++i) {
    if (key.parts()[i].kind != PartKind::literal) return &key.parts()[i];
  }
  return nullptr;
}

}  // namespace

void find_sort_key_orders(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (!reads_by_key(pattern)) continue;
    const KeyAttribute* sort = model.sort_key(pattern.index);
    const KeyCondition* condition = sort == nullptr ? nullptr : pattern.condition(sort->name);
    for (const Entity* entity : meant_entities(model, pattern)) {
      const Template* key = sort == nullptr ? nullptr : entity->key(sort->name);
      const bool has_field = !pattern.sorted_by.empty() && entity->attribute(pattern.sorted_by) != nullptr;
      if (key != nullptr && condition != nullptr) check_condition(context, pattern, *entity, *condition, *key);
      if (!has_field || !resolution.reaches(*entity)) continue;
      const Part* first = key == nullptr ? nullptr : ordered_by(*key, condition, model.delimiter);
      if (first != nullptr && first->text == pattern.sorted_by) continue;
      context.report(
          place_of(pattern),
          fmt::format("the result has to be in the order of {}, and {} gives {} in the order of {}", pattern.sorted_by,
                      target_text(pattern.index), entity->name, first == nullptr ? "nothing" : first->text),
          fmt::format("Make {} the first component of the sort key behind what the condition fixes.",
                      pattern.sorted_by));
    }
  }
}

void find_unsortable_fields(RuleContext& context) {
  const Model& model = context.model();
  std::vector<KeyAttribute> sort_keys;
  if (model.table.sort_key) sort_keys.push_back(*model.table.sort_key);
  for (const Index& index : model.indexes) {
    const bool known = std::any_of(sort_keys.begin(), sort_keys.end(),
                                   [&](const auto& key) { return index.sort_key && key.name == index.sort_key->name; });
    if (index.sort_key && !known) sort_keys.push_back(*index.sort_key);
  }
  for (const Entity& entity : model.entities) {
    for (const KeyAttribute& key : sort_keys) {
      const Template* value = entity.key(key.name);
      if (value == nullptr || key.type != AttributeType::string) continue;
      for (const Part& part : value->parts()) {
        const Attribute* attribute = part.kind == PartKind::field ? entity.attribute(part.text) : nullptr;
        if (attribute == nullptr) continue;
        const std::string reason = unsortable(*attribute, part);
        if (reason.empty()) continue;
        const bool matters = order_matters(model, entity, key, part.text);
        context.report(matters ? Severity::error : Severity::warning, place_of(entity).at(value->position()),
                       fmt::format("{}={}: {}", key.name, value->text(), reason), cure_of(*attribute));
      }
    }
  }
}

}  // namespace stator::design
