#include "bench/load/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stator::bench {
namespace {

constexpr int kSubBits = 6;
constexpr std::uint64_t kSubBuckets = 1ULL << kSubBits;
// 2^40 ns is 18 minutes; anything longer lands in the last bucket.
constexpr int kMaxBits = 40;
constexpr std::size_t kBuckets = (kMaxBits - kSubBits + 1) * kSubBuckets;

}  // namespace

Histogram::Histogram() : buckets_(kBuckets, 0) {}

std::size_t Histogram::BucketOf(std::uint64_t nanoseconds) {
  if (nanoseconds < kSubBuckets) {
    return nanoseconds;
  }
  const int shift = std::bit_width(nanoseconds) - 1 - kSubBits;
  const std::size_t bucket = static_cast<std::size_t>(shift) * kSubBuckets + (nanoseconds >> shift);
  return std::min(bucket, kBuckets - 1);
}

std::uint64_t Histogram::UpperEnd(std::size_t bucket) {
  if (bucket < kSubBuckets) {
    return bucket;
  }
  const std::size_t shift = bucket / kSubBuckets - 1;
  const std::uint64_t top = bucket - shift * kSubBuckets;
  return ((top + 1) << shift) - 1;
}

void Histogram::Record(std::uint64_t nanoseconds) {
  ++buckets_[BucketOf(nanoseconds)];
  ++count_;
  sum_ += nanoseconds;
  max_ = std::max(max_, nanoseconds);
}

std::uint64_t Histogram::Quantile(double fraction) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank && seen > 0) {
      return std::min(UpperEnd(bucket), max_);
    }
  }
  return max_;
}

double Histogram::Mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

}  // namespace stator::bench
