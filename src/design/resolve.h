#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "design/shape.h"

// Which calls a pattern is, and what they touch.
namespace stator::design {

// How an entity stands to a key condition.
enum class Reach : std::uint8_t {
  none,       // no item of it can be in the result
  meant,      // among the pattern's entities, and the key condition finds it
  unmeant,    // not among them, and comes along because key texts overlap
};

struct EntityReach {
  const Entity* entity = nullptr;
  Reach reach = Reach::none;
  std::string example;  // a sort key text (or partition key text) that the condition matches
};

// One read or write pattern as calls to the service. Pointers go into the model, which has to outlive it.
struct Resolution {
  const Pattern* pattern = nullptr;
  const Index* index = nullptr;         // null: the table
  std::string call;                     // GetItem, Query, TransactWriteItems, ...
  double calls = 1;                     // shards that are read one by one, times `repeat`
  int shards = 1;                       // of a read over every shard
  std::vector<EntityReach> reached;     // reads: every entity that the key condition can return
  // Items that one use of the pattern reads before the filter (limit considered), and the largest, where known.
  double items_average = 0;
  std::optional<double> items_maximum;

  [[nodiscard]] bool reaches(const Entity& entity) const;
};
[[nodiscard]] Resolution resolve(const Model& model, const Pattern& pattern);

// Whether the condition on one key attribute selects items of the entity, by the text of its key template.
[[nodiscard]] EntityReach reach_of(const Model& model, const Pattern& pattern, const Entity& entity,
                                   std::string_view index);
// The pattern's key condition by attribute for an action: the one given, or the entity's own templates.
[[nodiscard]] std::vector<KeyCondition> key_of(const Model& model, const Action& action);

}  // namespace stator::design
