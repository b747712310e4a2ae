#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/result.h"
#include "engine/table.h"
#include "item/stored_item.h"
#include "item/value.h"

// Keys of rows in the store. Every part sorts as DynamoDB sorts; see docs/formats/keys.md.
//
//   table row  := table:u32 0:u8     hash:u32 partition sort
//   index row  := table:u32 index:u8 hash:u32 partition sort base_partition base_sort
//   collection := table:u32 FE:u8    hash:u32 partition          counters of one item collection
//   stream     := table:u32 FD:u8    stream:u16 slot:u8 position:u64          records; slot FF: see shards.h
//   expiry     := table:u32 FC:u8    seconds:u64 row_key_without_space        items by time to live
//   outbox     := table_row_key number:u64 FF:u8                what an index has still to be told; see outbox_row.h
//   system     := 0:u32 kind:u8 ...
//
// `hash` is of the partition key, so a Scan goes in hash order and a segment is a range of hashes. The rows of a
// local index repeat the table's partition key and so its hash.
namespace stator::engine {

inline constexpr std::uint8_t kCollectionSpace = 0xfe;
inline constexpr std::uint8_t kStreamSpace = 0xfd;
inline constexpr std::uint8_t kExpirySpace = 0xfc;
inline constexpr std::size_t kSpaceBytes = 5;          // table, index
inline constexpr std::size_t kHashEnd = kSpaceBytes + 4;

// What all keys of a table begin with, of any key of it.
[[nodiscard]] inline std::string_view table_space(std::string_view key) { return key.substr(0, sizeof(TableId)); }

[[nodiscard]] TableId table_id_of(std::string_view key);

void append_space(base::Buffer& out, TableId table, std::uint8_t space);

// All keys of a space of a table.
struct SpaceBounds {
  std::string from;
  std::string to;
};
[[nodiscard]] SpaceBounds space_bounds(TableId table, std::uint8_t space);

// Appends hash and encoded partition key values.
void append_partition(base::Buffer& out, std::span<const item::Value> partition);

// The key values of one item under a key schema, in the schema's order.
struct KeyValues {
  std::span<const item::Value> partition;
  std::span<const item::Value> sort;
};

// The values of a schema's attributes in `attributes`; nothing where one is missing or of another type.
[[nodiscard]] std::optional<KeyValues> find_key_values(const KeySchema& schema, item::Attributes attributes,
                                                       base::Arena& arena);
[[nodiscard]] std::optional<KeyValues> find_key_values(const KeySchema& schema, const item::StoredItem& item,
                                                       base::Arena& arena);

// The row key of an item; the bytes live in the arena.
[[nodiscard]] std::string_view table_row_key(const Table& table, const KeyValues& key, base::Arena& arena);
[[nodiscard]] std::string_view index_row_key(const Table& table, const Index& index, const KeyValues& index_key,
                                             const KeyValues& table_key, base::Arena& arena);
[[nodiscard]] std::string_view collection_key(const Table& table, std::span<const item::Value> partition,
                                              base::Arena& arena);

// Counters of a statistics row.
struct Statistics {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};

// System keys.
[[nodiscard]] std::string catalog_key(std::string_view table_name);
[[nodiscard]] std::string catalog_sequence_key();
[[nodiscard]] std::string catalog_change_key();  // every change of the catalog writes it, on a shared store
[[nodiscard]] std::string node_key(std::string_view node);
[[nodiscard]] std::string lease_key(std::uint8_t share);
// Says that a node may have outbox rows in a table: see outbox_marks.h. The prefix of all marks, one mark, and what it says.
[[nodiscard]] std::string outbox_marks_key();
[[nodiscard]] std::string outbox_mark_key(TableId table, std::string_view node, std::uint64_t number);
struct OutboxMark {
  TableId table = 0;
  std::string_view node;
};
[[nodiscard]] OutboxMark read_outbox_mark_key(std::string_view key);
[[nodiscard]] std::string dropped_table_key(TableId table);
[[nodiscard]] std::string retired_streams_key(TableId table);
[[nodiscard]] std::string build_progress_key(TableId table, std::uint8_t space);
[[nodiscard]] std::string token_key(std::string_view token);
[[nodiscard]] std::string token_expiry_key(std::int64_t expiry_ms, std::string_view token);
[[nodiscard]] std::string statistics_key(TableId table, IndexId index);

}  // namespace stator::engine
