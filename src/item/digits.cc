#include "item/digits.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace stator::item {
namespace {

constexpr std::uint64_t kTenTo19 = 10'000'000'000'000'000'000u;
// Any exponent beyond this is out of range whatever the digits are, yet sums with a text's length
// are safe.
constexpr std::int64_t kExponentClamp = std::int64_t{1} << 48;
constexpr std::int64_t kInt32Max = INT32_MAX;
constexpr std::int64_t kInt32Min = INT32_MIN;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Reads "[+-]digits" behind the 'e'; false where there is no digit, something else follows, or 64 bits do not hold it.
bool scan_exponent(const char* at, const char* end, std::int64_t& exponent) noexcept {
  bool negative = false;
  if (at != end && (*at == '+' || *at == '-')) negative = *at++ == '-';
  if (at == end) return false;
  std::uint64_t value = 0;
  const std::uint64_t limit = std::uint64_t{INT64_MAX} + (negative ? 1 : 0);
  for (; at != end; ++at) {
    if (!is_digit(*at)) return false;
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  const auto clamped = static_cast<std::int64_t>(std::min(value, static_cast<std::uint64_t>(kExponentClamp)));
  exponent = negative ? -clamped : clamped;
  return true;
}

bool fits_32_bits(std::int64_t value) noexcept { return value >= kInt32Min && value <= kInt32Max; }

std::uint64_t read_digits(const char* at, int count) noexcept {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value * 10 + static_cast<std::uint64_t>(at[i] - '0');
  return value;
}

}  // namespace

ScanOutcome scan_number(std::string_view text, Digits& out, NumberRules rules) noexcept {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool negative = false;
  if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';

  std::int64_t seen = 0;      // digits so far, leading zeros included
  std::int64_t first = -1;    // index of the first digit that is not zero
  std::int64_t last = -1;     // index of the last one
  std::int64_t integer = -1;  // digits in front of the point
  std::int64_t exponent = 0;
  for (; at != end; ++at) {
    if (is_digit(*at)) {
      if (*at != '0') {
        if (first < 0) first = seen;
        last = seen;
      }
      // Zeros are kept too: they count only if another digit follows.
      if (first >= 0 && seen - first < kNumberDigitsMax) {
        out.digits[static_cast<std::size_t>(seen - first)] = *at;
      }
      ++seen;
    } else if (*at == '.' && integer < 0) {
      integer = seen;
    } else if ((*at == 'e' || *at == 'E') && seen > 0) {
      if (!scan_exponent(at + 1, end, exponent)) return ScanOutcome::not_a_number;
      break;
    } else {
      return ScanOutcome::not_a_number;
    }
  }
  if (seen == 0) return ScanOutcome::not_a_number;
  const std::int64_t fraction = integer < 0 ? 0 : seen - integer;
  const bool narrow = rules == NumberRules::classic;
  if (narrow && !(fits_32_bits(exponent) && fits_32_bits(fraction - exponent))) return ScanOutcome::not_a_number;
  // Zero has the magnitude that it is written with.
  exponent += first < 0 ? -fraction : (integer < 0 ? seen : integer) - 1 - first;
  if (narrow) exponent = static_cast<std::int32_t>(exponent + 1) - std::int64_t{1};
  if (first < 0 && exponent >= kExponentMin && exponent <= kExponentMax) {
    out.count = 0;
    out.exponent = 0;
    out.negative = false;
    return ScanOutcome::ok;
  }
  if (exponent > kExponentMax) return ScanOutcome::overflow;
  if (exponent < kExponentMin) return ScanOutcome::underflow;
  if (last - first >= kNumberDigitsMax) return ScanOutcome::too_many_digits;
  out.count = static_cast<int>(last - first) + 1;
  out.exponent = static_cast<int>(exponent);
  out.negative = negative;
  return ScanOutcome::ok;
}

std::size_t write_digits(const Digits& digits, char* out) noexcept {
  char* at = out;
  const auto copy = [&at](const char* from, int count) {
    std::memcpy(at, from, static_cast<std::size_t>(count));
    at += count;
  };
  const auto zeros = [&at](int count) {
    std::memset(at, '0', static_cast<std::size_t>(count));
    at += count;
  };
  const char* const from = digits.digits.data();
  if (digits.count == 0) {
    *at++ = '0';
    return 1;
  }
  if (digits.negative) *at++ = '-';
  const int integer = digits.exponent + 1;
  if (integer >= digits.count) {
    copy(from, digits.count);
    zeros(integer - digits.count);
  } else if (integer > 0) {
    copy(from, integer);
    *at++ = '.';
    copy(from + integer, digits.count - integer);
  } else {
    *at++ = '0';
    *at++ = '.';
    zeros(-integer);
    copy(from, digits.count);
  }
  return static_cast<std::size_t>(at - out);
}

Digits digits_of(const Number& number) noexcept {
  Digits result;
  if (number.coefficient == 0) return result;
  char* const begin = result.digits.data();
  char* const end = begin + result.digits.size();
  char* at = begin;
  auto low = static_cast<std::uint64_t>(number.coefficient);
  if (number.coefficient >> 64 == 0) {
    at = std::to_chars(begin, end, low).ptr;
  } else {
    at = std::to_chars(begin, end, static_cast<std::uint64_t>(number.coefficient / kTenTo19)).ptr;
    low = static_cast<std::uint64_t>(number.coefficient % kTenTo19);
    for (char* digit = at + 18; digit >= at; --digit) {
      *digit = static_cast<char>('0' + low % 10);
      low /= 10;
    }
    at += 19;
  }
  result.count = static_cast<int>(at - begin);
  result.exponent = number.exponent + result.count - 1;
  result.negative = number.negative;
  return result;
}

Number number_of(const Digits& digits) noexcept {
  if (digits.count == 0) return {};
  const char* const from = digits.digits.data();
  Number result;
  if (digits.count <= 19) {
    result.coefficient = read_digits(from, digits.count);
  } else {
    const int high = digits.count - 19;
    result.coefficient = Uint128{read_digits(from, high)} * kTenTo19 + read_digits(from + high, 19);
  }
  result.exponent = static_cast<std::int16_t>(digits.exponent - digits.count + 1);
  result.negative = digits.negative;
  return result;
}

int compare(const Digits& a, const Digits& b) noexcept {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  if (a.count == 0 || b.count == 0) {
    const int sign = a.negative || b.negative ? -1 : 1;
    return (a.count == b.count) ? 0 : (a.count == 0 ? -sign : sign);
  }
  int order = a.exponent - b.exponent;
  if (order == 0) {
    const int common = std::min(a.count, b.count);
    order = std::memcmp(a.digits.data(), b.digits.data(), static_cast<std::size_t>(common));
    if (order == 0) order = a.count - b.count;
  }
  if (order == 0) return 0;
  return (order < 0) != a.negative ? -1 : 1;
}

}  // namespace stator::item
