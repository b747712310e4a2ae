#include "design/generate/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "design/generate/children.h"
#include "design/generate/random.h"
#include "design/generate/values.h"
#include "design/shape.h"

namespace stator::design {

namespace {

constexpr int kRelationDepthMax = 16;
// A table of a few hundred items should still have a handful of everything.
constexpr double kFewest = 3;

const Relationship* parentage_of(const Model& model, const Entity& entity) {
  for (const Relationship& one : model.relationships)
    if (one.child == entity.name && model.entity(one.parent) != nullptr) return &one;
  return nullptr;
}

std::vector<const Template*> table_key(const Model& model, const Entity& entity) {
  std::vector<const Template*> templates;
  templates.push_back(entity.key(model.table.partition_key.name));
  if (model.table.sort_key) templates.push_back(entity.key(model.table.sort_key->name));
  std::erase(templates, nullptr);
  return templates;
}

// Fields of parents, by any relationship.
std::set<std::string> inherited_fields(const Model& model, const Entity& entity) {
  std::set<std::string> fields;
  for (const Relationship& one : model.relationships)
    if (one.child == entity.name) fields.insert(one.by.begin(), one.by.end());
  return fields;
}

// Whether a field of the table's key is different for every item.
bool has_unique_field(const Model& model, const Entity& entity) {
  for (const Template* key : table_key(model, entity)) {
    for (const Part& part : key->parts()) {
      const Attribute* attribute = part.kind == PartKind::field ? entity.attribute(part.text) : nullptr;
      if (attribute != nullptr && attribute->unique && part.format.kind != FormatKind::time) return true;
    }
  }
  return false;
}

// How far apart times have to be for keys that hold only a part of them; 0 where whole values are in the key.
std::int64_t time_step(const Model& model, const Entity& entity, std::string_view field) {
  constexpr std::int64_t kSteps[] = {366 * 86'400, 31 * 86'400, 86'400, 3'600, 60, 1};
  for (const Template* key : table_key(model, entity)) {
    for (const Part& part : key->parts()) {
      if (part.kind != PartKind::field || part.text != field || part.format.kind != FormatKind::time) continue;
      return kSteps[static_cast<std::size_t>(part.format.unit)];
    }
  }
  return 0;
}

// Shards of the partition key that are chosen at random; 0 where there are none.
std::uint64_t random_shards_of(const Model& model, const Entity& entity) {
  const Template* key = entity.key(model.table.partition_key.name);
  const Part* shard = key == nullptr ? nullptr : key->shard();
  return shard != nullptr && shard->shard_kind == ShardKind::random ? static_cast<std::uint64_t>(shard->shard_count)
                                                                    : 0;
}

// How well a field tells items apart, where several could.
int fitness(const Attribute& attribute) {
  if (attribute.sequential || attribute.format == ValueFormat::id || attribute.format == ValueFormat::ulid ||
      attribute.format == ValueFormat::uuid) {
    return 4;
  }
  if (attribute.format == ValueFormat::datetime || attribute.format == ValueFormat::epoch) return 3;
  if (attribute.values.empty()) return 2;
  return 1;
}

}  // namespace

double Generator::scale_for(const Model& model, double items) {
  double declared = 0;
  for (const Entity& entity : model.entities) declared += item_count(model, entity);
  return declared > 0 ? items / declared : 1;
}

Result<Generator> Generator::create(const Model& model, const GeneratorOptions& options) {
  Generator generator(model, options);
  for (const Entity& entity : model.entities) TRY_VOID(generator.plan_entity(entity, 0));
  return generator;
}

// Which field has to differ between children of one parent: none if a unique field or a second parent is in the key.
Result<std::string> Generator::choose_discriminator(const Entity& entity, const Relationship* parentage) const {
  const std::set<std::string> inherited = inherited_fields(*model_, entity);
  std::string best;
  int best_fitness = 0;
  bool second_parent = false;
  for (const Template* key : table_key(*model_, entity)) {
    for (const Part& part : key->parts()) {
      if (part.kind != PartKind::field) continue;
      const Attribute* attribute = entity.attribute(part.text);
      if (inherited.contains(part.text)) {
        const auto& own = parentage == nullptr ? std::vector<std::string>() : parentage->by;
        if (std::find(own.begin(), own.end(), part.text) == own.end()) second_parent = true;
        continue;
      }
      if (attribute == nullptr) continue;
      if (attribute->unique && part.format.kind != FormatKind::time) return std::string();
      const int fits = part.format.kind == FormatKind::time ? 1 : fitness(*attribute);
      if (fits > best_fitness) {
        best = part.text;
        best_fitness = fits;
      }
    }
  }
  if (!best.empty() || second_parent) return second_parent && best_fitness < 3 ? std::string() : best;
  const bool single = (parentage != nullptr && parentage->children.average <= 1 && !parentage->children.unbounded) ||
                      (parentage == nullptr && item_count(*model_, entity) <= 1);
  if (single || random_shards_of(*model_, entity) > 0) return std::string();
  return invalid(
      fmt::format("entity {}: its key has no field that tells its items apart; make one of them unique", entity.name));
}

Result<void> Generator::plan_entity(const Entity& entity, int depth) {
  if (plan_of(entity.name) != nullptr) return {};
  if (depth > kRelationDepthMax)
    return invalid(fmt::format("entity {}: its relationships go in a circle", entity.name));
  EntityPlan plan;
  plan.entity = &entity;
  plan.parentage = parentage_of(*model_, entity);
  const std::uint64_t seed = mix(options_.seed, hash_text(entity.name));
  TRY(plan.discriminator, choose_discriminator(entity, plan.parentage));
  const bool has_unique = has_unique_field(*model_, entity);
  if (!has_unique) plan.random_shards = random_shards_of(*model_, entity);
  plan.time_step_s = time_step(*model_, entity, plan.discriminator);
  const Attribute* discriminator = entity.attribute(plan.discriminator);
  std::uint64_t limit = discriminator == nullptr ? 0 : value_limit(*discriminator);
  if (plan.random_shards > 0) limit = plan.random_shards * std::max<std::uint64_t>(1, limit);
  if (plan.parentage == nullptr) {
    const double declared = item_count(*model_, entity);
    const double wanted = std::max(std::round(declared * options_.scale), std::min(kFewest, declared));
    plan.count = static_cast<std::uint64_t>(wanted);
    if (limit > 0) plan.count = std::min(plan.count, limit);
  } else {
    TRY_VOID(plan_entity(*model_->entity(plan.parentage->parent), depth + 1));
    const EntityPlan& parent = *plan_of(plan.parentage->parent);
    plan.parent = static_cast<std::size_t>(&parent - plans_.data());
    const Cardinality& children = plan.parentage->children;
    // Where a small scale leaves more parents than their share, they have fewer children, so that the table stays
    // small.
    const double whole = static_cast<double>(parent.count) * children.average;
    const double wanted = std::max(item_count(*model_, entity) * options_.scale,
                                   std::min(whole, static_cast<double>(parent.count) * kFewest));
    auto most = static_cast<std::uint64_t>(children.maximum.value_or(0));
    if (limit > 0) most = most == 0 ? limit : std::min(most, limit);
    // A pair of parents is there once, so a parent has no more children than there are partners.
    for (const Relationship& other : model_->relationships) {
      const Entity* partner = model_->entity(other.parent);
      if (other.child != entity.name || &other == plan.parentage || partner == nullptr || !plan.discriminator.empty())
        continue;
      TRY_VOID(plan_entity(*partner, depth + 1));
      most = most == 0 ? count(*partner) : std::min(most, count(*partner));
    }
    const std::uint64_t parents = plans_[plan.parent].count;
    const auto counts = child_counts(parents, static_cast<std::uint64_t>(std::round(wanted)), children, most, seed);
    plan.first_child.reserve(counts.size() + 1);
    plan.first_child.push_back(0);
    for (const std::uint64_t one : counts) plan.first_child.push_back(plan.first_child.back() + one);
    plan.count = plan.first_child.back();
  }
  plans_.push_back(std::move(plan));
  return {};
}

const Generator::EntityPlan* Generator::plan_of(std::string_view entity) const {
  const auto found =
      std::find_if(plans_.begin(), plans_.end(), [&](const EntityPlan& plan) { return plan.entity->name == entity; });
  return found == plans_.end() ? nullptr : &*found;
}

std::uint64_t Generator::count(const Entity& entity) const {
  const EntityPlan* plan = plan_of(entity.name);
  return plan == nullptr ? 0 : plan->count;
}

std::uint64_t Generator::total() const {
  std::uint64_t sum = 0;
  for (const EntityPlan& plan : plans_) sum += plan.count;
  return sum;
}

Generator::Place Generator::place_of(const EntityPlan& plan, std::uint64_t number) const {
  if (plan.parentage == nullptr) return {number, 0, number};
  if (number >= plan.count) {  // one that is added: its parent is any
    const std::uint64_t parents = plans_[plan.parent].count;
    return {number, parents == 0 ? 0 : mix(options_.seed, number) % parents, number};
  }
  const auto next = std::upper_bound(plan.first_child.begin(), plan.first_child.end(), number);
  const auto parent = static_cast<std::uint64_t>(next - plan.first_child.begin()) - 1;
  return {number, parent, number - plan.first_child[parent]};
}

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

Result<GeneratedItem> Generator::build(const Entity& entity, FieldValues fields, std::uint64_t bits,
                                       int table_shard) const {
  GeneratedItem item;
  item.entity = &entity;
  item.bits = bits;
  item.table_shard = table_shard;
  std::set<std::string_view> absent;  // index keys of sparse indexes that do not hold the item
  std::set<std::string_view> kept = {model_->table.partition_key.name};
  if (model_->table.sort_key) kept.insert(model_->table.sort_key->name);
  for (const Index& index : model_->indexes) {
    const SparseCondition* sparse = entity.sparse_in(index.name);
    bool holds = true;
    if (sparse != nullptr) {
      const auto value = fields.find(sparse->attribute);
      holds = value != fields.end() &&
              (sparse->values.empty() ||
               std::find(sparse->values.begin(), sparse->values.end(), value->second) != sparse->values.end());
    }
    auto& names = holds ? kept : absent;
    names.insert(index.partition_key.name);
    if (index.sort_key) names.insert(index.sort_key->name);
  }
  for (const KeyAttribute& key : model_->key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr || (absent.contains(key.name) && !kept.contains(key.name))) continue;
    const std::vector<std::string> needed = value->fields();
    const bool complete =
        std::all_of(needed.begin(), needed.end(), [&](const std::string& field) { return fields.contains(field); });
    if (!complete && key.name != model_->table.partition_key.name) continue;
    const Part* shard = value->shard();
    int number = 0;
    if (shard != nullptr && shard->shard_count > 0) {
      const bool own = table_shard >= 0 && key.name == model_->table.partition_key.name;
      number = own ? table_shard
                   : static_cast<int>(mix(bits, hash_text(key.name)) % static_cast<std::uint64_t>(shard->shard_count));
    }
    auto text = value->evaluate(fields, number);
    if (!text) return invalid(fmt::format("entity {}, key {}: {}", entity.name, key.name, text.error().message));
    item.attributes.push_back(make_attribute(key.name, key.type, std::move(*text), 0, 0));
  }
  if (!model_->table.type_attribute.empty() && entity.has_type) {
    item.attributes.push_back(
        make_attribute(model_->table.type_attribute, AttributeType::string, entity.type_value, 0, 0));
  }
  for (const Attribute& attribute : entity.attributes) {
    const auto value = fields.find(attribute.name);
    if (!attribute.stored || value == fields.end() || item.attribute(attribute.name) != nullptr) continue;
    item.attributes.push_back(make_attribute(attribute.name, attribute.type, value->second, attribute.typical_bytes,
                                             mix(bits, hash_text(attribute.name))));
  }
  item.fields = std::move(fields);
  return item;
}

Result<GeneratedItem> Generator::item(const Entity& entity, std::uint64_t number) const {
  const EntityPlan* plan = plan_of(entity.name);
  if (plan == nullptr || number >= plan->count)
    return invalid(fmt::format("there is no {} number {}", entity.name, number));
  const Place place = place_of(*plan, number);
  const int shard = plan->random_shards > 0 ? static_cast<int>(place.local % plan->random_shards) : -1;
  return build(entity, fields_of(*plan, place, {}), mix(mix(options_.seed, hash_text(entity.name)), number), shard);
}

std::optional<std::uint64_t> Generator::related_number(const Entity& from, std::uint64_t number,
                                                       const Entity& to) const {
  const EntityPlan* one = plan_of(from.name);
  const EntityPlan* other = plan_of(to.name);
  if (one == nullptr || other == nullptr) return std::nullopt;
  if (one == other) return number;
  if (one->parentage != nullptr && plans_[one->parent].entity == &to) return place_of(*one, number).parent;
  if (other->parentage != nullptr && plans_[other->parent].entity == &from) {
    const std::uint64_t first = other->first_child[number];
    if (first < other->first_child[number + 1]) return first;
  }
  return std::nullopt;
}

Result<GeneratedItem> Generator::fresh_item(const Entity& entity, std::uint64_t n, std::uint64_t local,
                                            const FieldValues& given) const {
  const EntityPlan* plan = plan_of(entity.name);
  if (plan == nullptr) return invalid(fmt::format("there is no entity {}", entity.name));
  Place place{plan->count + n, 0, plan->count + n};
  if (plan->parentage != nullptr) {
    const std::uint64_t parents = plans_[plan->parent].count;
    place.parent = parents == 0 ? 0 : mix(options_.seed, n) % parents;
    const auto& inherited = plan->parentage->by;
    const bool adopted =
        std::any_of(inherited.begin(), inherited.end(), [&](const std::string& f) { return given.contains(f); });
    const std::uint64_t siblings =
        adopted || parents == 0 ? 0 : plan->first_child[place.parent + 1] - plan->first_child[place.parent];
    place.local = siblings + local;
    // An only child comes with a new parent: the old ones have theirs.
    if (!adopted && siblings > 0 && plan->parentage->children.average <= 1) place.parent = parents + n;
  }
  return build(entity, fields_of(*plan, place, given), mix(mix(options_.seed, hash_text(entity.name)), place.number),
               -1);
}

Result<GeneratedItem> Generator::changed(const GeneratedItem& item, const FieldValues& changes) const {
  FieldValues fields = item.fields;
  for (const auto& [name, value] : changes) fields.insert_or_assign(name, value);
  return build(*item.entity, std::move(fields), item.bits, item.table_shard);
}

bool Generator::is_in_index(const GeneratedItem& item, const Index& index) {
  return item.attribute(index.partition_key.name) != nullptr &&
         (!index.sort_key || item.attribute(index.sort_key->name) != nullptr);
}

}  // namespace stator::design
