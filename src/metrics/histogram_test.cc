#include "metrics/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace stator::metrics {
namespace {

TEST(Histogram, BucketsAreInOrderAndHaveNoGaps) {
  for (std::size_t bucket = 0; bucket + 1 < kBucketCount; ++bucket) {
    EXPECT_EQ(bucket_of(bucket_begin(bucket)), bucket);
    EXPECT_EQ(bucket_of(bucket_begin(bucket + 1) - 1), bucket);
  }
  EXPECT_EQ(bucket_of(UINT64_MAX), kBucketCount - 1);
}

TEST(Histogram, QuantilesAreWithinTheStatedError) {
  std::mt19937 random(42);
  std::lognormal_distribution<double> latencies(6, 2);
  SparseHistogram histogram;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::uint64_t>(std::min(latencies(random), 6e7));
    values.push_back(value);
    histogram.add(bucket_of(value), 1);
  }
  std::sort(values.begin(), values.end());
  for (const double fraction : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(std::ceil(fraction * 20'000)) - 1]);
    EXPECT_NEAR(histogram.quantile(fraction), exact, exact * kPercentileErrorMax + 1e-9) << fraction;
  }
}

TEST(Histogram, MergesByAdding) {
  SparseHistogram a;
  a.add(3, 2);
  a.add(100, 1);
  SparseHistogram b;
  b.add(50, 5);
  b.add(3, 1);
  a.merge(b);
  const std::vector<SparseHistogram::Entry> expected = {{3, 3}, {50, 5}, {100, 1}};
  EXPECT_EQ(a.entries(), expected);
  EXPECT_EQ(a.count(), 9U);
  EXPECT_EQ(SparseHistogram().quantile(0.5), 0);
}

}  // namespace
}  // namespace stator::metrics
