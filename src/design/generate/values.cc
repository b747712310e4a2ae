#include "design/generate/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "design/generate/random.h"

namespace stator::design {

namespace {

constexpr std::int64_t kDay_s = 86'400;
constexpr std::uint64_t kSpanDays = 730;

// Digits of a base in which ids are written; 32 signs that nobody mixes up, as in a ULID.
constexpr std::string_view kSigns = "0123456789abcdefghjkmnpqrstvwxyz";

std::string base32(std::uint64_t value, std::size_t length) {
  std::string out(length, '0');
  for (std::size_t at = length; at-- > 0; value >>= 5) out[at] = kSigns[value & 31];
  return out;
}

// Different for different numbers below 32^length: multiplication by an odd number permutes the residues of 2^(5
// length).
std::string scattered_id(std::uint64_t number, std::uint64_t seed, std::size_t length) {
  const std::size_t signs = std::min<std::size_t>(length, 12);
  const std::uint64_t mask = (std::uint64_t{1} << (5 * signs)) - 1;
  const std::uint64_t scattered = ((number & mask) * 0x2545f4914f6cdd1dULL + mix(seed)) & mask;
  std::string out = base32(scattered, signs);
  while (out.size() < length) out += kSigns[mix(scattered, out.size()) & 31];
  return out;
}

std::size_t id_length(const Attribute& attribute, std::uint64_t number, std::size_t prefix) {
  auto length =
      static_cast<std::size_t>(std::max(1.0, std::round(attribute.typical_bytes) - static_cast<double>(prefix)));
  // Numbers that do not fit get a longer text rather than one that is there already.
  while (length < 12 && number >> (5 * length) != 0) ++length;
  return length;
}

// "o-" of the example "o-9001": ids that people recognise.
std::string id_prefix(const Attribute& attribute) {
  const std::size_t dash = attribute.example.find('-');
  if (dash == std::string::npos || dash > 6 || attribute.typical_bytes < static_cast<double>(dash) + 5) return {};
  return attribute.example.substr(0, dash + 1);
}

std::string uuid_text(std::uint64_t number, std::uint64_t seed) {
  const std::uint64_t high = mix(number ^ mix(seed));
  const std::uint64_t low = mix(high);
  return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xfff,
                     low >> 52, (low ^ (high << 4)) & 0xffffffffffffULL);
}

std::string ulid_text(std::uint64_t number, std::uint64_t seed) {
  const auto milliseconds = static_cast<std::uint64_t>(kGeneratedFrom_s) * 1000 + number;
  std::string out = base32(milliseconds, 10) + base32(mix(number, seed), 12) + base32(mix(seed, number), 4);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

// Decimal text without zeros at the end, as the service gives numbers back.
std::string number_text(double value, int decimals) {
  std::string out = fmt::format("{:.{}f}", value, decimals);
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out == "-0" ? "0" : out;
}

std::string random_number(const Attribute& attribute, RandomBits& random) {
  const double low = attribute.minimum.value_or(0);
  // A declared size is about the digits: two for each byte after the first.
  const double digits = std::clamp(2 * (attribute.typical_bytes - 1), 1.0, 15.0);
  const double high = attribute.maximum.value_or(low + std::pow(10.0, digits - attribute.decimals.value_or(0)));
  const int decimals = attribute.decimals.value_or(0);
  const double step = std::pow(10.0, -decimals);
  const double steps = std::floor((high - low) / step + 1e-9) + 1;
  return number_text(low + std::floor(random.unit() * steps) * step, decimals);
}

std::string weighted_choice(const std::vector<NamedValue>& values, RandomBits& random) {
  double sum = 0;
  for (const NamedValue& value : values) sum += value.weight;
  double at = random.unit() * sum;
  for (const NamedValue& value : values) {
    at -= value.weight;
    if (at < 0) return value.value;
  }
  return values.back().value;
}

std::size_t random_length(const Attribute& attribute, RandomBits& random) {
  const double length = attribute.typical_bytes * (0.75 + 0.5 * random.unit());
  return static_cast<std::size_t>(std::clamp(std::round(length), 1.0, std::max(1.0, attribute.maximum_bytes)));
}

}  // namespace

std::string date_text(std::int64_t epoch_s) {
  const std::chrono::sys_days day{std::chrono::days{epoch_s / kDay_s}};
  const std::chrono::year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string datetime_text(std::int64_t epoch_s) {
  const std::int64_t second = epoch_s % kDay_s;
  return fmt::format("{}T{:02}:{:02}:{:02}Z", date_text(epoch_s), second / 3600, second / 60 % 60, second % 60);
}

std::string words(std::uint64_t bits, std::size_t bytes) {
  constexpr std::string_view kSyllables[] = {"ka",  "ro",  "mi",  "te",  "lu",  "sa", "no", "vi",
                                             "del", "mar", "ton", "ber", "lin", "os", "ra", "fen"};
  std::string out;
  RandomBits random(bits);
  while (out.size() < bytes) {
    const std::uint64_t next = random.next();
    const std::uint64_t syllables = 2 + next % 2;
    if (!out.empty()) out += ' ';
    for (std::uint64_t at = 0; at < syllables; ++at) out += kSyllables[(next >> (8 + 4 * at)) % std::size(kSyllables)];
  }
  out.resize(bytes);
  if (!out.empty() && out.back() == ' ') out.back() = 'a';
  return out;
}

std::uint64_t value_limit(const Attribute& attribute) {
  if (!attribute.values.empty()) return attribute.values.size();
  if (attribute.type == AttributeType::boolean) return 2;
  if (attribute.type == AttributeType::number && attribute.maximum) {
    return static_cast<std::uint64_t>(std::max(1.0, *attribute.maximum - attribute.minimum.value_or(1) + 1));
  }
  return 0;
}

std::string nth_value(const Attribute& attribute, std::uint64_t number, std::uint64_t seed) {
  if (!attribute.values.empty()) return attribute.values[number % attribute.values.size()].value;
  const auto n = static_cast<std::int64_t>(number);
  switch (attribute.format) {
    case ValueFormat::uuid:
      return uuid_text(number, seed);
    case ValueFormat::ulid:
      return ulid_text(number, seed);
    case ValueFormat::date:
      return date_text(kGeneratedFrom_s + n * kDay_s);
    case ValueFormat::datetime:
      return datetime_text(kGeneratedFrom_s + n * 61);
    case ValueFormat::epoch:
      return fmt::format("{}", kGeneratedUntil_s + n);
    case ValueFormat::email:
      return fmt::format("{}@example.com", scattered_id(number, seed, 8));
    case ValueFormat::path:
      return fmt::format("{}-{}", words(mix(seed), 6), number);
    default:
      break;
  }
  if (attribute.type == AttributeType::number)
    return number_text(attribute.minimum.value_or(1) + static_cast<double>(number), 0);
  if (attribute.type == AttributeType::boolean) return number % 2 == 0 ? "true" : "false";
  const std::string prefix = id_prefix(attribute);
  return prefix + scattered_id(number, seed, id_length(attribute, number, prefix.size()));
}

std::string random_value(const Attribute& attribute, std::uint64_t bits, bool expiry) {
  RandomBits random(bits);
  if (!attribute.values.empty()) return weighted_choice(attribute.values, random);
  if (attribute.distinct && *attribute.distinct >= 1 && attribute.type == AttributeType::string &&
      attribute.format != ValueFormat::date && attribute.format != ValueFormat::datetime) {
    return nth_value(attribute, random.below(static_cast<std::uint64_t>(*attribute.distinct)),
                     hash_text(attribute.name));
  }
  if (attribute.type == AttributeType::boolean) return (random.next() & 1) == 0 ? "true" : "false";
  const auto days =
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(attribute.distinct.value_or(kSpanDays))));
  const auto second = static_cast<std::int64_t>(random.below(kDay_s));
  const std::int64_t moment = kGeneratedUntil_s - (days + 1) * kDay_s + second;
  switch (attribute.format) {
    case ValueFormat::date:
      return date_text(moment);
    case ValueFormat::datetime:
      return datetime_text(moment);
    case ValueFormat::day_first: {
      const std::string day = date_text(moment);
      return fmt::format("{}.{}.{}", day.substr(8, 2), day.substr(5, 2), day.substr(0, 4));
    }
    case ValueFormat::epoch:
      return fmt::format("{}", expiry ? kGeneratedExpiry_s + moment % kDay_s : moment);
    case ValueFormat::uuid:
      return uuid_text(random.next(), bits);
    case ValueFormat::ulid:
      return ulid_text(random.below(kSpanDays * kDay_s * 1000), bits);
    case ValueFormat::email:
      return fmt::format("{}@example.com", scattered_id(random.next(), bits, 8));
    case ValueFormat::id: {
      const std::string prefix = id_prefix(attribute);
      return prefix + scattered_id(random.next(), bits, id_length(attribute, 0, prefix.size()));
    }
    case ValueFormat::path:
      return words(random.next(), random_length(attribute, random));
    default:
      break;
  }
  if (attribute.type == AttributeType::number) return random_number(attribute, random);
  const std::size_t length = random_length(attribute, random);
  return words(random.next(), length);
}

}  // namespace stator::design
