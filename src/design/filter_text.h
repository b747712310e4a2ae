#pragma once

#include <string_view>

#include "base/result.h"
#include "design/model.h"

namespace stator::design {

// Reads a filter or condition in DynamoDB's grammar and fills in the attributes and parameters that it names. Names are
// written plainly, reserved words too: whoever sends it puts placeholders in their place (with_name_placeholders).
[[nodiscard]] Result<Filter> read_filter_text(std::string_view text);

// The expression as the service takes it: every attribute as #name, and the names that were replaced are in
// Filter::attributes. `status = :s` becomes `#status = :s`.
[[nodiscard]] std::string with_name_placeholders(const Filter& filter);

}  // namespace stator::design
