#pragma once

#include <cstddef>

#include "item/value.h"

namespace stator::item {

// The bytes that DynamoDB bills, as its documentation defines them: UTF-8 of names and strings, raw bytes of
// binaries, number_bytes() for numbers, 1 for BOOL and NULL, 3 plus 1 per element or pair for lists and maps
// on top of their contents, the sum of the members for sets.
[[nodiscard]] std::size_t value_bytes(const Value& value) noexcept;
[[nodiscard]] std::size_t attribute_bytes(const Attribute& attribute) noexcept;
[[nodiscard]] std::size_t item_bytes(Attributes attributes) noexcept;

// Levels of maps and lists in a value; 0 for a scalar or a set.
[[nodiscard]] int nesting_levels(const Value& value) noexcept;

}  // namespace stator::item
