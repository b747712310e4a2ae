#include "store/rocksdb/scan_cache.h"

#include <algorithm>
#include <cstring>

namespace stator::store {
namespace {

std::string_view collection_of(std::string_view key) noexcept {
  return key.substr(0, ScanCache::kCollectionBytes);
}

struct RowHead {
  std::uint32_t key_bytes;
  std::uint32_t value_bytes;
};

std::string& piece_buffer() {
  static thread_local std::string buffer;
  return buffer;
}

}  // namespace

ScanCache::ScanCache(std::size_t bytes_max)
    : pieces_({.bytes_max = bytes_max,
               .value_bytes_max = std::min(kPieceBytesMax, bytes_max / 16),
               .value_bytes_expected = 4096}) {}

void ScanCache::will_write(std::string_view key) noexcept {
  slots_.store(slots_.hash(collection_of(key)), ++number_);
}

void ScanCache::will_erase_range() noexcept { slots_.replace_all(++number_); }

void ScanCache::written(bool successfully) noexcept {
  if (successfully) {
    settled_.store(number_, std::memory_order_release);
  } else {
    usable_.store(false, std::memory_order_release);
  }
}

void ScanCache::recovered() noexcept {
  slots_.replace_all(++number_);
  settled_.store(number_, std::memory_order_release);
  usable_.store(true, std::memory_order_release);
}

ScanCache::Place ScanCache::place(Range range, Direction direction, std::uint8_t digest_kind) {
  Place place;
  if (range.from.size() < kCollectionBytes || range.to.size() < kCollectionBytes ||
      std::memcmp(range.from.data(), range.to.data(), kCollectionBytes) != 0) {
    return place;
  }
  if (!usable_.load(std::memory_order_acquire)) return place;
  static thread_local std::string name;
  name.assign(1, direction == Direction::ascending ? 'a' : 'd');
  name.push_back(static_cast<char>(digest_kind));
  const auto from_bytes = static_cast<std::uint32_t>(range.from.size());
  name.append(reinterpret_cast<const char*>(&from_bytes), sizeof from_bytes);
  name.append(range.from);
  name.append(range.to);
  place.cacheable_ = true;
  place.name_ = name;
  place.hash_ = slots_.hash(name);
  place.collection_ = slots_.hash(collection_of(range.from));
  place.version_ = slots_.load(place.collection_);
  place.settled_ = place.version_ <= settled_.load(std::memory_order_acquire);
  return place;
}

bool ScanCache::wanted(const Place& place) noexcept {
  if (!place.settled_) return false;
  const auto mark = static_cast<std::uint32_t>(place.hash_ >> 32) | 1;
  std::atomic<std::uint32_t>& seen = seen_[place.hash_ % kSeen];
  if (seen.load(std::memory_order_relaxed) == mark) return true;
  seen.store(mark, std::memory_order_relaxed);
  return false;
}

ScanPieceBuilder::ScanPieceBuilder() : bytes_(piece_buffer()) { bytes_.assign(1, '\0'); }

void ScanPieceBuilder::add(std::string_view key, std::string_view value) {
  if (bytes_.size() > ScanCache::kPieceBytesMax) return;
  const RowHead head{static_cast<std::uint32_t>(key.size()),
                     static_cast<std::uint32_t>(value.size())};
  bytes_.append(reinterpret_cast<const char*>(&head), sizeof head);
  bytes_.append(key);
  bytes_.append(value);
}

std::optional<std::string_view> ScanPieceBuilder::finish(bool complete) noexcept {
  if (bytes_.size() > ScanCache::kPieceBytesMax) return std::nullopt;
  bytes_.front() = complete ? '\1' : '\0';
  return bytes_;
}

bool ScanPiece::next(std::string_view& key, std::string_view& value) noexcept {
  if (rest_.empty()) return false;
  RowHead head;
  std::memcpy(&head, rest_.data(), sizeof head);
  key = {rest_.data() + sizeof head, head.key_bytes};
  value = {key.data() + key.size(), head.value_bytes};
  rest_.remove_prefix(sizeof head + head.key_bytes + head.value_bytes);
  return true;
}

}  // namespace stator::store
