#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/rocksdb/row_cache.h"
#include "store/store.h"
#include "store/version_slots.h"

namespace stator::store {

// The rows of short ranges that are scanned again and again, each range as one piece of memory:
// walking through it costs a fraction of what RocksDB's iterators cost for the same rows. For visitors
// that make a digest of all rows of a range the piece is that digest.
//
// Keys that share their first bytes form a collection, and a range inside one collection can be
// kept. Nothing is ever invalidated: a slot for each collection (by hash) has the number of the last
// write into it, and rows are used only while that is the number at which they were read.
//
// Writes are numbered by the writer before they reach RocksDB and settled after; rows are kept only
// if everything up to their number was settled before they were read. So a piece holds what some
// moment had after the last write that was answered.
//
// Readers may be on any thread; there is one writer at a time.
class ScanCache {
 public:
  // What the keys of a collection have in common. For the engine: table, index, hash.
  static constexpr std::size_t kCollectionBytes = 9;
  static constexpr std::size_t kPieceBytesMax = 128 * 1024;

  explicit ScanCache(std::size_t bytes_max);

  // Of the writer: before a group is written, for each key; then once what became of the group.
  void will_write(std::string_view key) noexcept;
  void will_erase_range() noexcept;
  void written(bool successfully) noexcept;
  // After a group failed nothing is kept and nothing found until this is called.
  void recovered() noexcept;

  // Where a scan stands in the cache.
  class Place {
   public:
    [[nodiscard]] bool cacheable() const noexcept { return cacheable_; }

   private:
    friend class ScanCache;
    bool cacheable_ = false;
    bool settled_ = false;
    std::uint64_t collection_ = 0;
    std::uint64_t hash_ = 0;
    Version version_ = 0;
    std::string_view name_;  // range, direction, kind; of the thread, until its next place()
  };
  [[nodiscard]] Place place(Range range, Direction direction, std::uint8_t digest_kind = 0);

  [[nodiscard]] bool find(const Place& place, Bytes& piece) noexcept {
    return pieces_.find(place.hash_, place.name_, place.version_, piece);
  }
  // Whether nothing was written to the collection since place().
  [[nodiscard]] bool is_current(const Place& place) const noexcept {
    return slots_.load(place.collection_) == place.version_;
  }
  // Whether a scan that was not found should be kept: when it comes for the second time.
  [[nodiscard]] bool wanted(const Place& place) noexcept;
  void insert(const Place& place, std::string_view piece) {
    if (is_current(place)) pieces_.insert(place.hash_, place.name_, place.version_, piece);
  }

 private:
  static constexpr std::size_t kSeen = 8192;

  VersionSlots slots_;  // of collections
  RowCache pieces_;
  std::array<std::atomic<std::uint32_t>, kSeen> seen_{};  // hashes of scans that were not found
  std::atomic<Version> settled_{0};
  std::atomic<bool> usable_{true};
  Version number_ = 0;  // of the writer
};

// Gathers the rows of a scan into a piece.
class ScanPieceBuilder {
 public:
  // Uses a buffer of the thread: one builder at a time.
  ScanPieceBuilder();
  void add(std::string_view key, std::string_view value);
  // The piece; nothing where it has become too large. `complete`: the range has no more rows.
  [[nodiscard]] std::optional<std::string_view> finish(bool complete) noexcept;

 private:
  std::string& bytes_;
};

// Walks through a piece.
class ScanPiece {
 public:
  explicit ScanPiece(std::string_view piece) noexcept
      : rest_(piece.substr(1)), complete_(piece.front() != 0) {}
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] bool next(std::string_view& key, std::string_view& value) noexcept;

 private:
  std::string_view rest_;
  bool complete_;
};

}  // namespace stator::store
