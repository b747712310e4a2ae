#pragma once

#include <string_view>

namespace stator::base {

// Whether the text is valid UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF. Over
// HTTP the JSON parser sees to it.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace stator::base
