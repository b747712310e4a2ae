#include "engine/row_key.h"

#include <array>

#include "item/key_encoding.h"

namespace stator::engine {
namespace {

enum class SystemSpace : std::uint8_t {
  sequence = 1,
  catalog = 2,
  statistics = 3,
  dropped = 4,
  token = 5,
  token_expiry = 6,
  build_progress = 7,
  retired_streams = 8,
  catalog_change = 9,
  node = 10,
  lease = 11,
  outbox_mark = 12,
};

void put_u32(char* to, std::uint32_t value) noexcept {
  to[0] = static_cast<char>(value >> 24);
  to[1] = static_cast<char>(value >> 16);
  to[2] = static_cast<char>(value >> 8);
  to[3] = static_cast<char>(value);
}

std::uint32_t read_u32(std::string_view bytes) noexcept {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Row keys are built in one reused buffer per thread, then copied to the arena in their exact size.
base::Buffer& scratch() {
  thread_local base::Buffer buffer;
  buffer.clear();
  return buffer;
}

void append_parts(base::Buffer& out, std::span<const item::Value> values) {
  for (const item::Value& value : values) item::append_key_part(out, value);
}

std::string system_key(SystemSpace space) {
  std::string key(kSpaceBytes, '\0');
  key[4] = static_cast<char>(space);
  return key;
}

void append_u32(std::string& key, std::uint32_t value) {
  std::array<char, 4> bytes{};
  put_u32(bytes.data(), value);
  key.append(bytes.data(), bytes.size());
}

// `find` gives an attribute's value by name: from request attributes or from a stored item.
template <class Find>
std::optional<KeyValues> collect_key_values(const KeySchema& schema, base::Arena& arena, Find&& find) {
  const std::size_t count = schema.partition.size() + schema.sort.size();
  const std::span<item::Value> values = arena.array<item::Value>(count);
  std::size_t at = 0;
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *part) {
      const std::optional<item::Value> value = find(attribute.name);
      if (!value || !value->is(attribute.type)) return std::nullopt;
      values[at++] = *value;
    }
  }
  return KeyValues{values.first(schema.partition.size()), values.subspan(schema.partition.size())};
}

}  // namespace

TableId table_id_of(std::string_view key) { return read_u32(key); }

void append_space(base::Buffer& out, TableId table, std::uint8_t space) {
  char* to = out.prepare(kSpaceBytes);
  put_u32(to, table);
  to[4] = static_cast<char>(space);
  out.commit(kSpaceBytes);
}

SpaceBounds space_bounds(TableId table, std::uint8_t space) {
  base::Buffer from;
  append_space(from, table, space);
  base::Buffer to;
  append_space(to, table, static_cast<std::uint8_t>(space + 1));
  return {std::string(from.view()), std::string(to.view())};
}

void append_partition(base::Buffer& out, std::span<const item::Value> partition) {
  const std::size_t hash_at = out.size();
  out.prepare(4);
  out.commit(4);
  append_parts(out, partition);
  put_u32(out.data() + hash_at, item::partition_hash(out.view().substr(hash_at + 4)));
}

std::optional<KeyValues> find_key_values(const KeySchema& schema, item::Attributes attributes,
                                         base::Arena& arena) {
  return collect_key_values(schema, arena, [&](std::string_view name) -> std::optional<item::Value> {
    const item::Value* value = item::find(attributes, name);
    if (value == nullptr) return std::nullopt;
    return *value;
  });
}

std::optional<KeyValues> find_key_values(const KeySchema& schema, const item::StoredItem& item,
                                         base::Arena& arena) {
  return collect_key_values(schema, arena, [&](std::string_view name) { return item.find(name, arena); });
}

std::string_view table_row_key(const Table& table, const KeyValues& key, base::Arena& arena) {
  base::Buffer& out = scratch();
  append_space(out, table.id, 0);
  append_partition(out, key.partition);
  append_parts(out, key.sort);
  return arena.copy(out.view());
}

std::string_view index_row_key(const Table& table, const Index& index, const KeyValues& index_key,
                               const KeyValues& table_key, base::Arena& arena) {
  base::Buffer& out = scratch();
  append_space(out, table.id, index.id);
  append_partition(out, index_key.partition);
  append_parts(out, index_key.sort);
  append_parts(out, table_key.partition);
  append_parts(out, table_key.sort);
  return arena.copy(out.view());
}

std::string_view collection_key(const Table& table, std::span<const item::Value> partition,
                                base::Arena& arena) {
  base::Buffer& out = scratch();
  append_space(out, table.id, kCollectionSpace);
  append_partition(out, partition);
  return arena.copy(out.view());
}

std::string catalog_sequence_key() { return system_key(SystemSpace::sequence); }

std::string catalog_change_key() { return system_key(SystemSpace::catalog_change); }

std::string node_key(std::string_view node) { return system_key(SystemSpace::node).append(node); }

std::string lease_key(std::uint8_t share) {
  std::string key = system_key(SystemSpace::lease);
  key.push_back(static_cast<char>(share));
  return key;
}

std::string outbox_marks_key() { return system_key(SystemSpace::outbox_mark); }

std::string outbox_mark_key(TableId table, std::string_view node, std::uint64_t number) {
  std::string key = outbox_marks_key();
  append_u32(key, table);
  append_u32(key, static_cast<std::uint32_t>(number >> 32));
  append_u32(key, static_cast<std::uint32_t>(number));
  return key.append(node);
}

OutboxMark read_outbox_mark_key(std::string_view key) {
  constexpr std::size_t kNodeAt = kSpaceBytes + 4 + 8;
  if (key.size() < kNodeAt) return {};
  return {read_u32(key.substr(kSpaceBytes)), key.substr(kNodeAt)};
}

std::string catalog_key(std::string_view table_name) {
  return system_key(SystemSpace::catalog).append(table_name);
}

std::string dropped_table_key(TableId table) {
  std::string key = system_key(SystemSpace::dropped);
  append_u32(key, table);
  return key;
}

std::string retired_streams_key(TableId table) {
  std::string key = system_key(SystemSpace::retired_streams);
  append_u32(key, table);
  return key;
}

std::string build_progress_key(TableId table, std::uint8_t space) {
  std::string key = system_key(SystemSpace::build_progress);
  append_u32(key, table);
  key.push_back(static_cast<char>(space));
  return key;
}

std::string token_key(std::string_view token) { return system_key(SystemSpace::token).append(token); }

std::string token_expiry_key(std::int64_t expiry_ms, std::string_view token) {
  std::string key = system_key(SystemSpace::token_expiry);
  append_u32(key, static_cast<std::uint32_t>(expiry_ms >> 32));
  append_u32(key, static_cast<std::uint32_t>(expiry_ms));
  return key.append(token);
}

std::string statistics_key(TableId table, IndexId index) {
  std::string key = system_key(SystemSpace::statistics);
  append_u32(key, table);
  key.push_back(static_cast<char>(index));
  return key;
}

}  // namespace stator::engine
