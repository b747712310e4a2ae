#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "design/generate/item_text.h"
#include "design/model.h"

// Items with the declared shape. Every item is a pure function of the seed and its number, so items can be made in any
// order and again, by several threads; nothing is kept but the number of children of each parent.
namespace stator::design {

struct GeneratorOptions {
  std::uint64_t seed = 1;
  double scale = 1;  // of the declared counts
};

// Constant once created: any number of threads may ask for items.
class Generator {
 public:
  // Errors: an entity whose key does not tell its items apart. The model has to outlive it.
  [[nodiscard]] static Result<Generator> create(const Model& model, const GeneratorOptions& options);
  // The scale at which there are about so many items in all.
  [[nodiscard]] static double scale_for(const Model& model, double items);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] std::uint64_t count(const Entity& entity) const;
  [[nodiscard]] std::uint64_t total() const;

  // The item with this number, 0 .. count - 1.
  [[nodiscard]] Result<GeneratedItem> item(const Entity& entity, std::uint64_t number) const;

  // The number of the parent, or of the first child, of an item; nothing where the entities are not related or it has
  // none.
  [[nodiscard]] std::optional<std::uint64_t> related_number(const Entity& from, std::uint64_t number,
                                                            const Entity& to) const;

  // An item that is not among the numbered ones: the n-th that an application could add. `given` fields are taken as
  // they are; `local` is its number among the new children of one parent.
  [[nodiscard]] Result<GeneratedItem> fresh_item(const Entity& entity, std::uint64_t n, std::uint64_t local,
                                                 const FieldValues& given) const;

  // The item as it is after some of its fields got other values: key attributes that depend on them follow, and it
  // enters or leaves sparse indexes.
  [[nodiscard]] Result<GeneratedItem> changed(const GeneratedItem& item, const FieldValues& changes) const;

  // Whether the index holds the item: it has all its keys.
  [[nodiscard]] static bool is_in_index(const GeneratedItem& item, const Index& index);

 private:
  struct EntityPlan {
    const Entity* entity = nullptr;
    std::uint64_t count = 0;
    const Relationship* parentage = nullptr;  // the one that numbers its items
    std::size_t parent = 0;                   // plan of the parent
    std::vector<std::uint64_t> first_child;   // by parent, one more than there are parents
    std::string discriminator;                // the field that tells children of one parent apart; empty: none needed
    std::uint64_t random_shards = 0;          // of a partition key whose random shard tells items apart
    std::int64_t time_step_s = 0;  // between values of the discriminator, where keys hold only a part of a time
  };
  // Where an item stands: what its values are made from.
  struct Place {
    std::uint64_t number = 0;
    std::uint64_t parent = 0;
    std::uint64_t local = 0;  // among the children of its parent
  };

  explicit Generator(const Model& model, const GeneratorOptions& options) : model_(&model), options_(options) {}

  // Planning (plan_entities.cc).
  Result<void> plan_entity(const Entity& entity, int depth);
  Result<void> plan_children(EntityPlan& plan, std::uint64_t limit, int depth);
  [[nodiscard]] Result<std::string> choose_discriminator(const Entity& entity, const Relationship* parentage) const;
  [[nodiscard]] const EntityPlan* plan_of(std::string_view entity) const;
  [[nodiscard]] Place place_of(const EntityPlan& plan, std::uint64_t number) const;
  [[nodiscard]] std::uint64_t seed_of(const Entity& entity) const;
  // Fields (field_values.cc).
  [[nodiscard]] std::string field_value(const EntityPlan& plan, const Place& place, const Attribute& attribute) const;
  [[nodiscard]] std::string value_from_parent(const EntityPlan& plan, const Place& place, std::string_view field,
                                              bool& found) const;
  [[nodiscard]] FieldValues fields_of(const EntityPlan& plan, const Place& place, const FieldValues& given) const;
  // The item itself (build_item.cc).
  [[nodiscard]] int shard_of(const KeyAttribute& key, const Template& value, std::uint64_t bits, int table_shard) const;
  [[nodiscard]] Result<void> add_keys(const Entity& entity, const FieldValues& fields, GeneratedItem& item) const;
  [[nodiscard]] Result<GeneratedItem> build(const Entity& entity, FieldValues fields, std::uint64_t bits,
                                            int table_shard) const;

  const Model* model_;
  GeneratorOptions options_;
  std::vector<EntityPlan> plans_;
};

}  // namespace stator::design
