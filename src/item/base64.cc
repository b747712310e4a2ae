#include "item/base64.h"

#include <array>
#include <cstdint>

namespace stator::item {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
// What the reading table gives for a foreign character: a bit that no 24-bit group has.
constexpr std::uint32_t kForeign = 1u << 31;

// One table per place of a group, so that reading a group is four loads and three ors.
using PlaceTable = std::array<std::uint32_t, 256>;

constexpr PlaceTable place_table(int shift) {
  PlaceTable table{};
  for (auto& entry : table) entry = kForeign;
  for (std::uint32_t i = 0; i < kAlphabet.size(); ++i) {
    table[static_cast<unsigned char>(kAlphabet[i])] = i << shift;
  }
  return table;
}

constexpr PlaceTable kFirst = place_table(18);
constexpr PlaceTable kSecond = place_table(12);
constexpr PlaceTable kThird = place_table(6);
constexpr PlaceTable kFourth = place_table(0);

std::uint32_t byte_at(const char* at) noexcept { return static_cast<unsigned char>(*at); }

std::uint32_t read_group(const char* at) noexcept {
  return kFirst[byte_at(at)] | kSecond[byte_at(at + 1)] | kThird[byte_at(at + 2)] |
         kFourth[byte_at(at + 3)];
}

}  // namespace

void append_base64(base::Buffer& out, std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t length = (bytes.size() + 2) / 3 * 4;
  char* to = out.prepare(length);
  const char* from = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 3; left -= 3, from += 3, to += 4) {
    const std::uint32_t group = byte_at(from) << 16 | byte_at(from + 1) << 8 | byte_at(from + 2);
    to[0] = kAlphabet[group >> 18];
    to[1] = kAlphabet[group >> 12 & 63];
    to[2] = kAlphabet[group >> 6 & 63];
    to[3] = kAlphabet[group & 63];
  }
  if (left != 0) {
    const std::uint32_t group = byte_at(from) << 16 | (left == 2 ? byte_at(from + 1) << 8 : 0);
    to[0] = kAlphabet[group >> 18];
    to[1] = kAlphabet[group >> 12 & 63];
    to[2] = left == 2 ? kAlphabet[group >> 6 & 63] : '=';
    to[3] = '=';
  }
  out.commit(length);
}

std::optional<std::string_view> base64_decode(std::string_view text, base::Arena& arena) {
  if (text.size() % 4 != 0) return std::nullopt;
  if (text.empty()) return std::string_view();
  const std::size_t padding = text.back() != '=' ? 0 : text[text.size() - 2] != '=' ? 1 : 2;
  const std::size_t size = text.size() / 4 * 3 - padding;
  char* const begin = static_cast<char*>(arena.allocate(size, 1));
  char* to = begin;
  const char* from = text.data();
  const char* const end = from + text.size() - (padding != 0 ? 4 : 0);
  std::uint32_t seen = 0;  // foreign characters leave their mark here; looked at once, at the end
  for (; from != end; from += 4, to += 3) {
    const std::uint32_t group = read_group(from);
    seen |= group;
    to[0] = static_cast<char>(group >> 16);
    to[1] = static_cast<char>(group >> 8);
    to[2] = static_cast<char>(group);
  }
  if (padding != 0) {
    const char last[4] = {from[0], from[1], padding == 1 ? from[2] : 'A', 'A'};
    const std::uint32_t group = read_group(last);
    seen |= group;
    *to++ = static_cast<char>(group >> 16);
    if (padding == 1) *to++ = static_cast<char>(group >> 8);
    if ((group & (padding == 1 ? 0xffu : 0xffffu)) != 0) return std::nullopt;
  }
  if ((seen & kForeign) != 0) return std::nullopt;
  return std::string_view(begin, size);
}

}  // namespace stator::item
