#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/template.h"

// Which texts a key template can produce, and whether two templates can produce the same. Exact for the shapes below:
// templates become small automata, and the product of two is searched for a common text.
namespace stator::design {

enum class TextShape : std::uint8_t {
  word,      // one character or more, without the delimiter
  free,      // one character or more, delimiter included (a path, for one)
  digits,    // one digit or more
  number,    // optional sign, digits, optional decimals
  day,       // 2026-06-01
  time,      // 2026-06-01T12:00:00Z, with or without parts of a second
  one_of,    // one of the listed values
};

struct FieldShape {
  TextShape shape = TextShape::word;
  std::vector<std::string> values;  // for one_of
};

// The shape of a field by name. Fields that it does not know should come back as `word`.
using ShapeOf = std::function<FieldShape(std::string_view field)>;

// A text that both can produce, or nothing if there is none. The text is an example for messages.
[[nodiscard]] std::optional<std::string> common_text(const Template& a, const ShapeOf& shape_a, const Template& b,
                                                     const ShapeOf& shape_b, char delimiter = '#');
// A text of `whole` that begins with a text of `prefix`, or nothing: what begins_with(prefix) would return.
[[nodiscard]] std::optional<std::string> common_prefix_text(const Template& prefix, const ShapeOf& shape_prefix,
                                                            const Template& whole, const ShapeOf& shape_whole,
                                                            char delimiter = '#');

// The fields of a reader's template beside those of the entity's template that stand in the same place. A literal of
// the reader may give a whole field its value (`STATUS#PENDING` for `STATUS#{status}`).
struct Alignment {
  bool aligned = false;  // the reader's template is the entity's, or its head
  std::vector<std::pair<const Part*, const Part*>> fields;  // reader's part, entity's part
  std::size_t parts_covered = 0;                            // of the entity's parts: how many the reader has fixed
  bool ends_in_field = false;  // the reader ends with the value of a field, not with a literal or at the end
};
// Pointers go into the templates.
[[nodiscard]] Alignment align(const Template& reader, const Template& whole, char delimiter = '#');

}  // namespace stator::design
