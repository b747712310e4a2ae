#include <fmt/format.h>

#include <algorithm>

#include "design/rules/rules.h"

namespace stator::design {
namespace {

const KeyCondition* find_condition(const std::vector<KeyCondition>& conditions, const std::string& attribute) {
  for (const KeyCondition& condition : conditions) {
    if (condition.attribute == attribute) return &condition;
  }
  return nullptr;
}

// The parameters that differ between the keys of a repeated read: as declared, or what only the sort key has.
std::vector<std::string> varying(const Pattern& pattern, const KeyCondition& partition, const KeyCondition* sort) {
  if (!pattern.varies.empty()) return pattern.varies;
  std::vector<std::string> fields;
  if (sort != nullptr) {
    for (const std::string& field : sort->value.fields()) {
      if (!partition.value.uses(field)) fields.push_back(field);
    }
  }
  return fields.empty() ? partition.value.fields() : fields;
}

// Whether all keys of a repeated read are under one partition key.
bool share_partition(const Model& model, const Pattern& pattern, const std::vector<KeyCondition>& conditions,
                     std::string_view index) {
  const KeyCondition* partition = find_condition(conditions, model.partition_key(index).name);
  if (partition == nullptr) return false;
  const KeyAttribute* sort = model.sort_key(index);
  const std::vector<std::string> fields =
      varying(pattern, *partition, sort == nullptr ? nullptr : find_condition(conditions, sort->name));
  return std::none_of(fields.begin(), fields.end(), [&](const auto& field) { return partition->value.uses(field); });
}

std::string one_query(const Model& model, const std::vector<KeyCondition>& conditions, std::string_view index) {
  const KeyCondition* partition = find_condition(conditions, model.partition_key(index).name);
  const KeyAttribute* sort = model.sort_key(index);
  const KeyCondition* below = sort == nullptr ? nullptr : find_condition(conditions, sort->name);
  std::string text = fmt::format("One Query serves it: {}={}", partition->attribute, partition->value.text());
  if (below != nullptr && !below->value.literal_prefix().empty()) {
    text += fmt::format(", {} begins_with \"{}\"", sort->name, below->value.literal_prefix());
  }
  return text + ".";
}

}  // namespace

void find_repeated_reads(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (reads_by_key(pattern) && pattern.repeat > 1) {
      const bool shared = share_partition(model, pattern, pattern.key, pattern.index);
      context.report(
          place_of(pattern), fmt::format("{} calls of {} for one use", count_text(pattern.repeat), resolution.call),
          shared ? one_query(model, pattern.key, pattern.index)
          : pattern.kind == PatternKind::get
              ? "Read them by one BatchGetItem (batch_get), or copy what the list needs into its items."
              : "Put what is read under one partition key, in an index if need be, or copy it into the items of the "
                "list.");
    }
    if (pattern.kind != PatternKind::batch_get && pattern.kind != PatternKind::transact_get) continue;
    for (const Action& action : pattern.actions) {
      const std::vector<KeyCondition> key = key_of(model, action);
      if (action.count <= 1 || !share_partition(model, pattern, key, "")) continue;
      context.report(
          place_of(pattern).at(action.position),
          fmt::format("{} {} of one partition key are read one by one", count_text(action.count), action.entity),
          one_query(model, key, ""));
    }
  }
}

void find_strong_index_reads(RuleContext& context) {
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (resolution.index == nullptr || resolution.index->kind == IndexKind::local) continue;
    if (pattern.consistency != Consistency::strong) continue;
    context.report(place_of(pattern), fmt::format("a strongly consistent read of the global index {}", pattern.index),
                   "Read it eventually consistent, or from the table.");
  }
}

void find_shard_mismatches(RuleContext& context) {
  const Model& model = context.model();
  for (const Pattern& pattern : model.patterns) {
    if (!reads_by_key(pattern)) continue;
    const std::string& name = model.partition_key(pattern.index).name;
    const KeyCondition* condition = pattern.condition(name);
    if (condition == nullptr) continue;
    const Part* read = condition->value.shard();
    for (const Entity* entity : meant_entities(model, pattern)) {
      const Template* key = entity->key(name);
      const Part* written = key == nullptr ? nullptr : key->shard();
      if (key == nullptr || (read == nullptr && written == nullptr)) continue;
      std::string message;
      if (written == nullptr) {
        message = fmt::format("it reads shards of {}, which is written without any ({})", entity->name, key->text());
      } else if (read == nullptr) {
        message = fmt::format("{} is spread over {} shards ({}), and the condition names none", entity->name,
                              written->shard_count, key->text());
      } else if (read->shard_count != written->shard_count) {
        message = fmt::format("it reads {} shards, and {} is written to {}", read->shard_count, entity->name,
                              written->shard_count);
      } else if (read->shard_kind != ShardKind::every &&
                 (written->shard_kind == ShardKind::random || read->text != written->text)) {
        message = fmt::format("the shard of {} ({}) cannot be known from {}", entity->name, key->text(),
                              condition->value.text());
      }
      if (message.empty()) continue;
      context.report(place_of(pattern).at(condition->position), std::move(message),
                     written == nullptr
                         ? "Leave out the shard."
                         : fmt::format("Read all of them: shard(*, {}) is one Query for each, merged in order.",
                                       written->shard_count));
    }
  }
}

}  // namespace stator::design
