#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/table.h"
#include "expr/bound.h"

namespace stator::partiql {

// One condition on the sort key that says as much as possible of all conditions on it, as a range of keys can serve it.
// What it says fully is taken out of `nodes`, which must all hold; the rest stays for the filter. Nothing where no range
// serves any. Error: a value of another type than the key's.
[[nodiscard]] Result<std::optional<expr::KeyComparison>> take_sort_range(const engine::KeyAttribute& sort_key,
                                                                         std::vector<expr::BoundNode>& nodes);

// A literal that is compared with a key attribute must have its type.
[[nodiscard]] Result<void> check_key_type(const engine::KeyAttribute& attribute, const item::Value& value);

// Whether two conditions on a sort key can both hold; nothing: no condition on it.
[[nodiscard]] bool overlap(const std::optional<expr::KeyComparison>& a, const std::optional<expr::KeyComparison>& b);

}  // namespace stator::partiql
