#include "design/generate/generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/generate/random.h"
#include "design/shape.h"

namespace stator::design {

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

std::uint64_t Generator::seed_of(const Entity& entity) const { return mix(options_.seed, hash_text(entity.name)); }

Result<GeneratedItem> Generator::item(const Entity& entity, std::uint64_t number) const {
  const EntityPlan* plan = plan_of(entity.name);
  if (plan == nullptr || number >= plan->count)
    return invalid(fmt::format("there is no {} number {}", entity.name, number));
  const Place place = place_of(*plan, number);
  const int shard = plan->random_shards > 0 ? static_cast<int>(place.local % plan->random_shards) : -1;
  return build(entity, fields_of(*plan, place, {}), mix(seed_of(entity), number), shard);
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
  return build(entity, fields_of(*plan, place, given), mix(seed_of(entity), place.number), -1);
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
