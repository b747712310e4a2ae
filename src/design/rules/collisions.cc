#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/rules/rules.h"

// Keys that say less than they should: texts that two entities, or two items, can share.
namespace stator::design {
namespace {

std::optional<std::string> shared_text(const Model& model, const Entity& a, const Entity& b, const std::string& key) {
  const Template* left = a.key(key);
  const Template* right = b.key(key);
  if (left == nullptr || right == nullptr) return std::nullopt;
  return common_text(*left, shapes_of(a), *right, shapes_of(b), model.delimiter);
}

// Whether no value of the field can be the beginning of another, so that a prefix needs no delimiter behind it.
bool is_prefix_free(const Attribute* attribute, const Part& part) {
  if (part.format.kind == FormatKind::number || part.format.kind == FormatKind::time) return true;
  if (part.kind == PartKind::shard) return part.shard_count <= 10;
  if (attribute == nullptr) return false;
  switch (attribute->format) {
    case ValueFormat::uuid:
    case ValueFormat::ulid:
    case ValueFormat::date:
    case ValueFormat::datetime:
      return true;
    default:
      break;
  }
  if (attribute->values.empty()) return false;
  for (const NamedValue& a : attribute->values) {
    for (const NamedValue& b : attribute->values) {
      if (a.value != b.value && b.value.starts_with(a.value)) return false;
    }
  }
  return true;
}

const KeyCondition* sort_condition(const Model& model, const Pattern& pattern) {
  const KeyAttribute* sort = model.sort_key(pattern.index);
  return sort == nullptr ? nullptr : pattern.condition(sort->name);
}

std::string sort_template(const Model& model, const Pattern& pattern, const Entity& entity) {
  const KeyAttribute* sort = model.sort_key(pattern.index);
  return sort == nullptr ? "" : fmt::format(" ({}={})", sort->name, entity.key(sort->name)->text());
}

}  // namespace

void find_key_collisions(RuleContext& context) {
  const Model& model = context.model();
  const std::string& partition = model.table.partition_key.name;
  for (std::size_t i = 0; i < model.entities.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Entity& later = model.entities[i];
      const Entity& earlier = model.entities[j];
      std::optional<std::string> text = shared_text(model, earlier, later, partition);
      if (!text) continue;
      std::string example = fmt::format("{}={}", partition, *text);
      if (model.table.sort_key) {
        text = shared_text(model, earlier, later, model.table.sort_key->name);
        if (!text) continue;
        example += fmt::format(", {}={}", model.table.sort_key->name, *text);
      }
      context.report(place_of(later), fmt::format("its key can be that of {}: {}", earlier.name, example),
                     "Begin the keys of each entity with a prefix of its own.");
    }
  }
}

void find_repeated_keys(RuleContext& context) {
  const Model& model = context.model();
  for (const Entity& entity : model.entities) {
    std::set<std::string> fields;
    bool random = false;
    for (const KeyAttribute* key :
         {&model.table.partition_key, model.table.sort_key ? &*model.table.sort_key : nullptr}) {
      const Template* value = key == nullptr ? nullptr : entity.key(key->name);
      if (value == nullptr) continue;
      for (const Part& part : value->parts()) {
        if (part.kind == PartKind::field) fields.insert(part.text);
        random = random || (part.kind == PartKind::shard && part.shard_kind == ShardKind::random);
      }
    }
    const double count = item_count(model, entity);
    double combinations = random ? model.table.sort_key ? 10'000 : 1 : 1;
    for (const std::string& field : fields) combinations *= distinct_values(model, entity, field);
    if (combinations >= count) continue;
    context.report(
        place_of(entity),
        fmt::format("{} items, and its key has {} different values ({})", count_text(count), count_text(combinations),
                    fields.empty() ? "no field" : join({fields.begin(), fields.end()})),
        "Add a component that tells the items apart, such as the item's id, at the end of the sort key; or declare "
        "the field unique or its number of distinct values.");
  }
}

void find_ambiguous_prefixes(RuleContext& context) {
  const Model& model = context.model();
  std::set<std::pair<std::string, std::string>> reported;
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    const KeyCondition* condition = sort_condition(model, pattern);
    if (!reads_by_key(pattern) || condition == nullptr || condition->op == KeyOperator::equal) continue;
    for (const EntityReach& one : resolution.reached) {
      if (one.reach != Reach::unmeant) continue;
      for (const std::string& meant : pattern.entities) {
        reported.emplace(std::min(meant, one.entity->name), std::max(meant, one.entity->name));
      }
      context.report(
          place_of(pattern).at(condition->position),
          fmt::format("{} \"{}\" also returns {}{}", key_operator_text(condition->op), condition->value.text(),
                      one.entity->name, sort_template(model, pattern, *one.entity)),
          fmt::format("Choose prefixes of which none begins with another (such as a short word and the delimiter), "
                      "bound a range on both sides, or name {} among the entities of the pattern.",
                      one.entity->name));
    }
  }
  if (!model.table.sort_key) return;
  for (const Entity& shorter : model.entities) {
    for (const Entity& longer : model.entities) {
      const Template* head = shorter.key(model.table.sort_key->name);
      const Template* whole = longer.key(model.table.sort_key->name);
      if (head == nullptr || whole == nullptr || head->is_constant()) continue;
      const std::string prefix = head->literal_prefix();
      if (prefix.empty() || whole->literal_prefix() == prefix || !whole->literal_prefix().starts_with(prefix)) continue;
      if (reported.contains({std::min(shorter.name, longer.name), std::max(shorter.name, longer.name)})) continue;
      if (!shared_text(model, shorter, longer, model.table.partition_key.name)) continue;
      context.report(
          Severity::warning, place_of(longer).at(whole->position()),
          fmt::format("its sort key prefix \"{}\" begins with that of {}, \"{}\", in the same item collection",
                      whole->literal_prefix(), shorter.name, prefix),
          fmt::format("A begins_with for {} would return both: choose another prefix for {}.", shorter.name,
                      longer.name));
    }
  }
}

void find_wide_collections(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (pattern.kind != PatternKind::query || sort_condition(model, pattern) != nullptr) continue;
    bool meant = false;
    std::vector<std::string> others;
    for (const EntityReach& one : resolution.reached) {
      meant = meant || one.reach == Reach::meant;
      if (one.reach == Reach::unmeant) others.push_back(one.entity->name + sort_template(model, pattern, *one.entity));
    }
    if (others.empty() || !meant) continue;
    context.report(
        place_of(pattern), fmt::format("without a condition on the sort key it also returns {}", join(others)),
        "Add begins_with on the sort key with the prefix of the entity, or name the others among the entities of the "
        "pattern.");
  }
}

void find_open_prefixes(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    const KeyCondition* condition = sort_condition(model, pattern);
    if (!reads_by_key(pattern) || condition == nullptr || condition->op != KeyOperator::begins_with) continue;
    if (condition->value.empty()) continue;  // no prefix at all: ambiguous-prefix says what comes along
    for (const Entity* entity : meant_entities(model, pattern)) {
      const Template* key = entity->key(model.sort_key(pattern.index)->name);
      if (key == nullptr || !resolution.reaches(*entity)) continue;
      const Alignment alignment = align(condition->value, *key, model.delimiter);
      const Part& given = condition->value.parts().back();
      const bool cut = given.kind == PartKind::field && given.format.kind == FormatKind::time;
      if (!alignment.aligned || !alignment.ends_in_field || cut || alignment.parts_covered == 0) continue;
      const Part& last = key->parts()[alignment.parts_covered - 1];
      if (is_prefix_free(entity->attribute(last.text), last)) continue;
      context.report(
          place_of(pattern).at(condition->position),
          fmt::format("the prefix \"{}\" ends with a value of {}, and also matches longer values that begin with it",
                      condition->value.text(), last.text),
          fmt::format("End the prefix with the delimiter: \"{}{}\"{}.", condition->value.text(), model.delimiter,
                      alignment.parts_covered == key->parts().size()
                          ? ", and end the key template with it too, or use equality"
                          : ""));
    }
  }
}

}  // namespace stator::design
