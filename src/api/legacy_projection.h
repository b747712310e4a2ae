#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"

namespace stator::api {

// AttributesToGet as a projection of whole attributes: a dot in a name is part of the name. Nothing
// where the parameter is absent; an error where a name is there twice.
[[nodiscard]] Result<std::optional<expr::Projection>> attributes_to_get(
    const std::optional<std::vector<std::string_view>>& names, base::Arena& arena);

}  // namespace stator::api
