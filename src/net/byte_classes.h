#pragma once

#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Classes of bytes in heads of requests, looked at sixteen at a time where the processor can.
namespace stator::net {

// What a header's name consists of; Beast allows more.
struct NameBytes {
  static bool has(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  }
#ifdef __SSE2__
  static __m128i among(__m128i bytes) noexcept {
    const __m128i letters = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8(25)), letters);
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    return _mm_or_si128(_mm_or_si128(is_letter, is_digit), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
  }
#endif
};

// Spaces and the visible characters of ASCII.
struct TextBytes {
  static bool has(char c) noexcept { return c >= ' ' && c <= '~'; }
#ifdef __SSE2__
  static __m128i among(__m128i bytes) noexcept {
    const __m128i from_space = _mm_sub_epi8(bytes, _mm_set1_epi8(' '));
    return _mm_cmpeq_epi8(_mm_min_epu8(from_space, _mm_set1_epi8('~' - ' ')), from_space);
  }
#endif
};

// The first byte that is none of these.
template <class Bytes>
const char* end_of(const char* at, const char* end) noexcept {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto others = static_cast<unsigned>(_mm_movemask_epi8(Bytes::among(bytes))) ^ 0xffffu;
    if (others != 0) return at + std::countr_zero(others);
  }
#endif
  while (at != end && Bytes::has(*at)) ++at;
  return at;
}

// Whether all bytes are of these.
template <class Bytes>
bool all_are(const char* at, const char* end) noexcept {
#ifdef __SSE2__
  if (end - at >= 16) {
    for (; end - at > 16; at += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      if (_mm_movemask_epi8(Bytes::among(bytes)) != 0xffff) return false;
    }
    at = end - 16;  // some of them twice rather than one by one
    return _mm_movemask_epi8(Bytes::among(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)))) == 0xffff;
  }
#endif
  return end_of<Bytes>(at, end) == end;
}

}  // namespace stator::net
