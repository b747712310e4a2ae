#pragma once

#include <bit>
#include <optional>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/arena.h"

namespace stator::item {

// unescape() that tells where the text has an escape that append_escaped() does not write.
[[nodiscard]] std::optional<std::string_view> try_unescape(std::string_view escaped,
                                                           base::Arena& arena);

[[nodiscard]] inline bool is_special(char c) noexcept {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

#ifdef __SSE2__
namespace detail {
// One bit per byte, set where it is special.
inline unsigned special_mask(__m128i bytes) noexcept {
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
}
}  // namespace detail
#endif

// The first byte that canonical text never has unescaped inside a string ('"', '\\' or a control
// character), or `end`. Strings are most of an item, so this runs over nearly every byte that is
// written or decoded.
[[nodiscard]] inline const char* find_special(const char* at, const char* end) noexcept {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const unsigned mask =
        detail::special_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    if (mask != 0) return at + std::countr_zero(mask);
  }
  if (end - at >= 8) {
    // The upper half of the register is zero and counts as special: only the lower half is looked
    // at.
    const __m128i half = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
    const unsigned mask = detail::special_mask(half) & 0xff;
    if (mask != 0) return at + std::countr_zero(mask);
    at += 8;
  }
#endif
  while (at != end && !is_special(*at)) ++at;
  return at;
}

[[nodiscard]] inline bool needs_escape(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  return find_special(text.data(), end) != end;
}

}  // namespace stator::item
