#pragma once

#include <cstddef>
#include <string_view>

namespace stator::net {

// ASCII only, whatever the locale: names of headers and tokens in their values.
[[nodiscard]] constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

[[nodiscard]] constexpr bool is_visible_ascii(char c) noexcept { return c > ' ' && c < 127; }

[[nodiscard]] constexpr bool is_hex_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f');
}

[[nodiscard]] constexpr bool equals_ignoring_case(std::string_view text,
                                                  std::string_view lowercase) noexcept {
  if (text.size() != lowercase.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lowercase[i]) return false;
  }
  return true;
}

// The number that Content-Length has; false where it is none, or longer than what could fit.
[[nodiscard]] constexpr bool read_length(std::string_view digits, std::size_t& length) noexcept {
  constexpr std::size_t kDigitsMax = 9;
  if (digits.size() > kDigitsMax) return false;
  length = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return false;
    length = length * 10 + static_cast<std::size_t>(digit - '0');
  }
  return true;
}

[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace stator::net
