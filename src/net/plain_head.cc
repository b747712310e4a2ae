// The short way through the head of a request. Nearly every request is a POST to "/" with headers as the SDKs write them; such
// a head is taken here, many bytes at a time. Anything else, be it legal or not, is left to Beast, which decides alone. So this
// may know little, but what it takes it must take as Beast does: the fuzz target and the tests of splits compare the two.
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "net/http_parser.h"

namespace stator::net {
namespace {

constexpr std::string_view kRequestLine = "POST / HTTP/1.1\r\n";
constexpr std::size_t kLengthDigitsMax = 9;  // what is longer does not fit anyway, which is for Beast to say

constexpr std::uint64_t kCaseBits = 0x2020202020202020u;

std::uint64_t eight_bytes(const char* at) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// What a name consists of; Beast allows more.
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

// For texts of at least eight bytes. Among what NameBytes has, one bit is all that letters differ in by their case.
bool is(std::string_view name, std::string_view lowercase) noexcept {
  std::size_t i = 0;
  for (; i + 8 < name.size(); i += 8) {
    if ((eight_bytes(name.data() + i) | kCaseBits) != eight_bytes(lowercase.data() + i)) return false;
  }
  i = name.size() - 8;
  return (eight_bytes(name.data() + i) | kCaseBits) == eight_bytes(lowercase.data() + i);
}

bool is_short(std::string_view name, std::string_view lowercase) noexcept {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((name[i] | 0x20) != lowercase[i]) return false;
  }
  return true;
}

// Headers by which Beast decides where a request ends and what follows it.
bool is_for_beast(std::string_view name, std::string_view value) noexcept {
  switch (name.size()) {
    case 6:
      return is_short(name, "expect");
    case 7:
      return is_short(name, "upgrade");
    case 10:
      return is(name, "connection") && !(value.size() == 10 && is(value, "keep-alive"));
    case 16:
      return is(name, "content-encoding") || is(name, "proxy-connection");
    case 17:
      return is(name, "transfer-encoding");
    default:
      return false;
  }
}

bool read_length(std::string_view digits, std::size_t& length) noexcept {
  if (digits.size() > kLengthDigitsMax) return false;
  length = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return false;
    length = length * 10 + static_cast<std::size_t>(digit - '0');
  }
  return true;
}

}  // namespace

// Where the value of a header is kept; null for one that nobody asks for.
RequestParser::Piece* RequestParser::place_of(std::string_view name) noexcept {
  switch (name.size()) {
    case 4:
      return is_short(name, "host") ? &host_ : nullptr;
    case 6:
      return is_short(name, "origin") ? &origin_ : nullptr;
    case 10:
      return is(name, "x-amz-date") ? &x_amz_date_ : nullptr;
    case 12:
      return is(name, "x-amz-target") ? &x_amz_target_ : is(name, "content-type") ? &content_type_ : nullptr;
    case 13:
      return is(name, "authorization") ? &authorization_ : nullptr;
    case 15:
      return is(name, "accept-encoding") ? &accept_encoding_ : nullptr;
    default:
      return nullptr;
  }
}

// False where the head is none of these or not there as a whole: then nothing is known of it.
bool RequestParser::parse_plain_head(const char* data, std::size_t size) noexcept {
  if (!std::string_view(data, size).starts_with(kRequestLine)) return false;
  const char* const end = data + size;
  const char* at = data + kRequestLine.size();
  bool has_length = false;
  for (;;) {
    const char* const name_start = at;
    at = end_of<NameBytes>(at, end);
    if (at == name_start) break;
    const std::string_view name(name_start, static_cast<std::size_t>(at - name_start));
    if (end - at < 2 || at[0] != ':' || at[1] != ' ') return false;
    const char* const value_start = at + 2;
    at = end_of<TextBytes>(value_start, end);
    const std::string_view value(value_start, static_cast<std::size_t>(at - value_start));
    if (end - at < 2 || at[0] != '\r' || at[1] != '\n') return false;
    at += 2;
    if (value.empty() || value.front() == ' ' || value.back() == ' ' || is_for_beast(name, value)) return false;
    if (name.size() == 14 && is(name, "content-length")) {
      if (has_length || !read_length(value, body_size_)) return false;
      has_length = true;
    } else if (Piece* const place = place_of(name); place != nullptr) {
      if (place->size != 0) return false;  // a second one
      *place = {static_cast<std::uint32_t>(value_start - data), static_cast<std::uint32_t>(value.size())};
    }
  }
  if (end - at < 2 || at[0] != '\r' || at[1] != '\n') return false;
  const auto head_bytes = static_cast<std::size_t>(at + 2 - data);
  if (head_bytes > limits_.header_bytes_max || !has_length || body_size_ > limits_.body_bytes_max || host_.size == 0) {
    return false;
  }
  method_ = {0, 4};
  path_ = {5, 1};
  header_lines_ = {kRequestLine.size(), static_cast<std::uint32_t>(head_bytes - 2 - kRequestLine.size())};
  http11_ = keep_alive_ = true;
  head_end_ = head_bytes;
  stage_ = Stage::sized_body;
  return true;
}

}  // namespace stator::net
