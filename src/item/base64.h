#pragma once

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/buffer.h"

namespace stator::item {

// Standard alphabet ('+' and '/'), padded with '='.
void append_base64(base::Buffer& out, std::string_view bytes);

// The bytes, in the arena. Strict: a length that is no multiple of four, a foreign character,
// padding in the middle or stray bits in front of the padding are nothing, so every byte string has
// one spelling.
[[nodiscard]] std::optional<std::string_view> base64_decode(std::string_view text,
                                                            base::Arena& arena);

}  // namespace stator::item
