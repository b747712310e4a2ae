#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/position.h"
#include "item/key_text.h"

// Key templates: `ORDER#{orderDate:day}#{orderId}`, `OPEN#{shard(orderId, 10)}`.
//
//   template = { literal | "{" part "}" } ;            "{{" and "}}" are braces of the text itself
//   part     = field [ ":" format ] | "shard(" ( field | "random" | "*" ) "," count ")" ;
//   format   = [ "0" ] width [ "." decimals ]           zero-padded number: {line:03}, {rating:05.2}
//            | "year" | "month" | "day" | "hour" | "minute" | "second"     cut from an ISO 8601 time
//            | "upper" | "lower" ;
//
// A template knows nothing of entities; what values a field can have comes in as a FieldShape (collide.h).
namespace stator::design {

enum class PartKind : std::uint8_t { literal, field, shard };

// calculated: md5 of a field, read as a big-endian number, modulo the count: known again when the field is known.
// random: any of them, chosen at the write. every: only in a pattern, which then reads all of them and merges.
enum class ShardKind : std::uint8_t { calculated, random, every };

enum class FormatKind : std::uint8_t { plain, number, time, upper, lower };
using item::TimeUnit;

struct Format {
  FormatKind kind = FormatKind::plain;
  int width = 0;     // number: characters at least, filled with zeros on the left
  int decimals = 0;  // number: digits after the point, exactly
  TimeUnit unit = TimeUnit::second;

  friend bool operator==(const Format&, const Format&) = default;
};

struct Part {
  PartKind kind = PartKind::literal;
  std::string text;  // the literal, the field's name, or the field that a calculated shard is made of
  Format format;
  ShardKind shard_kind = ShardKind::calculated;
  int shard_count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

// Values of fields by name, as text. An attribute of type N is written in decimal ("4.8").
using FieldValues = std::map<std::string, std::string, std::less<>>;

class Template {
 public:
  Template() = default;

  // The error's text names the offset: `at character 7: expected "}"`.
  [[nodiscard]] static Result<Template> parse(std::string_view text, Position position = {});

  [[nodiscard]] const std::string& text() const { return text_; }  // as it was written
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] Position position() const { return position_; }
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  // The text before the first field: "ORDER#" of ORDER#{orderId}.
  [[nodiscard]] std::string literal_prefix() const;
  // Whether it has no field and no shard: every item has the same value.
  [[nodiscard]] bool is_constant() const;
  // The names of all fields, in order, each once; with those that a shard is calculated from.
  [[nodiscard]] std::vector<std::string> fields() const;
  [[nodiscard]] bool uses(std::string_view field) const;
  // The shard of the template, if it has one (one at most: parse() refuses a second).
  [[nodiscard]] const Part* shard() const;

  // The text for these values. A random shard takes `shard_number`; `every` takes it too, so a reader that fans out
  // calls this for 0 .. shard_count - 1. Errors: a field without a value, a value that its format cannot take.
  [[nodiscard]] Result<std::string> evaluate(const FieldValues& values, int shard_number = 0) const;

  // The same parts; positions and spelling do not count.
  friend bool operator==(const Template& a, const Template& b) { return a.parts_ == b.parts_; }

 private:
  std::string text_;
  std::vector<Part> parts_;
  Position position_;
};

using item::shard_of;
// One value in its format. Errors: not a number, not a time, longer than the width.
[[nodiscard]] Result<std::string> format_value(std::string_view value, const Format& format);

}  // namespace stator::design
