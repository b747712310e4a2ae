#include "partiql/next_token.h"

#include "base/buffer.h"
#include "item/base64.h"
#include "item/stored_item.h"

namespace stator::partiql {
namespace {

// token := base64(format:u8 (=1) checksum:u64 hash:u64 part:u32 last_key_text), numbers with the low byte first; the
// checksum is of what follows it.
constexpr char kFormat = 1;
constexpr std::size_t kChecksumAt = 1;
constexpr std::size_t kHashAt = 9;
constexpr std::size_t kPartAt = 17;
constexpr std::size_t kTextAt = 21;

// FNV-1a.
constexpr std::uint64_t kHashStart = 14695981039346656037U;
std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = kHashStart) noexcept {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211U;
  }
  return hash;
}

void append_number(base::Buffer& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

std::uint64_t read_number(std::string_view bytes, std::size_t at, std::size_t count) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

}  // namespace

std::uint64_t statement_hash(std::string_view statement, std::span<const item::Value> parameters) {
  std::uint64_t hash = hash_of(statement);
  base::Buffer text;
  for (const item::Value& parameter : parameters) {
    text.clear();
    item::append_value(text, parameter);
    hash = hash_of(text.view(), hash);
  }
  return hash;
}

std::string encode_next_token(const NextPage& page, std::uint64_t hash) {
  base::Buffer content;
  append_number(content, hash, 8);
  append_number(content, page.part, 4);
  content.append(page.last_key_text);
  base::Buffer bytes;
  bytes.push_back(kFormat);
  append_number(bytes, hash_of(content.view()), 8);
  bytes.append(content.view());
  base::Buffer token;
  item::append_base64(token, bytes.view());
  return std::string(token.view());
}

Result<NextPage> decode_next_token(std::string_view token, std::uint64_t hash, base::Arena& arena) {
  const auto bytes = item::base64_decode(token, arena);
  const bool whole = bytes && bytes->size() >= kTextAt && bytes->front() == kFormat &&
                     read_number(*bytes, kChecksumAt, 8) == hash_of(bytes->substr(kHashAt));
  if (!whole) return invalid("Invalid NextToken");
  if (read_number(*bytes, kHashAt, 8) != hash) return invalid("NextToken does not match request");
  NextPage page;
  page.part = static_cast<std::uint32_t>(read_number(*bytes, kPartAt, 4));
  page.last_key_text = bytes->substr(kTextAt);
  return page;
}

}  // namespace stator::partiql
