#pragma once

#include <string>
#include <vector>

#include "design/model.h"
#include "design/resolve.h"

// Capacity units that a pattern takes, by the declared sizes and counts. `heat` and `cost` share these figures.
namespace stator::design {

// Read units for so many bytes in one call: rounded up to 4 KB, one at least.
[[nodiscard]] double read_units(double bytes, Consistency consistency, bool transaction = false);
[[nodiscard]] double write_units(double bytes, bool transaction = false);  // to 1 KB

// What one use of a pattern takes from the table (index empty) or a global index, for one entity: a write of an order
// touches the order's key in the table and its keys in the indexes. Local indexes live in the table's partitions and
// take its units. A Query is counted for the first entity that it returns.
struct UnitsAt {
  const Index* index = nullptr;  // null: the table
  const Entity* entity = nullptr;
  const Action* action = nullptr;  // null: a read by key condition
  double read = 0;
  double write = 0;
};

struct PatternUnits {
  const Pattern* pattern = nullptr;
  Resolution resolution;
  std::vector<UnitsAt> parts;
  double item_bytes = 0;  // of a typical item that it reads or writes
  double read = 0;        // of one use, over all parts
  double write = 0;
  double table_write = 0;  // of `write`: without global indexes

  // How many units a write costs for each that the table itself takes.
  [[nodiscard]] double amplification() const { return table_write > 0 ? write / table_write : 1; }
};

[[nodiscard]] PatternUnits pattern_units(const Model& model, const Pattern& pattern);

// Whether the index holds an item after the action, as a share of the calls: 1 where the action sets the condition's
// attribute to a value that puts it there.
[[nodiscard]] double index_share_after(const Model& model, const Entity& entity, const Index& index,
                                       const Action& action);
// Writes to the index that an update of one item causes: 2 where a key of it changes, 1 for another projected attribute
// or for an item that leaves or enters it, 0 otherwise.
[[nodiscard]] double index_writes_of_update(const Model& model, const Entity& entity, const Index& index,
                                            const Action& action);

}  // namespace stator::design
