#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "item/number.h"

namespace stator::item {

// The significant digits of a number as text. Everything that is not arithmetic (reading,
// formatting, comparing, key encoding) works on this form and spares the way through a 128-bit
// integer. value = (-1)^negative * d.ddd * 10^exponent, where the first and the last digit are not
// '0'; zero has no digits and is never negative.
struct Digits {
  std::array<char, kNumberDigitsMax> digits;  // '0'..'9'; uninitialised behind `count`
  int count = 0;
  int exponent = 0;
  bool negative = false;
};

inline constexpr int kExponentMax = 125;
inline constexpr int kExponentMin = -130;
// The longest text: "-0.", zeros down to the lowest first digit, all digits.
inline constexpr std::size_t kNumberTextMax = 3 + (-kExponentMin - 1) + kNumberDigitsMax;

enum class ScanOutcome : std::uint8_t { ok, not_a_number, overflow, underflow, too_many_digits };

// Reads any accepted spelling. `out` is only meaningful when the outcome is ok.
[[nodiscard]] ScanOutcome scan_number(std::string_view text, Digits& out,
                                      NumberRules rules = NumberRules::current) noexcept;

// Writes the canonical text to `out`, which has room for kNumberTextMax bytes; returns its length.
[[nodiscard]] std::size_t write_digits(const Digits& digits, char* out) noexcept;

[[nodiscard]] Digits digits_of(const Number& number) noexcept;
[[nodiscard]] Number number_of(const Digits& digits) noexcept;
[[nodiscard]] int compare(const Digits& a, const Digits& b) noexcept;

}  // namespace stator::item
