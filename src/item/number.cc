#include "item/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "item/digits.h"

namespace stator::item {
namespace {

constexpr auto kPowersOfTen = [] {
  std::array<Uint128, kNumberDigitsMax + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

Uint128 power_of_ten(int exponent) noexcept {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

int digit_count(Uint128 value) noexcept {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  const int bits = high != 0 ? 64 + std::bit_width(high) : std::bit_width(low);
  // 1233/4096 is log10(2) to more places than 128 bits need; the guess is right or one too small.
  const int guess = (bits * 1233) >> 12;
  if (guess > kNumberDigitsMax) return guess;
  return guess + (value >= power_of_ten(guess) ? 1 : 0);
}

tl::unexpected<Error> scan_error(ScanOutcome outcome, std::string_view text,
                                 NumberRules rules = NumberRules::current) {
  switch (outcome) {
    case ScanOutcome::overflow:
      return invalid(
          "Number overflow. Attempting to store a number with magnitude larger than supported "
          "range");
    case ScanOutcome::underflow:
      return invalid(
          "Number underflow. Attempting to store a number with magnitude smaller than supported "
          "range");
    case ScanOutcome::too_many_digits:
      return invalid("Attempting to store more than 38 significant digits in a Number");
    case ScanOutcome::ok:
    case ScanOutcome::not_a_number:
      break;
  }
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty() || rules == NumberRules::current) message.append(": ").append(text);
  return invalid(std::move(message));
}

// Brings coefficient * 10^exponent into the normal form, or says which limit it breaks.
Result<Number> normalize(Uint128 coefficient, int exponent, bool negative) {
  if (coefficient == 0) return Number{};
  while (coefficient >> 64 != 0 && coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
  if (coefficient >> 64 == 0) {
    auto small = static_cast<std::uint64_t>(coefficient);  // where division is one instruction
    while (small % 10 == 0) {
      small /= 10;
      ++exponent;
    }
    coefficient = small;
  }
  const int digits = digit_count(coefficient);
  const int first = exponent + digits - 1;
  if (first > kExponentMax) return scan_error(ScanOutcome::overflow, {});
  if (first < kExponentMin) return scan_error(ScanOutcome::underflow, {});
  // The service calls a sum with too many digits an overflow.
  if (digits > kNumberDigitsMax) return scan_error(ScanOutcome::overflow, {});
  return Number{coefficient, static_cast<std::int16_t>(exponent), negative};
}

// The sum of two numbers that differ in their last digit's place: `high` ends left of where `low`
// ends.
//
// 128 bits are enough although operands may lie 255 places apart. The last digit of `low` has
// nothing to be added to, so it stays and is not zero: the result reaches from there to the first
// digit of the larger operand, or one place less after a borrow. What spans too much is an error
// before any digit is computed.
Result<Number> add_apart(const Number& high, const Number& low) {
  const int shift = high.exponent - low.exponent;
  const int high_digits = digit_count(high.coefficient) + shift;
  const bool same_sign = high.negative == low.negative;
  if (high_digits > kNumberDigitsMax) {
    // Only a borrow out of a leading 1 can shorten 39 digits to 38, and below 2 * 10^38 they fit
    // 128 bits.
    const bool may_shrink = !same_sign && high_digits == kNumberDigitsMax + 1 &&
                            high.coefficient < 2 * power_of_ten(high_digits - shift - 1);
    if (!may_shrink) {
      return scan_error(ScanOutcome::overflow, {});
    }
  }
  // shift <= 38 here, because high.coefficient has at least one digit.
  const Uint128 shifted = high.coefficient * power_of_ten(shift);
  if (same_sign) return normalize(shifted + low.coefficient, low.exponent, high.negative);
  if (shifted > low.coefficient) {
    return normalize(shifted - low.coefficient, low.exponent, high.negative);
  }
  return normalize(low.coefficient - shifted, low.exponent, low.negative);
}

// Recognises the common canonical texts by their characters alone: at most 38 digits in all, so
// that no limit can be broken. False means "look closer", not "not canonical".
bool is_plainly_canonical(std::string_view text) noexcept {
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
    if (text == "0") return false;
  }
  if (text.empty() || text.size() > kNumberDigitsMax) return false;
  bool point = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') continue;
    if (c != '.' || point) return false;
    point = true;
  }
  if (text.front() == '.') return false;
  if (text.front() == '0' && text.size() > 1 && text[1] != '.') return false;
  return !point || (text.back() != '0' && text.back() != '.');
}

}  // namespace

Result<Number> parse_number(std::string_view text) {
  Digits digits;
  const ScanOutcome outcome = scan_number(text, digits);
  if (outcome != ScanOutcome::ok) return scan_error(outcome, text);
  return number_of(digits);
}

std::string_view format_number(const Number& number, base::Arena& arena) {
  std::array<char, kNumberTextMax> text;
  const std::size_t length = write_digits(digits_of(number), text.data());
  return arena.copy(std::string_view(text.data(), length));
}

std::string format_number(const Number& number) {
  std::array<char, kNumberTextMax> text;
  const std::size_t length = write_digits(digits_of(number), text.data());
  return std::string(text.data(), length);
}

Result<std::string_view> canonical_number(std::string_view text, base::Arena& arena, NumberRules rules) {
  if (is_plainly_canonical(text)) return text;
  Digits digits;
  const ScanOutcome outcome = scan_number(text, digits, rules);
  if (outcome != ScanOutcome::ok) return scan_error(outcome, text, rules);
  std::array<char, kNumberTextMax> canonical;
  const std::string_view view(canonical.data(), write_digits(digits, canonical.data()));
  return view == text ? text : arena.copy(view);
}

bool is_canonical_number(std::string_view text) noexcept {
  if (is_plainly_canonical(text)) return true;
  Digits digits;
  if (scan_number(text, digits) != ScanOutcome::ok) return false;
  std::array<char, kNumberTextMax> canonical;
  return std::string_view(canonical.data(), write_digits(digits, canonical.data())) == text;
}

Number number_of(std::string_view canonical) noexcept {
  Digits digits;
  if (scan_number(canonical, digits) != ScanOutcome::ok) return {};
  return number_of(digits);
}

int compare(const Number& a, const Number& b) noexcept {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  if (a.exponent == b.exponent && a.coefficient == b.coefficient) return 0;
  const int sign = a.negative ? -1 : 1;
  if (a.coefficient == 0) return b.negative ? 1 : -1;
  if (b.coefficient == 0) return sign;
  const int a_digits = digit_count(a.coefficient);
  const int b_digits = digit_count(b.coefficient);
  const int a_first = a.exponent + a_digits;
  const int b_first = b.exponent + b_digits;
  if (a_first != b_first) return a_first < b_first ? -sign : sign;
  const Uint128 a_aligned = a.coefficient * power_of_ten(kNumberDigitsMax - a_digits);
  const Uint128 b_aligned = b.coefficient * power_of_ten(kNumberDigitsMax - b_digits);
  return a_aligned < b_aligned ? -sign : sign;
}

Result<Number> add(const Number& a, const Number& b) {
  if (a.coefficient == 0) return b;
  if (b.coefficient == 0) return a;
  if (a.exponent != b.exponent) return a.exponent > b.exponent ? add_apart(a, b) : add_apart(b, a);
  // Two 38-digit integers: the sum stays below 2 * 10^38, which 128 bits hold.
  if (a.negative == b.negative)
    return normalize(a.coefficient + b.coefficient, a.exponent, a.negative);
  if (a.coefficient >= b.coefficient) {
    return normalize(a.coefficient - b.coefficient, a.exponent, a.negative);
  }
  return normalize(b.coefficient - a.coefficient, a.exponent, b.negative);
}

Result<Number> subtract(const Number& a, const Number& b) {
  Number negated = b;
  negated.negative = b.coefficient != 0 && !b.negative;
  return add(a, negated);
}

std::size_t number_bytes(const Number& number) noexcept {
  if (number.coefficient == 0) return 1;
  // Digits are stored in pairs counted from the decimal point; >> rounds towards minus infinity.
  const int first_pair = (number.exponent + digit_count(number.coefficient) - 1) >> 1;
  const int last_pair = number.exponent >> 1;
  return static_cast<std::size_t>(first_pair - last_pair + 1) + 1 + (number.negative ? 1 : 0);
}

}  // namespace stator::item
