#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "store/store.h"

namespace stator::store {

// Rows that were read lately, by hash: a hit costs a fraction of a search in RocksDB.
//
// Nothing is ever invalidated. An entry carries the version at which its value was read, and is
// used only while the key still has that version (VersionSlots): any write of the key, durable or
// in line, makes it a miss.
//
// All methods may be called from many threads, and none of them waits: a bucket that another thread
// is using is taken for a miss. Values that were given out stay until they are released, also when
// the entry is gone.
class RowCache {
 public:
  struct Limits {
    std::size_t bytes_max = 0;
    // Large values are left out: what they gain is small beside the copying.
    std::size_t value_bytes_max = 8192;
    std::size_t value_bytes_expected = 256;  // decides how many buckets there may be
  };
  explicit RowCache(Limits limits);
  ~RowCache();
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  // Sets `value` if the row is here with exactly this version.
  [[nodiscard]] bool find(std::uint64_t hash, std::string_view key, Version version,
                          Bytes& value) noexcept;
  // Has the processor fetch what find() will look at first, while something else is done.
  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(&bucket(hash), 1);
  }
  void insert(std::uint64_t hash, std::string_view key, Version version, std::string_view value);
  // Of a row that was written: gives its new value to the entry that is here, if there is one.
  // Whoever writes a row has mostly read it just before, and mostly someone reads it soon.
  void refresh(std::uint64_t hash, std::string_view key, Version version, std::string_view value);

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr int kWays = 6;

  // One allocation: this head, the key, the value. Changed only by who holds its bucket, and only
  // while the bucket is its one owner.
  struct Entry {
    std::atomic<std::uint32_t> owners{1};
    std::uint32_t key_bytes = 0;
    std::uint32_t value_bytes = 0;
    std::uint64_t hash = 0;
    Version version = 0;
    [[nodiscard]] char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
    [[nodiscard]] std::string_view key() noexcept { return {data(), key_bytes}; }
    [[nodiscard]] std::string_view value() noexcept { return {data() + key_bytes, value_bytes}; }
    [[nodiscard]] std::size_t bytes() const noexcept {
      return sizeof(Entry) + key_bytes + value_bytes;
    }
  };
  // One cache line. The tags spare a look at entries of other keys; `used` has a bit for each entry
  // that was found since the last round of evictions.
  struct alignas(64) Bucket {
    std::atomic<bool> taken;
    std::uint8_t used;
    std::uint8_t hand;
    std::uint16_t tags[kWays];
    Entry* entries[kWays];
  };
  static_assert(sizeof(Bucket) == 64);

  struct Unmap {
    std::size_t bytes;
    void operator()(Bucket* buckets) const noexcept;
  };
  class Hold;

  static void release(void* entry) noexcept;
  [[nodiscard]] static int way_of(const Bucket& bucket, std::uint64_t hash,
                                  std::string_view key) noexcept;
  [[nodiscard]] static Entry* make_entry(std::uint64_t hash, std::string_view key, Version version,
                                         std::string_view value);
  [[nodiscard]] Bucket& bucket(std::uint64_t hash) const noexcept {
    return buckets_[(hash >> 17) & mask_.load(std::memory_order_relaxed)];
  }
  [[nodiscard]] static int victim(Bucket& bucket) noexcept;
  void replace(Bucket& bucket, int way, Entry* entry) noexcept;
  [[nodiscard]] bool make_room(std::size_t bytes) noexcept;
  void grow() noexcept;

  const Limits limits_;
  const std::size_t buckets_max_;  // a power of two
  // Address space for all buckets; the system gives memory to those in use. The table starts small
  // and doubles as it fills. Doubling moves nothing: half of the entries are then looked for
  // elsewhere, and age away.
  std::unique_ptr<Bucket[], Unmap> buckets_;
  std::atomic<std::size_t> mask_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> entries_{0};
  std::atomic<std::size_t> hand_{0};
};

}  // namespace stator::store
