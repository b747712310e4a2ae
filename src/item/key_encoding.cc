#include "item/key_encoding.h"

#include <algorithm>
#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "item/digits.h"

namespace stator::item {
namespace {

constexpr char kEscape = '\x00';
constexpr char kEscapedZero = '\xff';
constexpr char kTerminator = '\x01';

// number   := header pair+                 all bytes complemented where the number is negative
// header   := 80 + (E + 65)                E = floor(exponent of the first digit / 2), -65 to 62
// pair     := 2 * two decimal digits + 1   the pairs are counted from the decimal point;
//             2 * two decimal digits       the last pair, which is not 00
// zero     := 80 00
//
// A longer number of equal beginning is larger, and its odd byte is above the even one that ends
// the shorter. The range of numbers needs all 128 headers of a sign, so zero borrows the lowest
// positive one: no positive number has 00 as its first pair.
constexpr int kHeaderZero = 0x80;
constexpr int kPairExponentMin = kExponentMin >> 1;
constexpr int kPairsMax = kNumberDigitsMax / 2 + 1;  // 38 digits that do not start on a pair
static_assert((kExponentMax >> 1) - kPairExponentMin == 127);

Error corrupt_key() { return Error{ErrorCode::corruption, "a stored key is damaged"}; }

void append_number(base::Buffer& out, std::string_view canonical) {
  Digits number;
  if (scan_number(canonical, number) != ScanOutcome::ok) number = Digits{};
  char* const begin = out.prepare(1 + kPairsMax);
  char* at = begin;
  if (number.count == 0) {
    *at++ = static_cast<char>(kHeaderZero);
    *at++ = 0;
    out.commit(2);
    return;
  }
  *at++ = static_cast<char>(kHeaderZero + (number.exponent >> 1) - kPairExponentMin);
  // An even exponent means that the first digit is the second of its pair.
  for (int i = (number.exponent & 1) != 0 ? 0 : -1; i < number.count; i += 2) {
    const auto digit = [&number](int index) {
      const bool inside = index >= 0 && index < number.count;
      return inside ? number.digits[static_cast<std::size_t>(index)] - '0' : 0;
    };
    const bool more = i + 2 < number.count;
    *at++ = static_cast<char>(2 * (10 * digit(i) + digit(i + 1)) + (more ? 1 : 0));
  }
  if (number.negative) {
    for (char* byte = begin; byte != at; ++byte) *byte = static_cast<char>(~*byte);
  }
  out.commit(static_cast<std::size_t>(at - begin));
}

// Reads a number and accepts only what append_number writes, so that equal keys have equal bytes.
bool read_number(std::string_view& bytes, Digits& number) noexcept {
  if (bytes.size() < 2) return false;
  const int mask = static_cast<unsigned char>(bytes[0]) < kHeaderZero ? 0xff : 0;
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]) ^ mask; };
  const int pair_exponent = byte_at(0) - kHeaderZero + kPairExponentMin;

  std::array<char, 2 * kPairsMax> digits;
  int count = 0;
  std::size_t at = 1;
  for (bool more = true; more; ++at) {
    if (at == bytes.size() || at > kPairsMax) return false;
    const int pair = byte_at(at) >> 1;
    more = (byte_at(at) & 1) != 0;
    if (pair > 99) return false;
    digits[static_cast<std::size_t>(count++)] = static_cast<char>('0' + pair / 10);
    digits[static_cast<std::size_t>(count++)] = static_cast<char>('0' + pair % 10);
  }
  const bool zero = at == 2 && byte_at(0) == kHeaderZero && byte_at(1) == 0 && mask == 0;
  const bool whole_pairs = (digits[0] != '0' || digits[1] != '0') &&
                           (digits[static_cast<std::size_t>(count) - 1] != '0' ||
                            digits[static_cast<std::size_t>(count) - 2] != '0');
  if (!zero && !whole_pairs) return false;
  bytes.remove_prefix(at);
  number.count = 0;
  number.exponent = 0;
  number.negative = false;
  if (zero) return true;

  const int first = digits[0] == '0' ? 1 : 0;
  if (digits[static_cast<std::size_t>(count) - 1] == '0') --count;
  if (count - first > kNumberDigitsMax) return false;
  number.count = count - first;
  number.exponent = 2 * pair_exponent + 1 - first;
  number.negative = mask != 0;
  std::memcpy(number.digits.data(), digits.data() + first, static_cast<std::size_t>(number.count));
  return true;
}

// Reads a string or binary; its bytes are a view where nothing is escaped.
bool read_bytes(std::string_view& bytes, std::string_view& part, base::Arena& arena) {
  std::size_t escapes = 0;
  std::size_t end = bytes.find(kEscape);
  while (true) {
    if (end == std::string_view::npos || end + 1 == bytes.size()) return false;
    if (bytes[end + 1] == kTerminator) break;
    if (bytes[end + 1] != kEscapedZero) return false;
    ++escapes;
    end = bytes.find(kEscape, end + 2);
  }
  part = bytes.substr(0, end);
  bytes.remove_prefix(end + 2);
  if (escapes == 0) return true;
  const auto plain = arena.array<char>(part.size() - escapes);
  std::size_t to = 0;
  for (std::size_t from = 0; from < part.size(); ++from) {
    plain[to++] = part[from];
    if (part[from] == kEscape) ++from;
  }
  part = {plain.data(), plain.size()};
  return true;
}

}  // namespace

void append_key_prefix(base::Buffer& out, std::string_view prefix) {
  while (true) {
    const std::size_t zero = prefix.find(kEscape);
    if (zero == std::string_view::npos) break;
    out.append(prefix.substr(0, zero + 1));
    out.push_back(kEscapedZero);
    prefix.remove_prefix(zero + 1);
  }
  out.append(prefix);
}

void append_key_part(base::Buffer& out, const Value& value) {
  CHECK(value.type() <= Type::binary);  // a key schema has no other types
  if (value.is(Type::number)) return append_number(out, value.text());
  append_key_prefix(out, value.text());
  out.push_back(kEscape);
  out.push_back(kTerminator);
}

Result<Value> read_key_part(std::string_view& bytes, Type type, base::Arena& arena) {
  CHECK(type <= Type::binary);
  if (type == Type::number) {
    Digits digits;
    if (!read_number(bytes, digits)) return tl::unexpected(corrupt_key());
    std::array<char, kNumberTextMax> text;
    const std::size_t length = write_digits(digits, text.data());
    return Value::number(arena.copy(std::string_view(text.data(), length)));
  }
  std::string_view part;
  if (!read_bytes(bytes, part, arena)) return tl::unexpected(corrupt_key());
  return type == Type::string ? Value::string(part) : Value::binary(part);
}

void skip_key_part(std::string_view& bytes, Type type) noexcept {
  std::size_t at = 0;
  if (type == Type::number) {
    // The last bit of each byte behind the header says whether more follow; all are complemented in a negative number.
    const int mask = !bytes.empty() && static_cast<unsigned char>(bytes[0]) < kHeaderZero ? 1 : 0;
    at = 1;
    while (at < bytes.size() && ((static_cast<unsigned char>(bytes[at]) & 1) ^ mask) != 0) ++at;
    ++at;
  } else {
    at = bytes.find(kEscape);
    while (at != std::string_view::npos && at + 1 < bytes.size() && bytes[at + 1] == kEscapedZero) {
      at = bytes.find(kEscape, at + 2);
    }
    at = at == std::string_view::npos ? bytes.size() : at + 2;
  }
  bytes.remove_prefix(std::min(at, bytes.size()));
}

std::uint32_t partition_hash(std::string_view encoded_partition_key) noexcept {
  const std::uint64_t hash =
      XXH3_64bits(encoded_partition_key.data(), encoded_partition_key.size());
  return static_cast<std::uint32_t>(hash >> 32);
}

void increment_prefix(base::Buffer& prefix) {
  std::size_t size = prefix.size();
  while (size > 0 && prefix.data()[size - 1] == '\xff') --size;
  prefix.truncate(size);
  if (size == 0) return;
  char& last = prefix.data()[size - 1];
  last = static_cast<char>(static_cast<unsigned char>(last) + 1);
}

}  // namespace stator::item
