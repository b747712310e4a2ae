#include <fmt/format.h>

#include <algorithm>

#include "design/rules/rules.h"

// Whether a pattern is one GetItem or Query at all, and on the right table or index.
namespace stator::design {
namespace {

bool is_key_of(const Model& model, const std::string& attribute, std::string_view index) {
  const KeyAttribute* sort = model.sort_key(index);
  return model.partition_key(index).name == attribute || (sort != nullptr && sort->name == attribute);
}

std::vector<std::string> all_targets(const Model& model) {
  std::vector<std::string> targets = {""};
  for (const Index& index : model.indexes) targets.push_back(index.name);
  return targets;
}

// The first condition on an attribute that is no key of what the pattern reads.
const KeyCondition* foreign_condition(const Model& model, const Pattern& pattern) {
  for (const KeyCondition& condition : pattern.key) {
    if (!is_key_of(model, condition.attribute, pattern.index)) return &condition;
  }
  return nullptr;
}

bool knows(const Pattern& pattern, const std::string& field) {
  for (const KeyCondition& condition : pattern.key) {
    for (const Template* value : {&condition.value, &condition.upper}) {
      for (const std::string& parameter : value->fields()) {
        if (parameter == field || attribute_of(pattern, parameter) == field) return true;
      }
    }
  }
  return false;
}

// A target whose partition key of the entity is made of what the pattern knows, if there is one.
std::optional<std::string> serving_target(const Model& model, const Pattern& pattern, const Entity& entity) {
  for (const std::string& target : all_targets(model)) {
    if (target == pattern.index || !is_in(model, entity, target)) continue;
    const std::vector<std::string> fields = entity.key(model.partition_key(target).name)->fields();
    const bool known =
        std::all_of(fields.begin(), fields.end(), [&](const auto& field) { return knows(pattern, field); });
    if (known && !fields.empty()) return target;
  }
  return std::nullopt;
}

// Shards have a rule of their own, which says more.
bool differs_by_shard(const Model& model, const Pattern& pattern, const Entity& entity) {
  const KeyAttribute& partition = model.partition_key(pattern.index);
  const KeyCondition* condition = pattern.condition(partition.name);
  const Template* key = entity.key(partition.name);
  if (condition == nullptr || key == nullptr) return false;
  return (key->shard() == nullptr) != (condition->value.shard() == nullptr);
}

struct Unreached {
  const Entity* entity;
  std::optional<std::string> served_by;
};

// The entities that the pattern means and its key condition does not find; `some` tells whether it finds others.
std::vector<Unreached> unreached(const Model& model, const Resolution& resolution, bool& some) {
  std::vector<Unreached> missing;
  some = false;
  const Pattern& pattern = *resolution.pattern;
  for (const Entity* entity : meant_entities(model, pattern)) {
    if (resolution.reaches(*entity)) {
      some = true;
    } else if (!differs_by_shard(model, pattern, *entity)) {
      missing.push_back({entity, serving_target(model, pattern, *entity)});
    }
  }
  return missing;
}

bool has_equal_partition_key(const Model& model, const Pattern& pattern) {
  const KeyCondition* partition = pattern.condition(model.partition_key(pattern.index).name);
  return partition != nullptr && partition->op == KeyOperator::equal;
}

std::string key_text(const Model& model, const Entity& entity, const std::string& target) {
  const KeyAttribute& partition = model.partition_key(target);
  return fmt::format("{}={}", partition.name, entity.key(partition.name)->text());
}

}  // namespace

void find_scans(RuleContext& context) {
  for (const Pattern& pattern : context.model().patterns) {
    if (pattern.kind != PatternKind::scan) continue;
    context.report(
        place_of(pattern), fmt::format("it is a Scan of {}", target_text(pattern.index)),
        "Give the items a key by which a Query finds them: an index whose partition key is what the pattern knows, "
        "sparse if it wants only some. For a rare export of everything, allow it with the reason.");
  }
}

void find_unequal_partition_keys(RuleContext& context) {
  const Model& model = context.model();
  for (const Pattern& pattern : model.patterns) {
    if (!reads_by_key(pattern) || foreign_condition(model, pattern) != nullptr) continue;
    const std::string& name = model.partition_key(pattern.index).name;
    const KeyCondition* partition = pattern.condition(name);
    if (partition == nullptr) {
      context.report(
          place_of(pattern),
          fmt::format("it has no condition on {}, the partition key of {}", name, target_text(pattern.index)),
          "Add an equality on the partition key, or an index whose partition key the pattern knows.");
    } else if (partition->op != KeyOperator::equal) {
      context.report(
          place_of(pattern).at(partition->position),
          fmt::format("{} on the partition key {}", key_operator_text(partition->op), name),
          fmt::format("Make the known part the partition key of its own ({} with the rest in the sort key), as an "
                      "item collection or an index.",
                      partition->value.text()));
    }
  }
}

void find_incomplete_keys(RuleContext& context) {
  const Model& model = context.model();
  const auto check = [&](const Place& place, const std::vector<KeyCondition>& conditions, std::string_view call) {
    for (const KeyAttribute* key :
         {&model.table.partition_key, model.table.sort_key ? &*model.table.sort_key : nullptr}) {
      if (key == nullptr) continue;
      const auto found = std::find_if(conditions.begin(), conditions.end(),
                                      [&](const KeyCondition& one) { return one.attribute == key->name; });
      if (found != conditions.end() && found->op == KeyOperator::equal) continue;
      context.report(place, fmt::format("{} without an equality on {}", call, key->name),
                     "Name every part of the primary key, or make it a Query.");
    }
  };
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (pattern.kind == PatternKind::get && pattern.index.empty()) {
      const KeyCondition* partition = pattern.condition(model.table.partition_key.name);
      if (partition == nullptr || partition->op != KeyOperator::equal) continue;  // partition-key-not-equal says it
      check(place_of(pattern), pattern.key, resolution.call);
    }
    for (const Action& action : pattern.actions) {
      check(place_of(pattern).at(action.position), key_of(model, action), action_kind_text(action.kind));
    }
  }
}

void find_wrong_indexes(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (!reads_by_key(pattern)) continue;
    if (pattern.kind == PatternKind::get && !pattern.index.empty()) {
      context.report(place_of(pattern), fmt::format("GetItem cannot read {}", target_text(pattern.index)),
                     "An index is read by Query: make the kind a query.");
      continue;
    }
    if (const KeyCondition* foreign = foreign_condition(model, pattern)) {
      for (const std::string& target : all_targets(model)) {
        if (!is_key_of(model, foreign->attribute, target)) continue;
        context.report(place_of(pattern).at(foreign->position),
                       fmt::format("{} is a key of {}, and the pattern reads {}", foreign->attribute,
                                   target_text(target), target_text(pattern.index)),
                       target.empty() ? "Leave out the index." : fmt::format("Set index: {}.", target));
        break;
      }
      continue;
    }
    if (!has_equal_partition_key(model, pattern)) continue;
    bool some = false;
    for (const Unreached& one : unreached(model, resolution, some)) {
      if (some || !one.served_by) continue;
      context.report(place_of(pattern),
                     fmt::format("its key condition finds no {} in {}", one.entity->name, target_text(pattern.index)),
                     fmt::format("{} are found by {} in {}.", one.entity->name,
                                 key_text(model, *one.entity, *one.served_by), target_text(*one.served_by)));
    }
  }
}

void find_missing_indexes(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (!reads_by_key(pattern)) continue;
    if (const KeyCondition* foreign = foreign_condition(model, pattern)) {
      const std::vector<std::string> targets = all_targets(model);
      const bool elsewhere = std::any_of(targets.begin(), targets.end(), [&](const auto& target) {
        return is_key_of(model, foreign->attribute, target);
      });
      if (elsewhere) continue;
      context.report(place_of(pattern).at(foreign->position),
                     fmt::format("{} is no key of the table or of an index", foreign->attribute),
                     fmt::format("Add an index whose partition key holds {}, and give {} its template.",
                                 foreign->attribute, join(pattern.entities)));
      continue;
    }
    if (!has_equal_partition_key(model, pattern)) continue;
    bool some = false;
    for (const Unreached& one : unreached(model, resolution, some)) {
      if (some || one.served_by) continue;
      context.report(
          place_of(pattern),
          fmt::format("no key of {} is made of what the pattern knows: its condition finds none of them in {}",
                      one.entity->name, target_text(pattern.index)),
          fmt::format("Give {} a key for an index with a template of the pattern's parameters.", one.entity->name));
    }
  }
}

void find_second_calls(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (!reads_by_key(pattern)) continue;
    if (pattern.kind == PatternKind::get && pattern.entities.size() > 1) {
      context.report(place_of(pattern),
                     fmt::format("GetItem returns one item, and the pattern wants {}", join(pattern.entities)),
                     "Put them under one partition key and make it a Query, or a batch_get by design.");
      continue;
    }
    bool some = false;
    for (const Unreached& one : unreached(model, resolution, some)) {
      if (!some) continue;
      context.report(
          place_of(pattern),
          fmt::format("{} is not in the item collection that the key condition reads", one.entity->name),
          fmt::format("Give {} the same partition key as the others (in the table or in an index), or make it a "
                      "batch_get or transact_get by design.",
                      one.entity->name));
    }
  }
}

}  // namespace stator::design
