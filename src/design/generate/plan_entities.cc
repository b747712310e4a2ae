// How many items of each entity there are, whose children they are, and which field of their keys tells them apart.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "design/generate/children.h"
#include "design/generate/generator.h"
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
    TRY_VOID(plan_children(plan, limit, depth));
  }
  plans_.push_back(std::move(plan));
  return {};
}

// As many items as the declared shape gives each parent; `limit` is how many of one parent can be told apart, 0 where it
// does not matter.
Result<void> Generator::plan_children(EntityPlan& plan, std::uint64_t limit, int depth) {
  const Entity& entity = *plan.entity;
  TRY_VOID(plan_entity(*model_->entity(plan.parentage->parent), depth + 1));
  const EntityPlan& parent = *plan_of(plan.parentage->parent);
  plan.parent = static_cast<std::size_t>(&parent - plans_.data());
  const Cardinality& children = plan.parentage->children;
  // Where a small scale leaves more parents than their share, they have fewer children, so that the table stays small.
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
  const auto counts =
      child_counts(parents, static_cast<std::uint64_t>(std::round(wanted)), children, most, seed_of(entity));
  plan.first_child.reserve(counts.size() + 1);
  plan.first_child.push_back(0);
  for (const std::uint64_t one : counts) plan.first_child.push_back(plan.first_child.back() + one);
  plan.count = plan.first_child.back();
  return {};
}

}  // namespace stator::design
