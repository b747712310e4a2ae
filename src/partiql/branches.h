#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table.h"
#include "expr/bound.h"

// The ways in which a WHERE clause can hold: it is taken apart at every OR and IN that names a key attribute, so that each
// branch is one partition and one range of its sort keys at most. Private to planners.
namespace stator::partiql {

struct Branch {
  item::Value partition;
  std::optional<expr::KeyComparison> sort;  // as far as a range of keys can serve it
  std::vector<expr::BoundNode> filters;     // what partition and range do not say
  bool excludes = false;                    // the filters say what the sort key must not be
};

// Nothing where a branch names no partition, or two of them: all have to be looked at then. Errors: a key of a wrong type,
// more branches than any read can have.
[[nodiscard]] Result<std::optional<std::vector<Branch>>> spread(const expr::BoundNode* where,
                                                                const engine::KeySchema& key, base::Arena& arena);

// Two branches must not find the same item. Those that exclude sort keys may: their partition is read once for all of them.
[[nodiscard]] Result<void> check_apart(std::span<const Branch> branches);

[[nodiscard]] Result<void> check_count(std::span<const Branch> branches);

// What an index does not hold cannot be looked at: refused where that is so in every branch.
[[nodiscard]] Result<void> check_held(std::span<const Branch> branches, const engine::Index& index, base::Arena& arena);

}  // namespace stator::partiql
