#pragma once

#include <string_view>

#include "service/model.h"

namespace stator::service {

// Whether a text of UTF-8 is what the pattern wants.
[[nodiscard]] bool matches(Pattern pattern, std::string_view text);
// The pattern as the service's model has it, for errors.
[[nodiscard]] std::string_view pattern_text(Pattern pattern);

}  // namespace stator::service
