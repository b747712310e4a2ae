#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table.h"
#include "item/stored_item.h"
#include "store/store.h"

namespace stator::engine {

struct ItemChange;

enum class ChangeKind : std::uint8_t { insert = 1, modify = 2, remove = 3 };

// One record of a stream, as it is stored in the log of its shard:
//
//   record := format:u8 (=1) kind:u8 by_service:u8 created_ms:u64 key_bytes:varint key before_bytes:varint before
//             after_bytes:varint after
//
// `key`, `before` and `after` are stored items; an image that the stream's view does not show is empty. Views into the
// stored bytes.
struct ChangeRecord {
  ChangeKind kind = ChangeKind::insert;
  bool by_service = false;  // deleted by time to live, not by a client
  std::int64_t created_ms = 0;
  std::optional<item::StoredItem> key;
  std::optional<item::StoredItem> before;
  std::optional<item::StoredItem> after;
};
[[nodiscard]] Result<ChangeRecord> decode_change(std::string_view stored);
// A row of a slot's log that divides it: what is before it belongs to one shard, what is behind it to the next. See shards.h.
//
//   marker := format:u8 (=2) roll:u64 created_ms:u64
struct ShardMarker {
  std::uint64_t roll = 0;
  std::int64_t created_ms = 0;
};
[[nodiscard]] std::string encode_marker(const ShardMarker& marker);
// Nothing where the row is a record.
[[nodiscard]] std::optional<ShardMarker> decode_marker(std::string_view stored);

// What a record counts for a page: the key and each image that it has.
[[nodiscard]] std::size_t record_bytes(const ChangeRecord& record);

// Adds the record of a change to the commit, if the table has a stream and the change changes something.
void log_change(const ItemChange& change, store::Batch& batch, base::Arena& arena);

// The start of all log rows of one slot. Slots divide the hashes of partition keys evenly, so all changes of an item
// are in one slot, in order. A slot's shards follow each other: see shards.h.
[[nodiscard]] std::string shard_prefix(TableId table, StreamId stream, std::uint8_t slot);

}  // namespace stator::engine
