#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"
#include "item/value.h"

namespace stator::expr {

// A new value at a path, or nothing to take away what is there.
struct Edit {
  Path path;
  std::optional<item::Value> value;
};

// The value with all edits made, whose paths share their first `depth` steps and do not overlap;
// nothing if it is removed. List indexes mean the list as it was. Parts that stay are shared with
// `value`. Error: the path goes through something that is not there or is no map or list.
[[nodiscard]] Result<std::optional<item::Value>> apply_edits(
    const std::optional<item::Value>& value, std::span<const Edit> edits, std::size_t depth,
    base::Arena& arena);

}  // namespace stator::expr
