#pragma once

#include <optional>

#include "api/legacy_input.h"
#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"

namespace stator::api {

// AttributeUpdates as an update: PUT sets, DELETE without a value removes. Nothing where there are
// no entries: the request then only makes sure that the item exists.
[[nodiscard]] Result<std::optional<expr::Update>> attribute_updates(const LegacyUpdates& updates,
                                                                    base::Arena& arena);

}  // namespace stator::api
