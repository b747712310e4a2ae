#pragma once

#include "design/model.h"

// How unevenly keys are used: the share of all items, or of all calls, that falls to the busiest one.
namespace stator::design {

// Of `count` things of which the n-th has weight 1 / n^exponent, the share of the first.
[[nodiscard]] double zipf_head_share(double count, double exponent);

// Share of the children that belong to the parent with the most of them.
[[nodiscard]] double busiest_parent_share(const Model& model, const Relationship& relationship);

// New items come with today's date: a partition key made of a time takes all of them. Reads and changes of old items
// are spread over its values.
enum class Moment : unsigned char { any, now };

// Share of the entity's items, or of calls for them, under the busiest value of a key template, as far as fields are
// concerned. Fields that name a parent have the skew of the relationship, listed values that of their weights, others
// are even. Shards divide it.
[[nodiscard]] double busiest_key_share(const Model& model, const Entity& entity, const Template& key, Moment moment);

}  // namespace stator::design
