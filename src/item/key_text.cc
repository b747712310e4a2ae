#include "item/key_text.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.h"

namespace stator::item {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A decimal as text, cut into sign, whole digits and decimals.
struct Decimal {
  bool negative = false;
  std::string whole;
  std::string decimals;
};

Result<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  std::string_view rest = text;
  if (!rest.empty() && rest.front() == '-') {
    decimal.negative = true;
    rest.remove_prefix(1);
  }
  const std::size_t point = rest.find('.');
  decimal.whole = rest.substr(0, point);
  if (point != std::string_view::npos) decimal.decimals = rest.substr(point + 1);
  if (!all_digits(decimal.whole) ||
      (point != std::string_view::npos && !all_digits(decimal.decimals))) {
    return invalid(fmt::format("\"{}\" is not a number", text));
  }
  return decimal;
}

}  // namespace

int shard_of(std::string_view value, int count) {
  CHECK(count > 0);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  CHECK(EVP_Digest(value.data(), value.size(), digest.data(), &length, EVP_md5(), nullptr) == 1);
  unsigned remainder = 0;
  const auto modulus = static_cast<unsigned>(count);
  for (unsigned i = 0; i < length; ++i) remainder = (remainder * 256 + digest[i]) % modulus;
  return static_cast<int>(remainder);
}

Result<std::string> padded_number(std::string_view text, int width_in, int decimals_in) {
  TRY(Decimal decimal, read_decimal(text));
  const auto decimals = static_cast<std::size_t>(decimals_in);
  // Cutting would make two numbers one key.
  const std::size_t significant = decimal.decimals.find_last_not_of('0');
  if (significant != std::string::npos && significant + 1 > decimals) {
    return invalid(fmt::format("{} has more than {} decimals", text, decimals));
  }
  decimal.decimals.resize(decimals, '0');
  std::string digits = decimal.whole + (decimals > 0 ? "." + decimal.decimals : "");
  const auto width = static_cast<std::size_t>(width_in) - (decimal.negative ? 1 : 0);
  if (digits.size() > width)
    return invalid(fmt::format("{} does not fit into {} characters", text, width_in));
  digits.insert(0, width - digits.size(), '0');
  return (decimal.negative ? "-" : "") + digits;
}

std::string_view time_unit_text(TimeUnit unit) noexcept {
  constexpr std::string_view kTexts[] = {"year", "month", "day", "hour", "minute", "second"};
  return kTexts[static_cast<std::size_t>(unit)];
}

Result<std::string> cut_time(std::string_view time, TimeUnit unit) {
  constexpr std::size_t kLengths[] = {4, 7, 10, 13, 16, 19};
  const std::size_t length = kLengths[static_cast<std::size_t>(unit)];
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd";
  bool good = time.size() >= length;
  for (std::size_t i = 0; good && i < length; ++i) {
    good = kPattern[i] == 'd' ? std::isdigit(static_cast<unsigned char>(time[i])) != 0
                              : time[i] == kPattern[i];
  }
  if (!good) {
    return invalid(fmt::format("\"{}\" is not a time from which the {} can be cut (expected {})",
                               time, time_unit_text(unit), "2026-06-01T12:00:00Z"));
  }
  return std::string(time.substr(0, length));
}

}  // namespace stator::item
