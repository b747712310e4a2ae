#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace stator::base {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

// What may follow a first byte: how many bytes, and the range of the first of them, which is where
// overlong forms and surrogates show.
struct Sequence {
  int following = 0;  // 0: no first byte of a sequence
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
};

Sequence sequence_of(unsigned char first) noexcept {
  if (first >= 0xc2 && first <= 0xdf) return {1};
  if (first == 0xe0) return {2, 0xa0};
  if (first == 0xed) return {2, 0x80, 0x9f};
  if (first >= 0xe1 && first <= 0xef) return {2};
  if (first == 0xf0) return {3, 0x90};
  if (first >= 0xf1 && first <= 0xf3) return {3};
  if (first == 0xf4) return {3, 0x80, 0x8f};
  return {};
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  while (at != end) {
    std::uint64_t eight = 0;
    if (end - at >= 8) {
      std::memcpy(&eight, at, 8);
      if ((eight & kHighBits) == 0) {
        at += 8;
        continue;
      }
    }
    if (*at < 0x80) {
      ++at;
      continue;
    }
    const Sequence sequence = sequence_of(*at);
    if (sequence.following == 0 || end - at <= sequence.following) return false;
    if (at[1] < sequence.low || at[1] > sequence.high) return false;
    for (int i = 2; i <= sequence.following; ++i) {
      if ((at[i] & 0xc0) != 0x80) return false;
    }
    at += sequence.following + 1;
  }
  return true;
}

}  // namespace stator::base
