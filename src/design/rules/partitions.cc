#include <fmt/format.h>

#include <algorithm>

#include "design/rules/rules.h"

// Partition keys that gather the load on few values. Whether a key is hot at the declared rates is a matter of figures,
// and `heat` has them; these rules name the shapes that cannot grow. A shard in the key is the cure, so it silences
// them.
namespace stator::design {
namespace {

constexpr double kFewKeys = 50;
constexpr double kManyItemsPerKey = 1000;

bool is_time(const Attribute& attribute) {
  return attribute.format == ValueFormat::date || attribute.format == ValueFormat::datetime ||
         attribute.format == ValueFormat::epoch || attribute.format == ValueFormat::day_first;
}

bool is_listed(const Attribute& attribute) { return !attribute.values.empty(); }

template <class Is>
bool any_field(const Entity& entity, const Template& key, const Is& is) {
  const std::vector<std::string> fields = key.fields();
  return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
    const Attribute* attribute = entity.attribute(field);
    return attribute != nullptr && is(*attribute);
  });
}

// Nothing in the key besides times and listed values.
bool is_time_key(const Entity& entity, const Template& key) {
  return any_field(entity, key, is_time) &&
         !any_field(entity, key, [](const Attribute& one) { return !is_time(one) && !is_listed(one); });
}

bool is_sequential_key(const Entity& entity, const Template& key) {
  return any_field(entity, key, [](const Attribute& one) { return one.sequential; }) &&
         !any_field(entity, key, [](const Attribute& one) { return !one.sequential && !is_listed(one); });
}

// Calls `visit` for the partition key of every entity in the table and in each index, once for each key attribute.
template <class Visit>
void for_each_partition_key(const Model& model, const Visit& visit) {
  for (const Entity& entity : model.entities) {
    const Template* table_key = entity.key(model.table.partition_key.name);
    if (table_key != nullptr && table_key->shard() == nullptr) visit(entity, *table_key, nullptr, 1.0);
    for (const Index& index : model.indexes) {
      const Template* key = entity.key(index.partition_key.name);
      if (key == nullptr || index.kind == IndexKind::local || key == table_key || key->shard() != nullptr) continue;
      visit(entity, *key, &index, index_share(model, entity, index));
    }
  }
}

Place place_in(const Entity& entity, const Template& key, const Index* index) {
  Place place = place_of(entity).at(key.position());
  return index == nullptr ? place : place.also(index->allow);
}

std::string shard_example(const Entity& entity, const Template& key, char delimiter) {
  std::string field = "random";
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique) field = attribute.name;
  }
  return fmt::format("{}{}{{shard({}, 10)}}", key.text(), delimiter, field);
}

}  // namespace

void find_low_cardinalities(RuleContext& context) {
  const Model& model = context.model();
  for_each_partition_key(model, [&](const Entity& entity, const Template& key, const Index* index, double share) {
    if (is_time_key(entity, key)) return;
    const double keys = distinct_keys(model, entity, key);
    const double items = share * item_count(model, entity);
    if (keys >= kFewKeys || items / keys <= kManyItemsPerKey) return;
    context.report(place_in(entity, key, index),
                   fmt::format("{} items share {} {} in {}", count_text(items),
                               keys <= 1 ? "the one key" : "the " + count_text(keys) + " keys of", key.text(),
                               target_text(index == nullptr ? "" : index->name)),
                   fmt::format("Shard it ({}, read by one Query for each shard), or add a component with many values.",
                               shard_example(entity, key, model.delimiter)));
  });
}

void find_date_partitions(RuleContext& context) {
  const Model& model = context.model();
  for_each_partition_key(model, [&](const Entity& entity, const Template& key, const Index* index, double share) {
    const double items = share * item_count(model, entity);
    if (!is_time_key(entity, key) || items / distinct_keys(model, entity, key) <= 1) return;
    context.report(
        place_in(entity, key, index),
        fmt::format("{} in {} is made of time alone: every new {} goes to the newest value", key.text(),
                    target_text(index == nullptr ? "" : index->name), entity.name),
        fmt::format("Put time into the sort key and something with many values into the partition key, or shard it "
                    "({}).",
                    shard_example(entity, key, model.delimiter)));
  });
}

void find_sequential_partitions(RuleContext& context) {
  for_each_partition_key(context.model(), [&](const Entity& entity, const Template& key, const Index* index, double) {
    if (!is_sequential_key(entity, key)) return;
    context.report(
        place_in(entity, key, index),
        fmt::format("{} in {} counts up with every new {}", key.text(),
                    target_text(index == nullptr ? "" : index->name), entity.name),
        "Use an id without order (uuid) or one made by the client (ulid), and keep the number as an attribute.");
  });
}

}  // namespace stator::design
