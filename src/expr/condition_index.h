#pragma once

#include <span>
#include <string_view>

#include "base/arena.h"
#include "expr/bound.h"

namespace stator::expr {

// The children of a long AND or OR by the attribute that each looks at. An item answers it by the attributes that it has:
// what a child says of an item without its attribute is known before. Only parameters from before expressions can have
// so many; all of them look at one attribute each.
struct ConditionIndex {
  struct Entry {
    std::string_view name;
    const BoundNode* child;
    bool when_absent;  // what it is where the item has no such attribute
  };
  std::span<const Entry> entries;  // in the order of the names
  bool decisive = false;           // the truth of a child that settles the whole: OR true, AND false
  std::size_t decisive_when_absent = 0;
};

// Null where the condition is short or of another form.
[[nodiscard]] const ConditionIndex* index_conditions(const BoundNode& root, base::Arena& arena);

}  // namespace stator::expr
