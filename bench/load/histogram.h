// A latency histogram with a bounded relative error and no allocation while recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stator::bench {

// Counts durations in nanoseconds. Each power of two is split into 64 buckets, so a reported
// quantile is at most 1.6 % above the true one.
class Histogram {
 public:
  Histogram();

  void Record(std::uint64_t nanoseconds);

  // The smallest recorded duration that at least `fraction` of all durations do not exceed,
  // rounded up to its bucket's upper end. 0 when nothing was recorded.
  std::uint64_t Quantile(double fraction) const;

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }
  double Mean() const;

 private:
  static std::size_t BucketOf(std::uint64_t nanoseconds);
  static std::uint64_t UpperEnd(std::size_t bucket);

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace stator::bench
