#pragma once

#include "api/call.h"

namespace stator::api {

// The table that a ResourceArn of the tagging operations names; it must exist.
[[nodiscard]] Result<std::string_view> table_of_resource(const Call& call,
                                                         const std::optional<std::string_view>& arn);

}  // namespace stator::api
