#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stator/attribute_value.h"
#include "stator/model/fixed_text.h"
#include "stator/outcome.h"

// Key templates, parsed by the compiler. The grammar is that of the model file
// (docs/design-model.md):
//
//   CUST#{customerId}   ITEM#{lineNumber:03}   DAY#{at:day}   OPEN#{shard(orderId, 10)}   {{ is a
//   brace
namespace stator::model {

enum class PartKind : std::uint8_t { literal, field, calculated_shard, random_shard };
// From `year` on in the order of the units of a time.
enum class PartFormat : std::uint8_t {
  plain,
  number,
  upper,
  lower,
  year,
  month,
  day,
  hour,
  minute,
  second
};

struct TemplatePart {
  PartKind kind = PartKind::literal;
  std::string_view text = {};  // the literal or the name of the field
  PartFormat format = PartFormat::plain;
  int width = 0;
  int decimals = 0;
  int shard_count = 0;
};

enum class TemplateProblem : std::uint8_t {
  none,
  brace,
  name,
  format,
  shard,
  second_shard,
  too_many_parts
};

struct ParsedTemplate {
  static constexpr std::size_t kPartsMax = 16;
  std::array<TemplatePart, kPartsMax> parts = {};
  std::size_t count = 0;
  TemplateProblem problem = TemplateProblem::none;

  [[nodiscard]] constexpr std::span<const TemplatePart> view() const {
    return {parts.data(), count};
  }
  // Of the shard in it; 0: none.
  [[nodiscard]] constexpr int shard_count() const {
    for (const TemplatePart& part : view()) {
      if (part.shard_count > 0) return part.shard_count;
    }
    return 0;
  }
  [[nodiscard]] constexpr bool uses(std::string_view field) const {
    for (const TemplatePart& part : view()) {
      if (part.kind != PartKind::literal && part.text == field) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr bool has_random_shard() const {
    for (const TemplatePart& part : view()) {
      if (part.kind == PartKind::random_shard) return true;
    }
    return false;
  }
};

namespace detail {

class TemplateParser {
 public:
  constexpr explicit TemplateParser(std::string_view text) : rest_(text) {}

  constexpr ParsedTemplate parse() {
    while (!rest_.empty() && made_.problem == TemplateProblem::none) {
      if (const char c = rest_[0]; c == '{' || c == '}') {
        const bool doubled = rest_.size() > 1 && rest_[1] == c;
        if (doubled) {
          add({.text = rest_.substr(0, 1)});
          rest_.remove_prefix(2);
        } else if (c == '{') {
          rest_.remove_prefix(1);
          part();
        } else {
          made_.problem = TemplateProblem::brace;
        }
      } else {
        const std::size_t size = rest_.find_first_of("{}");
        add({.text = rest_.substr(0, size)});
        rest_.remove_prefix(size == std::string_view::npos ? rest_.size() : size);
      }
    }
    return made_;
  }

 private:
  constexpr void add(TemplatePart part) {
    if (made_.count == ParsedTemplate::kPartsMax) {
      made_.problem = TemplateProblem::too_many_parts;
    } else {
      made_.parts[made_.count++] = part;
    }
  }
  constexpr std::string_view word(std::string_view ends) {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    const std::size_t size = rest_.find_first_of(ends);
    if (size == std::string_view::npos) {
      made_.problem = TemplateProblem::brace;
      return {};
    }
    std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    while (!found.empty() && found.back() == ' ') found.remove_suffix(1);
    return found;
  }
  constexpr bool take(char c) {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // -1 where it is none.
  static constexpr int number(std::string_view text) {
    int value = text.empty() || text.size() > 5 ? -1 : 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || value < 0) return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  }

  constexpr void part() {
    TemplatePart part{.kind = PartKind::field, .text = word(":(},")};
    if (made_.problem != TemplateProblem::none) return;
    if (part.text == "shard" && take('(')) {
      shard(part);
    } else if (take(':')) {
      format(part, word("}"));
    }
    if (part.kind == PartKind::field && part.text.empty()) made_.problem = TemplateProblem::name;
    if (made_.problem != TemplateProblem::none) return;
    if (!take('}')) {
      made_.problem = TemplateProblem::brace;
      return;
    }
    add(part);
  }
  constexpr void shard(TemplatePart& part) {
    if (made_.shard_count() > 0) made_.problem = TemplateProblem::second_shard;
    part.text = word(",)}");
    const bool comma = take(',');
    part.shard_count = number(word(")}"));
    if (!comma || part.text.empty() || !take(')') || part.shard_count < 1 ||
        part.shard_count > 10'000) {
      made_.problem = TemplateProblem::shard;
    }
    part.kind = part.text == "random" ? PartKind::random_shard : PartKind::calculated_shard;
    if (part.kind == PartKind::random_shard) part.text = {};
  }
  constexpr void format(TemplatePart& part, std::string_view name) {
    constexpr std::string_view kWords[] = {"upper", "lower", "year",   "month",
                                           "day",   "hour",  "minute", "second"};
    for (std::size_t i = 0; i < std::size(kWords); ++i) {
      if (name != kWords[i]) continue;
      part.format = static_cast<PartFormat>(static_cast<std::size_t>(PartFormat::upper) + i);
      return;
    }
    const std::size_t point = name.find('.');
    part.format = PartFormat::number;
    part.width = number(name.substr(0, point));
    if (point != std::string_view::npos) part.decimals = number(name.substr(point + 1));
    const bool decimals_fit =
        point == std::string_view::npos || (part.decimals >= 1 && part.decimals + 1 < part.width);
    if (part.width < 1 || part.width > 64 || !decimals_fit) made_.problem = TemplateProblem::format;
  }

  std::string_view rest_;
  ParsedTemplate made_;
};

}  // namespace detail

// The parts of a template; their texts are those of the template argument.
template <FixedText Text>
inline constexpr ParsedTemplate kParsed = detail::TemplateParser(Text.view()).parse();

// --- in the library, for all templates ---

// The write shard of a text, as `{shard(field, count)}` of a model file gives it.
[[nodiscard]] int shard_of(std::string_view value, int count);
// One of them, for writers that do not need to find the item again.
[[nodiscard]] int random_shard(int count);

namespace detail {

[[nodiscard]] DatabaseError invalid(std::string message);

// A value in its format; `name` is that of the field, for messages. Errors: an empty value, one
// that its format cannot take.
[[nodiscard]] Outcome<std::string> formatted(const TemplatePart& part, std::string value);

// The text of part `wanted` of a key; nothing where the key is not one of the template.
[[nodiscard]] std::optional<std::string> part_of_key(std::string_view key,
                                                     std::span<const TemplatePart> parts,
                                                     std::size_t wanted);
[[nodiscard]] bool matches(std::string_view key, std::span<const TemplatePart> parts);

// A scalar as it stands in a key: text as it is, numbers in canonical form. Nothing: no scalar.
[[nodiscard]] std::optional<std::string> key_text(const AttributeValue& value);
// "007" as the number 7.
[[nodiscard]] AttributeValue number_from_key(std::string_view text);

}  // namespace detail

}  // namespace stator::model
