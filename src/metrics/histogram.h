#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stator::metrics {

// Buckets of a latency histogram over microseconds: exact up to 8, then eight to each power of two, so that a value taken
// from the middle of its bucket is off by 1/16 (6.25 %) at most. The last bucket takes everything from 2^26 us (67 s) on.
inline constexpr int kSubBits = 3;
inline constexpr std::size_t kSubBuckets = std::size_t{1} << kSubBits;
inline constexpr int kBitsMax = 26;
inline constexpr std::size_t kBucketCount = kSubBuckets * (kBitsMax - kSubBits + 1) + 1;
inline constexpr double kPercentileErrorMax = 1.0 / 16;

[[nodiscard]] constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
  if (value < kSubBuckets) return static_cast<std::size_t>(value);
  const int bits = std::bit_width(value);
  if (bits > kBitsMax) return kBucketCount - 1;
  const int shift = bits - 1 - kSubBits;
  return kSubBuckets * static_cast<std::size_t>(shift + 1) + ((value >> shift) & (kSubBuckets - 1));
}

// The smallest value of a bucket; that of the bucket behind the last one is where the last one begins.
[[nodiscard]] constexpr std::uint64_t bucket_begin(std::size_t bucket) noexcept {
  if (bucket < kSubBuckets) return bucket;
  const std::size_t shift = bucket / kSubBuckets - 1;
  return (kSubBuckets + bucket % kSubBuckets) << shift;
}

// A histogram with only its buckets that are not empty, in order.
class SparseHistogram {
 public:
  using Entry = std::pair<std::uint8_t, std::uint32_t>;  // bucket, count
  static_assert(kBucketCount <= 256);

  void add(std::size_t bucket, std::uint32_t count) {
    if (count == 0) return;
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), bucket,
                                        [](const Entry& entry, std::size_t wanted) { return entry.first < wanted; });
    if (place != entries_.end() && place->first == bucket) {
      place->second += count;
    } else {
      entries_.insert(place, {static_cast<std::uint8_t>(bucket), count});
    }
  }
  void merge(const SparseHistogram& other) {
    for (const auto& [bucket, count] : other.entries_) add(bucket, count);
  }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t sum = 0;
    for (const Entry& entry : entries_) sum += entry.second;
    return sum;
  }
  // The value below or at which `fraction` (0 to 1) of all values lie; 0 where there are none. Off by
  // kPercentileErrorMax of itself at most, for values below the last bucket.
  [[nodiscard]] double quantile(double fraction) const noexcept {
    const auto total = static_cast<double>(count());
    double seen = 0;
    for (const auto& [bucket, count] : entries_) {
      seen += count;
      if (seen >= fraction * total) return middle(bucket);
    }
    return 0;
  }
  [[nodiscard]] static constexpr double middle(std::size_t bucket) noexcept {
    if (bucket < kSubBuckets || bucket + 1 >= kBucketCount) return static_cast<double>(bucket_begin(bucket));
    return static_cast<double>(bucket_begin(bucket) + bucket_begin(bucket + 1)) / 2;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace stator::metrics
