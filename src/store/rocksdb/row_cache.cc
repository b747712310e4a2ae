#include "store/rocksdb/row_cache.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace stator::store {
namespace {

constexpr std::size_t kBucketsMin = 1024;
constexpr std::size_t kLinesAhead = 4;  // a usual row; lines behind it do no harm

}  // namespace

// Has a bucket to itself, or not: it never waits.
class RowCache::Hold {
 public:
  explicit Hold(Bucket& bucket) noexcept
      : bucket_(bucket), held_(!bucket.taken.exchange(true, std::memory_order_acquire)) {}
  ~Hold() {
    if (held_) bucket_.taken.store(false, std::memory_order_release);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  explicit operator bool() const noexcept { return held_; }

 private:
  Bucket& bucket_;
  const bool held_;
};

RowCache::RowCache(Limits limits)
    : limits_(limits),
      buckets_max_(std::max(
          kBucketsMin, std::bit_floor(limits.bytes_max / limits.value_bytes_expected / kWays))),
      mask_(kBucketsMin - 1) {
  const std::size_t bytes = buckets_max_ * sizeof(Bucket);
  // Fresh pages are zero, and zero is an empty bucket.
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  buckets_ = {static_cast<Bucket*>(pages), {bytes}};
}

void RowCache::Unmap::operator()(Bucket* buckets) const noexcept { ::munmap(buckets, bytes); }

RowCache::~RowCache() {
  for (std::size_t i = 0; i <= mask_; ++i) {
    for (Entry* entry : buckets_[i].entries) {
      if (entry != nullptr) release(entry);
    }
  }
}

void RowCache::release(void* owner) noexcept {
  auto* entry = static_cast<Entry*>(owner);
  if (entry->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  entry->~Entry();
  ::operator delete(entry);
}

// The place of the key's entry, whatever its version; kWays if there is none. With the bucket held.
int RowCache::way_of(const Bucket& bucket, std::uint64_t hash, std::string_view key) noexcept {
  const auto tag = static_cast<std::uint16_t>(hash >> 48);
  for (int way = 0; way < kWays; ++way) {
    Entry* entry = bucket.entries[way];
    if (bucket.tags[way] != tag || entry == nullptr) continue;
    // Nearly always the one; the lines of its value come together instead of one after the other.
    for (std::size_t line = 1; line <= kLinesAhead; ++line) {
      __builtin_prefetch(reinterpret_cast<const char*>(entry) + line * 64);
    }
    if (entry->hash == hash && entry->key() == key) return way;
  }
  return kWays;
}

RowCache::Entry* RowCache::make_entry(std::uint64_t hash, std::string_view key, Version version,
                                      std::string_view value) {
  auto* entry = new (::operator new(sizeof(Entry) + key.size() + value.size())) Entry;
  entry->key_bytes = static_cast<std::uint32_t>(key.size());
  entry->value_bytes = static_cast<std::uint32_t>(value.size());
  entry->hash = hash;
  entry->version = version;
  std::copy(key.begin(), key.end(), entry->data());
  std::copy(value.begin(), value.end(), entry->data() + key.size());
  return entry;
}

bool RowCache::find(std::uint64_t hash, std::string_view key, Version version,
                    Bytes& value) noexcept {
  Bucket& at = bucket(hash);
  const Hold hold(at);
  if (!hold) return false;
  const int way = way_of(at, hash, key);
  if (way == kWays || at.entries[way]->version != version) return false;
  Entry* entry = at.entries[way];
  entry->owners.fetch_add(1, std::memory_order_relaxed);
  at.used = static_cast<std::uint8_t>(at.used | (1u << way));
  value = Bytes(entry->value(), entry, release);
  return true;
}

void RowCache::insert(std::uint64_t hash, std::string_view key, Version version,
                      std::string_view value) {
  if (value.size() > limits_.value_bytes_max) return;
  if (!make_room(sizeof(Entry) + key.size() + value.size())) return;
  Bucket& at = bucket(hash);
  const Hold hold(at);
  if (!hold) return;
  int way = way_of(at, hash, key);
  if (way == kWays) way = victim(at);  // unless an older version of the row makes room
  replace(at, way, make_entry(hash, key, version, value));
  at.tags[way] = static_cast<std::uint16_t>(hash >> 48);
  // Grows early: at two entries for six places few buckets run over, and a row that finds no place costs more
  // than a bucket.
  if (entries_.load(std::memory_order_relaxed) > 2 * (mask_.load(std::memory_order_relaxed) + 1))
    grow();
}

void RowCache::refresh(std::uint64_t hash, std::string_view key, Version version,
                       std::string_view value) {
  Bucket& at = bucket(hash);
  const Hold hold(at);
  if (!hold) return;
  const int way = way_of(at, hash, key);
  if (way == kWays) return;
  Entry* entry = at.entries[way];
  const bool was_used = (at.used & (1u << way)) != 0;
  if (entry->value_bytes == value.size() && entry->owners.load(std::memory_order_acquire) == 1) {
    entry->version = version;
    std::copy(value.begin(), value.end(), entry->data() + key.size());
    return;
  }
  const std::size_t limit = limits_.bytes_max + entry->bytes();
  const bool fits = value.size() <= limits_.value_bytes_max &&
                    bytes() + sizeof(Entry) + key.size() + value.size() <= limit;
  replace(at, way, fits ? make_entry(hash, key, version, value) : nullptr);
  if (was_used && fits) at.used = static_cast<std::uint8_t>(at.used | (1u << way));
}

// An empty place, or the first entry behind the hand that was not used for a round.
int RowCache::victim(Bucket& bucket) noexcept {
  for (int way = 0; way < kWays; ++way) {
    if (bucket.entries[way] == nullptr) return way;
  }
  for (;;) {
    const int way = bucket.hand;
    bucket.hand = static_cast<std::uint8_t>((bucket.hand + 1) % kWays);
    const unsigned bit = 1u << way;
    if ((bucket.used & bit) == 0) return way;
    bucket.used = static_cast<std::uint8_t>(bucket.used & ~bit);
  }
}

// With the bucket held. `entry` may be null.
void RowCache::replace(Bucket& bucket, int way, Entry* entry) noexcept {
  Entry* before = std::exchange(bucket.entries[way], entry);
  bucket.used = static_cast<std::uint8_t>(bucket.used & ~(1u << way));
  if (entry != nullptr) {
    bytes_.fetch_add(entry->bytes(), std::memory_order_relaxed);
    entries_.fetch_add(1, std::memory_order_relaxed);
  }
  if (before != nullptr) {
    bytes_.fetch_sub(before->bytes(), std::memory_order_relaxed);
    entries_.fetch_sub(1, std::memory_order_relaxed);
    release(before);
  }
}

// Evicts what was not used since the hand came by last. Gives up soon: then the row is just not
// cached.
bool RowCache::make_room(std::size_t bytes) noexcept {
  constexpr int kBucketsVisitedMax = 32;
  for (int i = 0; i < kBucketsVisitedMax; ++i) {
    if (this->bytes() + bytes <= limits_.bytes_max) return true;
    Bucket& at = buckets_[hand_.fetch_add(1, std::memory_order_relaxed) &
                          mask_.load(std::memory_order_relaxed)];
    const Hold hold(at);
    if (!hold) continue;
    for (int way = 0; way < kWays; ++way) {
      if (at.entries[way] != nullptr && (at.used & (1u << way)) == 0) replace(at, way, nullptr);
    }
    at.used = 0;
  }
  return this->bytes() + bytes <= limits_.bytes_max;
}

void RowCache::grow() noexcept {
  std::size_t mask = mask_.load(std::memory_order_relaxed);
  if (mask + 1 < buckets_max_)
    mask_.compare_exchange_strong(mask, mask * 2 + 1, std::memory_order_relaxed);
}

}  // namespace stator::store
