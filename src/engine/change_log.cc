#include "engine/change_log.h"

#include "base/buffer.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"
#include "item/size.h"

namespace stator::engine {
namespace {

constexpr std::uint8_t kFormat = 1;
constexpr std::size_t kFixedBytes = 11;  // format, kind, by_service, created_ms
constexpr char kMarkerFormat = 2;
constexpr std::size_t kMarkerBytes = 17;  // format, roll, created_ms

void append_varint(base::Buffer& out, std::size_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void append_sized(base::Buffer& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

std::uint8_t shard_of(std::string_view row_key, std::uint8_t shards) {
  std::uint32_t hash = 0;
  for (std::size_t i = kSpaceBytes; i < kHashEnd; ++i) {
    hash = hash << 8 | static_cast<unsigned char>(row_key[i]);
  }
  return static_cast<std::uint8_t>((static_cast<std::uint64_t>(hash) * shards) >> 32);
}

std::string_view key_item(const ItemChange& change, base::Arena& arena) {
  const std::size_t count = change.key.partition.size() + change.key.sort.size();
  const std::span<item::Attribute> attributes = arena.array<item::Attribute>(count);
  std::size_t at = 0;
  for (std::size_t i = 0; i < change.key.partition.size(); ++i) {
    attributes[at++] = {change.table.key.partition[i].name, change.key.partition[i]};
  }
  for (std::size_t i = 0; i < change.key.sort.size(); ++i) {
    attributes[at++] = {change.table.key.sort[i].name, change.key.sort[i]};
  }
  return item::encode_item(attributes, arena);
}

bool read_sized(std::string_view& bytes, std::optional<item::StoredItem>& item) {
  std::uint32_t size = 0;
  if (!item::detail::read_varint(bytes, size) || size > bytes.size()) return false;
  if (size > 0) {
    const Result<item::StoredItem> opened = item::StoredItem::open(bytes.substr(0, size));
    if (!opened) return false;
    item = *opened;
  }
  bytes.remove_prefix(size);
  return true;
}

}  // namespace

std::string encode_marker(const ShardMarker& marker) {
  std::string stored(1, kMarkerFormat);
  for (const auto number : {marker.roll, static_cast<std::uint64_t>(marker.created_ms)}) {
    for (int shift = 56; shift >= 0; shift -= 8) stored.push_back(static_cast<char>(number >> shift));
  }
  return stored;
}

std::optional<ShardMarker> decode_marker(std::string_view stored) {
  if (stored.size() != kMarkerBytes || stored[0] != kMarkerFormat) return std::nullopt;
  std::uint64_t numbers[2] = {0, 0};
  for (std::size_t i = 1; i < kMarkerBytes; ++i) {
    std::uint64_t& number = numbers[(i - 1) / 8];
    number = number << 8 | static_cast<unsigned char>(stored[i]);
  }
  return ShardMarker{numbers[0], static_cast<std::int64_t>(numbers[1])};
}

std::size_t record_bytes(const ChangeRecord& record) {
  std::size_t bytes = 0;
  for (const auto* part : {&record.key, &record.before, &record.after}) {
    if (*part) bytes += (*part)->item_bytes();
  }
  return bytes;
}

std::string shard_prefix(TableId table, StreamId stream, std::uint8_t slot) {
  base::Buffer out;
  append_space(out, table, kStreamSpace);
  out.push_back(static_cast<char>(stream >> 8));
  out.push_back(static_cast<char>(stream));
  out.push_back(static_cast<char>(slot));
  return std::string(out.view());
}

void log_change(const ItemChange& change, store::Batch& batch, base::Arena& arena) {
  const Stream* stream = change.table.stream();
  if (stream == nullptr || (change.before == nullptr && change.after == nullptr)) return;
  if (change.before != nullptr && change.after != nullptr &&
      same_item(*change.before, *change.after, arena)) {
    return;  // a write that changes nothing leaves no record
  }
  const bool old_image = stream->view_type == "OLD_IMAGE" || stream->view_type == "NEW_AND_OLD_IMAGES";
  const bool new_image = stream->view_type == "NEW_IMAGE" || stream->view_type == "NEW_AND_OLD_IMAGES";
  const ChangeKind kind = change.before == nullptr  ? ChangeKind::insert
                          : change.after == nullptr ? ChangeKind::remove
                                                    : ChangeKind::modify;
  base::Buffer out;
  out.push_back(static_cast<char>(kFormat));
  out.push_back(static_cast<char>(kind));
  out.push_back(change.by_service ? 1 : 0);
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(change.now_ms >> shift));
  append_sized(out, key_item(change, arena));
  append_sized(out, old_image && change.before != nullptr ? change.before->bytes() : std::string_view());
  append_sized(out, new_image && change.after != nullptr ? change.after->bytes() : std::string_view());
  const std::string prefix =
      shard_prefix(change.table.id, stream->id, shard_of(change.row_key, stream->shards));
  batch.appends.push_back({arena.copy(std::string_view(prefix)), arena.copy(out.view())});
}

Result<ChangeRecord> decode_change(std::string_view stored) {
  const auto damaged = [] { return fail(ErrorCode::corruption, "a stream record is damaged"); };
  if (stored.size() < kFixedBytes || stored[0] != kFormat) return damaged();
  ChangeRecord record;
  record.kind = static_cast<ChangeKind>(stored[1]);
  record.by_service = stored[2] != 0;
  for (std::size_t i = 3; i < kFixedBytes; ++i) {
    record.created_ms = record.created_ms << 8 | static_cast<unsigned char>(stored[i]);
  }
  stored.remove_prefix(kFixedBytes);
  if (!read_sized(stored, record.key) || !read_sized(stored, record.before) ||
      !read_sized(stored, record.after) || !record.key) {
    return damaged();
  }
  return record;
}

}  // namespace stator::engine
