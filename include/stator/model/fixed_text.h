#pragma once

#include <cstddef>
#include <string_view>

namespace stator::model {

// A text as a template argument: Key<"PK", "CUST#{customerId}">.
template <std::size_t Size>
struct FixedText {
  char text[Size] = {};

  constexpr FixedText(const char (&literal)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
  // `Size` counts the closing zero; `part` has one character less.
  constexpr explicit FixedText(std::string_view part) {
    for (std::size_t i = 0; i + 1 < Size; ++i) text[i] = part[i];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text, Size - 1}; }
};

}  // namespace stator::model
