// The values of an item's fields: a parent's, those that tell it apart, and random ones of the declared shape.

#include <algorithm>
#include <cmath>

#include "design/generate/generator.h"
#include "design/generate/random.h"
#include "design/generate/values.h"

namespace stator::design {

std::string Generator::value_from_parent(const EntityPlan& plan, const Place& place, std::string_view field,
                                         bool& found) const {
  for (const Relationship& one : model_->relationships) {
    if (one.child != plan.entity->name) continue;
    for (std::size_t at = 0; at < one.by.size(); ++at) {
      if (one.by[at] != field) continue;
      const EntityPlan* parent = plan_of(one.parent);
      const Attribute* attribute = parent == nullptr ? nullptr : parent->entity->attribute(one.parent_fields[at]);
      if (attribute == nullptr || parent->count == 0) continue;
      found = true;
      std::uint64_t number = place.parent;
      if (&one != plan.parentage) {
        // Another parent: neighbours get different ones, so a pair of parents is there once.
        const std::uint64_t start = mix(options_.seed ^ place.parent, hash_text(one.name));
        number = (start + place.local) % parent->count;
      }
      return field_value(*parent, place_of(*parent, number), *attribute);
    }
  }
  if (plan.parentage == nullptr) return {};
  // A collection is under one partition key: what stands in the keys of parent and child alike (a tenant) is the same.
  const EntityPlan& parent = plans_[plan.parent];
  const Attribute* attribute = parent.entity->attribute(field);
  const std::string& partition_key = model_->table.partition_key.name;
  const Template* own = plan.entity->key(partition_key);
  const Template* theirs = parent.entity->key(partition_key);
  if (attribute == nullptr || parent.count == 0 || own == nullptr || theirs == nullptr || !own->uses(field) ||
      !theirs->uses(field)) {
    return {};
  }
  found = true;
  return field_value(parent, place_of(parent, place.parent), *attribute);
}

std::string Generator::field_value(const EntityPlan& plan, const Place& place, const Attribute& attribute) const {
  bool inherited = false;
  std::string value = value_from_parent(plan, place, attribute.name, inherited);
  if (inherited) return value;
  const std::uint64_t seed = mix(options_.seed, hash_text(attribute.name));
  if (attribute.unique || attribute.sequential) return nth_value(attribute, place.number, seed);
  if (attribute.name == plan.discriminator) {
    if (plan.time_step_s > 0) {
      const std::int64_t moment = kGeneratedFrom_s + static_cast<std::int64_t>(place.local) * plan.time_step_s;
      return attribute.format == ValueFormat::date ? date_text(moment) : datetime_text(moment);
    }
    // Ids of children look different under each parent.
    const bool scattered = attribute.values.empty() && attribute.type == AttributeType::string &&
                           attribute.format != ValueFormat::date && attribute.format != ValueFormat::datetime;
    const std::uint64_t number = plan.random_shards > 0 ? place.local / plan.random_shards : place.local;
    return nth_value(attribute, number, scattered ? mix(seed, place.parent) : seed);
  }
  const std::uint64_t bits = mix(mix(seed, hash_text(plan.entity->name)), place.number);
  // A declared share of a sparse index decides how many items have the value that puts them there.
  for (const SparseCondition& sparse : plan.entity->sparse) {
    if (sparse.attribute != attribute.name || !sparse.share || sparse.values.empty()) continue;
    RandomBits random(bits);
    if (random.unit() < *sparse.share) return sparse.values[random.below(sparse.values.size())];
    if (attribute.type == AttributeType::boolean) return sparse.values.front() == "true" ? "false" : "true";
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::string other = random_value(attribute, random.next());
      if (std::find(sparse.values.begin(), sparse.values.end(), other) == sparse.values.end()) return other;
    }
  }
  return random_value(attribute, bits, attribute.name == plan.entity->ttl_attribute);
}

FieldValues Generator::fields_of(const EntityPlan& plan, const Place& place, const FieldValues& given) const {
  FieldValues fields = given;
  for (const Attribute& attribute : plan.entity->attributes) {
    if (fields.contains(attribute.name)) continue;
    if (attribute.present < 1) {
      RandomBits random(mix(mix(options_.seed, hash_text(plan.entity->name + "?" + attribute.name)), place.number));
      // What few items have is on every n-th of them, the first included: small tables have it too.
      const bool rare = attribute.present > 0 && attribute.present < 0.2;
      const bool has_it = rare ? place.number % static_cast<std::uint64_t>(std::round(1 / attribute.present)) == 0
                               : random.unit() < attribute.present;
      if (!has_it) continue;
    }
    fields.emplace(attribute.name, field_value(plan, place, attribute));
  }
  return fields;
}

}  // namespace stator::design
