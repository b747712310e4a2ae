#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table.h"

// A note beside an item that its global indexes do not know of a change yet.
//
//   key   := row key of the item, number:u64, FF      in the item's space, right behind the item
//   value := time_ms:u64 entry*
//   entry := index:u8 length:u32 row key of the index that the change has made wrong; length 0: none
//
// No item's row key ends with FF: a string ends with 00 01, the last byte of a number is even and below C8 or odd and below FE
// (item/key_encoding.h). And no row key is the beginning of another, so nothing lies between an item and its outbox rows.
//
// What is promised, for each item and index: a row of the index that is not what the item as it is now wants there has an outbox
// row, of an entry with that index, which names the row's key, or whose item's key of now is that key. So a change that moves an
// item within an index names the key that it leaves; one that rewrites the row in its place names none; one that means nothing to
// an index has no entry for it.
namespace stator::engine {

inline constexpr std::size_t kOutboxSuffixBytes = 9;

// Of any key of the store.
[[nodiscard]] bool is_outbox_key(std::string_view key) noexcept;
// The item's row key, of an outbox row's.
[[nodiscard]] inline std::string_view outbox_item_key(std::string_view key) noexcept {
  return key.substr(0, key.size() - kOutboxSuffixBytes);
}

struct OutboxEntry {
  IndexId index = 0;
  std::string_view left_key;  // empty: none
};

struct OutboxRow {
  std::int64_t time_ms = 0;  // when the change was planned
  std::vector<OutboxEntry> entries;
};

// `number` must be unique among the outbox rows of the item, whatever node has put them. Keys and values live in the arena.
[[nodiscard]] std::string_view outbox_key(std::string_view row_key, std::uint64_t number, base::Arena& arena);
[[nodiscard]] std::string_view encode_outbox(std::int64_t time_ms, std::span<const OutboxEntry> entries,
                                             base::Arena& arena);
// The entries' keys are views into `value`.
[[nodiscard]] Result<OutboxRow> decode_outbox(std::string_view value);

}  // namespace stator::engine
