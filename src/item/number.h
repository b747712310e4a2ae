#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"

namespace stator::item {

inline constexpr int kNumberDigitsMax = 38;

__extension__ using Uint128 = unsigned __int128;  // holds every 38-digit integer

// A decimal number of DynamoDB: up to 38 significant digits, magnitude 1E-130 to 9.99..E+125, or zero.
// Exact, never a double. Normal form: `coefficient` has no trailing decimal zero; zero is 0 * 10^0 and
// never negative. value = (-1)^negative * coefficient * 10^exponent
struct Number {
  Uint128 coefficient = 0;
  std::int16_t exponent = 0;
  bool negative = false;

  friend bool operator==(const Number&, const Number&) = default;
};

// The service reads numbers in two ways, which differ at the edges. The current one takes exponents of 64 bits. The
// classic one is Java's BigDecimal: exponents of 32 bits, and a magnitude that wraps around there.
enum class NumberRules : std::uint8_t { current, classic };

// Any spelling that DynamoDB accepts (plus sign, leading zeros, exponents). Errors are ValidationException
// texts of the service, complete.
[[nodiscard]] Result<Number> parse_number(std::string_view text);

// The text that DynamoDB returns for a number: plain digits without exponent where the service does so.
[[nodiscard]] std::string_view format_number(const Number& number, base::Arena& arena);
[[nodiscard]] std::string format_number(const Number& number);

// Parses and formats in one step; the result is `text` itself where it is canonical already.
[[nodiscard]] Result<std::string_view> canonical_number(std::string_view text, base::Arena& arena,
                                                        NumberRules rules = NumberRules::current);

[[nodiscard]] bool is_canonical_number(std::string_view text) noexcept;

// Number of canonical text that we wrote ourselves (zero for any text that is no number).
[[nodiscard]] Number number_of(std::string_view canonical) noexcept;

[[nodiscard]] int compare(const Number& a, const Number& b) noexcept;
// Exact sums; a result that does not fit into 38 digits or the range is the service's ValidationException.
[[nodiscard]] Result<Number> add(const Number& a, const Number& b);
[[nodiscard]] Result<Number> subtract(const Number& a, const Number& b);

// What DynamoDB bills for a number: about one byte for two significant digits plus one, one more if negative.
[[nodiscard]] std::size_t number_bytes(const Number& number) noexcept;

}  // namespace stator::item
