#include "item/key_text.h"

#include <algorithm>
#include <cctype>
#include <random>

#include "item/number.h"
#include "stator/model/key_template.h"

namespace stator::model {

int shard_of(std::string_view value, int count) {
  return item::shard_of(value, std::max(count, 1));
}

int random_shard(int count) {
  thread_local std::minstd_rand random{std::random_device()()};
  return std::uniform_int_distribution<int>(0, std::max(count, 1) - 1)(random);
}

namespace detail {
namespace {

Outcome<std::string> checked(std::string_view field, Result<std::string> text) {
  if (text) return std::move(*text);
  return invalid("the field " + std::string(field) + ": " + text.error().message);
}

// The characters that a part has in every key; 0: as many as its value has.
std::size_t fixed_width(const TemplatePart& part) {
  constexpr std::size_t kTimes[] = {4, 7, 10, 13, 16, 19};
  if (part.kind != PartKind::field) return 0;
  if (part.format == PartFormat::number) return static_cast<std::size_t>(part.width);
  if (part.format >= PartFormat::year)
    return kTimes[static_cast<std::size_t>(part.format) -
                  static_cast<std::size_t>(PartFormat::year)];
  return 0;
}

// The texts of the parts of a key; false where it is not one of the template.
template <class Take>
bool take_apart(std::string_view key, std::span<const TemplatePart> parts, Take&& take) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TemplatePart& part = parts[i];
    if (part.kind == PartKind::literal) {
      if (!key.starts_with(part.text)) return false;
      key.remove_prefix(part.text.size());
      continue;
    }
    std::size_t size = fixed_width(part);
    if (size == 0 && i + 1 < parts.size() && parts[i + 1].kind == PartKind::literal)
      size = key.find(parts[i + 1].text);
    else if (size == 0)
      size = key.size();
    if (size == 0 || size > key.size()) return false;  // npos is larger too
    take(i, key.substr(0, size));
    key.remove_prefix(size);
  }
  return key.empty();
}

}  // namespace

DatabaseError invalid(std::string message) {
  return {.kind = ErrorKind::validation,
          .name = "ValidationException",
          .message = std::move(message),
          .item = {},
          .reasons = {}};
}

Outcome<std::string> formatted(const TemplatePart& part, std::string value) {
  if (value.empty())
    return invalid("the field " + std::string(part.text) + " is empty, and a key needs it");
  if (part.kind == PartKind::calculated_shard)
    return std::to_string(item::shard_of(value, part.shard_count));
  const auto change = [&value](int (*letter)(int)) {
    for (char& c : value) c = static_cast<char>(letter(static_cast<unsigned char>(c)));
    return std::move(value);
  };
  switch (part.format) {
    case PartFormat::plain:
      return value;
    case PartFormat::number:
      return checked(part.text, item::padded_number(value, part.width, part.decimals));
    case PartFormat::upper:
      return change(std::toupper);
    case PartFormat::lower:
      return change(std::tolower);
    default:
      break;
  }
  const int unit = static_cast<int>(part.format) - static_cast<int>(PartFormat::year);
  return checked(part.text, item::cut_time(value, static_cast<item::TimeUnit>(unit)));
}

std::optional<std::string> part_of_key(std::string_view key, std::span<const TemplatePart> parts,
                                       std::size_t wanted) {
  std::optional<std::string> found;
  const bool whole = take_apart(key, parts, [&](std::size_t at, std::string_view text) {
    if (at == wanted) found = text;
  });
  return whole ? found : std::nullopt;
}

bool matches(std::string_view key, std::span<const TemplatePart> parts) {
  return take_apart(key, parts, [](std::size_t, std::string_view) {});
}

std::optional<std::string> key_text(const AttributeValue& value) {
  switch (value.type()) {
    case AttributeType::string:
      return value.as_string();
    case AttributeType::number: {
      const Result<item::Number> number = item::parse_number(value.as_number().text());
      return number ? item::format_number(*number) : value.as_number().text();
    }
    case AttributeType::boolean:
      return value.as_bool() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

AttributeValue number_from_key(std::string_view text) {
  const Result<item::Number> number = item::parse_number(text);
  return Number(number ? item::format_number(*number) : std::string(text));
}

}  // namespace detail
}  // namespace stator::model
