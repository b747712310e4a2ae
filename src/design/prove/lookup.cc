#include "design/prove/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/generate/random.h"
#include "design/prove/filter_check.h"

namespace stator::design {

namespace {

void add_fields(std::vector<std::string>& names, const Template& value) {
  for (const std::string& field : value.fields())
    if (std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
}

std::vector<std::string> key_parameters(const Pattern& pattern) {
  std::vector<std::string> names;
  for (const KeyCondition& condition : pattern.key) {
    add_fields(names, condition.value);
    add_fields(names, condition.upper);
  }
  return names;
}

std::string attribute_of(const Pattern& pattern, const std::string& name) {
  const Parameter* parameter = pattern.parameter(name);
  return parameter == nullptr || parameter->attribute.empty() ? name : parameter->attribute;
}

bool is_fixed(const Pattern& pattern, const std::string& name) {
  const Parameter* parameter = pattern.parameter(name);
  return parameter != nullptr && !parameter->value.empty();
}

// The entity whose items have everything that the key condition asks for.
const Entity* source_of(const Model& model, const Pattern& pattern, const std::vector<std::string>& names) {
  for (const std::string& name : pattern.entities) {
    const Entity* entity = model.entity(name);
    if (entity == nullptr) continue;
    const bool has_all = std::all_of(names.begin(), names.end(), [&](const std::string& field) {
      return is_fixed(pattern, field) || entity->attribute(attribute_of(pattern, field)) != nullptr;
    });
    if (has_all) return entity;
  }
  return nullptr;
}

bool is_complete(const std::vector<std::string>& names, const FieldValues& values) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return values.contains(name); });
}

Result<Lookup> make_lookup(const Model& model, const Pattern& pattern, FieldValues values) {
  Lookup lookup;
  lookup.pattern = &pattern;
  lookup.values = std::move(values);
  const KeyAttribute& partition_key = model.partition_key(pattern.index);
  const KeyAttribute* sort_key = model.sort_key(pattern.index);
  const KeyCondition* partition = pattern.condition(partition_key.name);
  if (partition == nullptr)
    return invalid(fmt::format("pattern {} has no condition on {}", pattern.name, partition_key.name));
  const Part* shard = partition->value.shard();
  const int shards = shard != nullptr && shard->shard_kind == ShardKind::every ? shard->shard_count : 1;
  for (int number = 0; number < shards; ++number) {
    TRY(std::string text, partition->value.evaluate(lookup.values, number));
    lookup.partition_keys.push_back(std::move(text));
  }
  lookup.sort = sort_key == nullptr ? nullptr : pattern.condition(sort_key->name);
  if (lookup.sort != nullptr) {
    TRY(lookup.sort_value, lookup.sort->value.evaluate(lookup.values));
    if (lookup.sort->op == KeyOperator::between) {
      TRY(lookup.sort_upper, lookup.sort->upper.evaluate(lookup.values));
      if (compare_values(sort_key->type, lookup.sort_upper, lookup.sort_value) < 0)
        std::swap(lookup.sort_value, lookup.sort_upper);
    }
  }
  return lookup;
}

}  // namespace

FieldValues parameter_values(const Pattern& pattern, const std::vector<std::string>& names, const GeneratedItem& item,
                             const GeneratedItem* other) {
  FieldValues values;
  std::set<std::string> upper;
  for (const KeyCondition& condition : pattern.key)
    for (const std::string& field : condition.upper.fields())
      if (!condition.value.uses(field)) upper.insert(field);
  for (const std::string& name : names) {
    if (is_fixed(pattern, name)) {
      values[name] = pattern.parameter(name)->value;
      continue;
    }
    const GeneratedItem& source = other != nullptr && upper.contains(name) ? *other : item;
    const auto found = source.fields.find(attribute_of(pattern, name));
    if (found != source.fields.end()) values[name] = found->second;
  }
  return values;
}

std::string parameter_json(const Model& model, const Pattern& pattern, std::string_view name,
                           const std::string& value) {
  AttributeType type = AttributeType::string;
  if (const Parameter* parameter = pattern.parameter(name); parameter != nullptr && parameter->attribute.empty()) {
    type = parameter->type;
  } else {
    const std::string attribute_name = attribute_of(pattern, std::string(name));
    for (const std::string& entity_name : pattern.entities) {
      const Entity* entity = model.entity(entity_name);
      const Attribute* attribute = entity == nullptr ? nullptr : entity->attribute(attribute_name);
      if (attribute == nullptr) continue;
      type = attribute->type;
      break;
    }
  }
  return make_attribute("", type, value, 0, 0).json;
}

Result<std::vector<Lookup>> choose_lookups(const Generator& generator, const Pattern& pattern, std::size_t count,
                                           std::uint64_t seed) {
  const Model& model = generator.model();
  const std::vector<std::string> key_names = key_parameters(pattern);
  std::vector<std::string> names = key_names;
  if (pattern.filter) {
    for (const std::string& name : pattern.filter->parameters)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const Entity* entity = source_of(model, pattern, key_names);
  if (entity == nullptr) {
    return invalid(fmt::format(
        "pattern {}: none of its entities has all of its parameters; declare what they are under \"parameters\"",
        pattern.name));
  }
  std::vector<Lookup> lookups;
  std::set<std::vector<std::string>> seen;
  const Index* index = pattern.index.empty() ? nullptr : model.index(pattern.index);
  RandomBits random(mix(seed, hash_text(pattern.name)));
  const std::uint64_t items = generator.count(*entity);
  for (std::size_t attempt = 0; attempt < count * 200 && lookups.size() < count && items > 0; ++attempt) {
    TRY(const GeneratedItem item, generator.item(*entity, random.below(items)));
    if (index != nullptr && !Generator::is_in_index(item, *index)) continue;
    TRY(const GeneratedItem other, generator.item(*entity, random.below(items)));
    FieldValues values = parameter_values(pattern, names, item, &other);
    if (!is_complete(names, values)) continue;
    TRY(Lookup lookup, make_lookup(model, pattern, std::move(values)));
    std::vector<std::string> identity = lookup.partition_keys;
    identity.push_back(lookup.sort_value);
    identity.push_back(lookup.sort_upper);
    for (const auto& [name, value] : lookup.values) identity.push_back(value);
    if (!seen.insert(std::move(identity)).second) {
      if (key_names.empty()) break;  // a key without parameters is one lookup
      continue;
    }
    lookups.push_back(std::move(lookup));
  }
  if (lookups.empty()) {
    return invalid(
        fmt::format("pattern {}: no generated {} is under its key; raise --scale", pattern.name, entity->name));
  }
  return lookups;
}

Ledger::Ledger(const Model& model, std::vector<Lookup*> lookups) : model_(model), lookups_(std::move(lookups)) {
  const auto add_target = [&](const std::string& index) {
    targets_.push_back({index, &model.partition_key(index), model.sort_key(index), {}});
  };
  add_target("");
  for (const Index& index : model.indexes) add_target(index.name);
  for (std::size_t position = 0; position < lookups_.size(); ++position) {
    const Lookup& lookup = *lookups_[position];
    for (Target& target : targets_) {
      if (target.index != lookup.pattern->index) continue;
      for (std::size_t partition = 0; partition < lookup.partition_keys.size(); ++partition) {
        target.interests[lookup.partition_keys[partition]].push_back({&lookup, position, partition});
      }
    }
  }
}

bool Ledger::matches_sort(const Lookup& lookup, const KeyAttribute* sort_key, const GeneratedItem& item) {
  if (lookup.sort == nullptr) return true;
  const GeneratedAttribute* attribute = item.attribute(sort_key->name);
  if (attribute == nullptr) return false;
  const int order = compare_values(sort_key->type, attribute->text, lookup.sort_value);
  switch (lookup.sort->op) {
    case KeyOperator::equal:
      return order == 0;
    case KeyOperator::begins_with:
      return attribute->text.starts_with(lookup.sort_value);
    case KeyOperator::less:
      return order < 0;
    case KeyOperator::less_or_equal:
      return order <= 0;
    case KeyOperator::greater:
      return order > 0;
    case KeyOperator::greater_or_equal:
      return order >= 0;
    case KeyOperator::between:
      break;
  }
  return order >= 0 && compare_values(sort_key->type, attribute->text, lookup.sort_upper) <= 0;
}

void Ledger::offer(const GeneratedItem& item) {
  for (Target& target : targets_) {
    const GeneratedAttribute* partition_key = item.attribute(target.partition_key->name);
    if (partition_key == nullptr) continue;
    if (target.sort_key != nullptr && item.attribute(target.sort_key->name) == nullptr) continue;
    if (!target.index.empty()) {
      const std::lock_guard lock(mutex_);
      ++index_counts_[target.index];
    }
    const auto interested = target.interests.find(partition_key->text);
    if (interested == target.interests.end()) continue;
    for (const Interest& interest : interested->second) {
      if (!matches_sort(*interest.lookup, target.sort_key, item)) continue;
      const std::lock_guard lock(mutex_);
      lookups_[interest.position]->expected.push_back({item, interest.partition});
    }
  }
}

void Ledger::finish() {
  const auto text_of = [](const GeneratedItem& item, const KeyAttribute* key) -> const std::string& {
    static const std::string kNone;
    const GeneratedAttribute* attribute = key == nullptr ? nullptr : item.attribute(key->name);
    return attribute == nullptr ? kNone : attribute->text;
  };
  for (Lookup* lookup : lookups_) {
    const KeyAttribute* sort_key = model_.sort_key(lookup->pattern->index);
    const bool descending = lookup->pattern->order == Order::descending;
    // Equal sort keys of an index come in the order of the table's keys, so that the list does not depend on threads.
    std::sort(lookup->expected.begin(), lookup->expected.end(), [&](const ExpectedItem& a, const ExpectedItem& b) {
      if (sort_key != nullptr) {
        const int order = compare_values(sort_key->type, text_of(a.item, sort_key), text_of(b.item, sort_key));
        if (order != 0) return descending ? order > 0 : order < 0;
      }
      const auto identity = [&](const ExpectedItem& one) {
        return text_of(one.item, &model_.table.partition_key) + '\0' +
               text_of(one.item, model_.table.sort_key ? &*model_.table.sort_key : nullptr);
      };
      return identity(a) < identity(b);
    });
  }
}

std::uint64_t Ledger::index_count(const std::string& index) const {
  const std::lock_guard lock(mutex_);
  const auto found = index_counts_.find(index);
  return found == index_counts_.end() ? 0 : found->second;
}

}  // namespace stator::design
