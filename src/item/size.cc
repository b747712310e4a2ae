#include "item/size.h"

#include <algorithm>

#include <string_view>

namespace stator::item {
namespace {

constexpr std::size_t kContainerBytes = 3;

// number_bytes() of canonical text, without computing the number.
std::size_t number_text_bytes(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto point = text.find('.');
  const std::size_t first = text.find_first_not_of("0.");
  if (first == std::string_view::npos) return 1;
  const std::size_t last = text.find_last_not_of("0.");
  const auto integer =
      static_cast<std::ptrdiff_t>(point == std::string_view::npos ? text.size() : point);
  // The power of ten of the digit at `index`.
  const auto place = [integer](std::size_t index) {
    const auto i = static_cast<std::ptrdiff_t>(index);
    return i < integer ? integer - 1 - i : integer - i;
  };
  const std::ptrdiff_t pairs = (place(first) >> 1) - (place(last) >> 1) + 1;
  return static_cast<std::size_t>(pairs) + 1 + (negative ? 1 : 0);
}

}  // namespace

std::size_t value_bytes(const Value& value) noexcept {
  std::size_t total = 0;
  switch (value.type()) {
    case Type::string:
    case Type::binary:
      return value.text().size();
    case Type::number:
      return number_text_bytes(value.text());
    case Type::boolean:
    case Type::null:
      return 1;
    case Type::map:
      return kContainerBytes + value.attributes().size() + item_bytes(value.attributes());
    case Type::list:
      total = kContainerBytes + value.elements().size();
      break;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      break;
  }
  for (const Value& element : value.elements()) total += value_bytes(element);
  return total;
}

std::size_t attribute_bytes(const Attribute& attribute) noexcept {
  return attribute.name.size() + value_bytes(attribute.value);
}

std::size_t item_bytes(Attributes attributes) noexcept {
  std::size_t total = 0;
  for (const Attribute& attribute : attributes) total += attribute_bytes(attribute);
  return total;
}

int nesting_levels(const Value& value) noexcept {
  int inner = 0;
  if (value.is(Type::map)) {
    for (const Attribute& attribute : value.attributes()) inner = std::max(inner, nesting_levels(attribute.value));
  } else if (value.is(Type::list)) {
    for (const Value& element : value.elements()) inner = std::max(inner, nesting_levels(element));
  } else {
    return 0;
  }
  return inner + 1;
}

}  // namespace stator::item
