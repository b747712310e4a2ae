#pragma once

#include <string_view>

namespace stator::expr {

// Whether DynamoDB refuses the word as a bare attribute name in an expression, in any case of
// letters.
[[nodiscard]] bool is_reserved_word(std::string_view word) noexcept;

}  // namespace stator::expr
