#include "net/head_memo.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "net/byte_classes.h"
#include "net/text.h"

namespace stator::net {
namespace {

// Values that tell one call from another and that nobody reads but for their being there.
constexpr std::string_view kChangingHeaders[] = {"x-amz-date", "amz-sdk-invocation-id", "amz-sdk-request",
                                                 "x-amzn-trace-id", "traceparent"};
constexpr std::string_view kSignature = "Signature=";

// What the hexadecimal digits of signatures consist of: a comma would begin another parameter.
struct HexBytes {
  static bool has(char c) noexcept { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
#ifdef __SSE2__
  static __m128i among(__m128i bytes) noexcept {
    const __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i letters = _mm_sub_epi8(bytes, _mm_set1_epi8('a'));
    return _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits),
                        _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8(5)), letters));
  }
#endif
};

std::uint64_t next_number() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

const HeadMemo::Head* HeadMemo::find(const char* data, std::size_t size, std::size_t& body_bytes) noexcept {
  for (std::size_t i = 0; i < kEntries; ++i) {
    const Entry& entry = entries_[order_[i]];
    if (entry.text.empty() || size < entry.text.size() || !matches(entry, data, body_bytes)) continue;
    if (i > 0) std::swap(order_[i], order_[i - 1]);
    return &entry.head;
  }
  return nullptr;
}

bool HeadMemo::matches(const Entry& entry, const char* data, std::size_t& body_bytes) noexcept {
  const char* const text = entry.text.data();
  std::size_t at = 0;
  for (const Part& part : entry.parts) {
    if (std::memcmp(data + at, text + at, part.begin - at) != 0) return false;
    at = part.end;
    const char* const begin = data + part.begin;
    const char* const end = data + part.end;
    switch (part.kind) {
      case Kind::hexadecimal:
        if (!all_are<HexBytes>(begin, end)) return false;
        break;
      case Kind::visible:
        // A blank at either end would not belong to the value.
        if (*begin == ' ' || end[-1] == ' ' || !all_are<TextBytes>(begin, end)) return false;
        break;
      case Kind::length:
        if (!read_length({begin, end}, body_bytes)) return false;
        break;
    }
  }
  return std::memcmp(data + at, text + at, entry.text.size() - at) == 0;
}

void HeadMemo::offer(std::string_view head, const HeadPieces& pieces) {
  if (++offers_ % kOffersForOne != 0 || head.size() > kHeadBytesMax) return;
  Entry& entry = entries_[order_.back()];
  entry.head = {pieces, head.size(), next_number()};
  entry.text = head;
  entry.parts = changing_parts(head, pieces);
}

// A plain head: each line is a name, a colon, a blank, a value.
std::vector<HeadMemo::Part> HeadMemo::changing_parts(std::string_view head, const HeadPieces& pieces) {
  std::vector<Part> parts;
  std::size_t at = pieces.header_lines.offset;
  const std::size_t end = at + pieces.header_lines.size;
  while (at < end) {
    const std::size_t colon = head.find(':', at);
    const std::size_t line_end = head.find('\r', colon);
    const auto piece = [](std::size_t from, std::size_t to) {
      return Piece{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to - from)};
    };
    add_part(parts, head, pieces, piece(at, colon), piece(colon + 2, line_end));
    at = line_end + 2;
  }
  return parts;
}

void HeadMemo::add_part(std::vector<Part>& parts, std::string_view head, const HeadPieces& pieces, Piece name_at,
                        Piece value) {
  const std::string_view name = head.substr(name_at.offset, name_at.size);
  const std::uint32_t end = value.offset + value.size;
  const auto is_name = [name](std::string_view other) { return equals_ignoring_case(name, other); };
  if (is_name("content-length")) {
    parts.push_back({value.offset, end, Kind::length});
  } else if (std::any_of(std::begin(kChangingHeaders), std::end(kChangingHeaders), is_name)) {
    parts.push_back({value.offset, end, Kind::visible});
  } else if (value.offset == pieces.authorization.offset) {
    // Only where it stands last: what comes behind it is not part of it.
    const std::string_view text = head.substr(value.offset, value.size);
    const std::size_t signature = text.rfind(kSignature);
    if (signature == std::string_view::npos) return;
    const std::size_t begin = signature + kSignature.size();
    if (begin == text.size() || !all_are<HexBytes>(text.data() + begin, text.data() + text.size())) return;
    parts.push_back({value.offset + static_cast<std::uint32_t>(begin), end, Kind::hexadecimal});
  }
}

}  // namespace stator::net
