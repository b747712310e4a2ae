#include "engine/outbox_row.h"

#include "base/buffer.h"
#include "engine/row_key.h"

namespace stator::engine {
namespace {

constexpr char kEnd = '\xff';

void append_number(base::Buffer& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

std::uint64_t take_number(std::string_view& bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, count)) value = value << 8 | static_cast<unsigned char>(byte);
  bytes.remove_prefix(count);
  return value;
}

}  // namespace

bool is_outbox_key(std::string_view key) noexcept {
  constexpr std::string_view kSystem("\0\0\0\0", 4);
  return key.size() > kHashEnd + kOutboxSuffixBytes && key.back() == kEnd && key[kSpaceBytes - 1] == '\0' &&
         !key.starts_with(kSystem);
}

std::string_view outbox_key(std::string_view row_key, std::uint64_t number, base::Arena& arena) {
  base::Buffer out;
  out.append(row_key);
  append_number(out, number, 8);
  out.push_back(kEnd);
  return arena.copy(out.view());
}

std::string_view encode_outbox(std::int64_t time_ms, std::span<const OutboxEntry> entries, base::Arena& arena) {
  base::Buffer out;
  append_number(out, static_cast<std::uint64_t>(time_ms), 8);
  for (const OutboxEntry& entry : entries) {
    out.push_back(static_cast<char>(entry.index));
    append_number(out, entry.left_key.size(), 4);
    out.append(entry.left_key);
  }
  return arena.copy(out.view());
}

Result<OutboxRow> decode_outbox(std::string_view value) {
  constexpr std::size_t kEntryBytes = 5;
  const auto damaged = [] { return fail(ErrorCode::corruption, "an outbox row is damaged"); };
  if (value.size() < 8) return damaged();
  OutboxRow row;
  row.time_ms = static_cast<std::int64_t>(take_number(value, 8));
  while (!value.empty()) {
    if (value.size() < kEntryBytes) return damaged();
    const auto index = static_cast<IndexId>(take_number(value, 1));
    const auto length = static_cast<std::size_t>(take_number(value, 4));
    if (value.size() < length) return damaged();
    row.entries.push_back({index, value.substr(0, length)});
    value.remove_prefix(length);
  }
  return row;
}

}  // namespace stator::engine
