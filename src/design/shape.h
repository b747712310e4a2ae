#pragma once

#include <optional>
#include <string_view>

#include "design/collide.h"
#include "design/model.h"

// What follows from the declared cardinalities and sizes: counts, distinct values, bytes. Every figure that check,
// heat, cost and prove share is computed here, so that they cannot disagree.
namespace stator::design {

// Items of an entity in the whole table: its count, or its parents' count times the children of one.
[[nodiscard]] double item_count(const Model& model, const Entity& entity);
// Different values of a field among the items of the entity.
[[nodiscard]] double distinct_values(const Model& model, const Entity& entity, std::string_view field);
// The same for a field in its format: a day has fewer values than a second.
[[nodiscard]] double distinct_values(const Model& model, const Entity& entity, std::string_view field,
                                     const Format& format);
// Different texts that a key template has over all items of the entity (shards included).
[[nodiscard]] double distinct_keys(const Model& model, const Entity& entity, const Template& key);

// Items of one entity under one value of a partition key template.
struct Collection {
  double average = 0;
  std::optional<double> maximum;  // nothing: not declared, or unbounded
  bool unbounded = false;
};
[[nodiscard]] Collection items_per_key(const Model& model, const Entity& entity, const Template& partition_key);

// Share of the entity's items that are in the index: 0 without its key, below 1 where sparse.
[[nodiscard]] double index_share(const Model& model, const Entity& entity, const Index& index);
// Whether the entity has every key attribute of the table (index empty) or of the index.
[[nodiscard]] bool is_in(const Model& model, const Entity& entity, std::string_view index);

struct Bytes {
  double typical = 0;
  double maximum = 0;
  bool unbounded = false;
};
// Of a whole item: names and values of attributes, keys, type attribute, as DynamoDB counts them.
[[nodiscard]] Bytes item_bytes(const Model& model, const Entity& entity);
// Of what the index keeps of an item: keys of table and index, and projected attributes. Zero for what is not in it.
[[nodiscard]] Bytes index_item_bytes(const Model& model, const Entity& entity, const Index& index);
// Of the text that a template makes.
[[nodiscard]] Bytes template_bytes(const Entity& entity, const Template& key);

// Whether an attribute can be read from the index without going to the table.
[[nodiscard]] bool is_projected(const Model& model, const Index& index, std::string_view attribute);

// The shapes of an entity's fields, for collide.h. The entity has to outlive it.
[[nodiscard]] ShapeOf shapes_of(const Entity& entity);
[[nodiscard]] FieldShape shape_of(const Attribute& attribute);

}  // namespace stator::design
