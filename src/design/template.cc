#include "design/template.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.h"

namespace stator::design {
namespace {

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
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
  if (!all_digits(decimal.whole) || (point != std::string_view::npos && !all_digits(decimal.decimals))) {
    return invalid(fmt::format("\"{}\" is not a number", text));
  }
  return decimal;
}

Result<std::string> format_number(std::string_view value, const Format& format) {
  TRY(Decimal decimal, read_decimal(value));
  const auto decimals = static_cast<std::size_t>(format.decimals);
  // Cutting would make two numbers one key.
  const std::size_t significant = decimal.decimals.find_last_not_of('0');
  if (significant != std::string::npos && significant + 1 > decimals) {
    return invalid(fmt::format("{} has more than {} decimals", value, decimals));
  }
  decimal.decimals.resize(decimals, '0');
  std::string digits = decimal.whole + (decimals > 0 ? "." + decimal.decimals : "");
  const auto width = static_cast<std::size_t>(format.width) - (decimal.negative ? 1 : 0);
  if (digits.size() > width) return invalid(fmt::format("{} does not fit into {} characters", value, format.width));
  digits.insert(0, width - digits.size(), '0');
  return (decimal.negative ? "-" : "") + digits;
}

Result<std::string> format_time(std::string_view value, TimeUnit unit) {
  constexpr std::size_t kLengths[] = {4, 7, 10, 13, 16, 19};
  const std::size_t length = kLengths[static_cast<std::size_t>(unit)];
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd";
  bool good = value.size() >= length;
  for (std::size_t i = 0; good && i < length; ++i) {
    good = kPattern[i] == 'd' ? std::isdigit(static_cast<unsigned char>(value[i])) != 0 : value[i] == kPattern[i];
  }
  if (!good) {
    return invalid(fmt::format("\"{}\" is not a time from which the {} can be cut (expected {})", value,
                               time_unit_text(unit), "2026-06-01T12:00:00Z"));
  }
  return std::string(value.substr(0, length));
}

}  // namespace

std::string_view time_unit_text(TimeUnit unit) noexcept {
  constexpr std::string_view kTexts[] = {"year", "month", "day", "hour", "minute", "second"};
  return kTexts[static_cast<std::size_t>(unit)];
}

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

Result<std::string> format_value(std::string_view value, const Format& format) {
  std::string text(value);
  switch (format.kind) {
    case FormatKind::plain:
      break;
    case FormatKind::number:
      return format_number(value, format);
    case FormatKind::time:
      return format_time(value, format.unit);
    case FormatKind::upper:
      for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      break;
    case FormatKind::lower:
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      break;
  }
  return text;
}

std::string Template::literal_prefix() const {
  return parts_.empty() || parts_.front().kind != PartKind::literal ? std::string() : parts_.front().text;
}

bool Template::is_constant() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.kind == PartKind::literal; });
}

std::vector<std::string> Template::fields() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) {
    if (part.kind != PartKind::literal && !part.text.empty()) add_once(names, part.text);
  }
  return names;
}

bool Template::uses(std::string_view field) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return part.kind != PartKind::literal && part.text == field; });
}

const Part* Template::shard() const {
  for (const Part& part : parts_) {
    if (part.kind == PartKind::shard) return &part;
  }
  return nullptr;
}

namespace {

Result<std::string> evaluate_part(const Part& part, const FieldValues& values, int shard_number) {
  if (part.kind == PartKind::literal) return part.text;
  if (part.kind == PartKind::shard && part.shard_kind != ShardKind::calculated) return std::to_string(shard_number);
  const auto found = values.find(part.text);
  if (found == values.end()) return invalid(fmt::format("the field {} has no value", part.text));
  if (part.kind == PartKind::shard) return std::to_string(shard_of(found->second, part.shard_count));
  return format_value(found->second, part.format);
}

}  // namespace

Result<std::string> Template::evaluate(const FieldValues& values, int shard_number) const {
  std::string text;
  for (const Part& part : parts_) {
    TRY(const std::string piece, evaluate_part(part, values, shard_number));
    text += piece;
  }
  return text;
}

std::string Template::evaluate_prefix(const FieldValues& values, int shard_number) const {
  std::string text;
  for (const Part& part : parts_) {
    const Result<std::string> piece = evaluate_part(part, values, shard_number);
    if (!piece) break;
    text += *piece;
  }
  return text;
}

}  // namespace stator::design
