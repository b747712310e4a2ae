#include "capacity/settings.h"

#include <gtest/gtest.h>

namespace stator::capacity {
namespace {

TEST(Partitions, ForProvisionedThroughput) {
  struct Case {
    std::int64_t read, write;
    int count;
  };
  constexpr Case kCases[] = {{1, 1, 1},       {3000, 0, 1},   {3001, 0, 2},    {1500, 500, 1},    {1500, 501, 2},
                             {3000, 1000, 2}, {0, 10000, 10}, {7500, 1500, 4}, {40000, 40000, 54}};
  for (const Case& c : kCases)
    EXPECT_EQ(c.count, partitions_for_provisioned({c.read, c.write}, Tuning{})) << c.read << "/" << c.write;
  EXPECT_EQ(Tuning{}.partitions_max, partitions_for_provisioned({INT64_MAX, INT64_MAX}, Tuning{}));
}

TEST(Partitions, ForOnDemandThroughput) {
  EXPECT_EQ(4, partitions_for_on_demand(kOnDemandAtBirth, Tuning{}));
  EXPECT_EQ(5, partitions_for_on_demand({12001, 4000}, Tuning{}));
  EXPECT_EQ(14, partitions_for_on_demand({40000, 4000}, Tuning{}));
}

TEST(Partitions, ForSize) {
  EXPECT_EQ(1, partitions_for_size(0));
  EXPECT_EQ(1, partitions_for_size(kPartitionBytes));
  EXPECT_EQ(2, partitions_for_size(kPartitionBytes + 1));
  EXPECT_EQ(50, partitions_for_size(500ULL << 30));
}

TEST(PeakTracker, CountsANewPeakHalfAnHourLater) {
  PeakTracker peaks({.read = 6000, .write = 2000});
  for (int minute = 0; minute < 30; ++minute)
    EXPECT_FALSE(peaks.minute(minute, 0, minute == 3 ? 3900 : 3000, Tuning{}));
  EXPECT_TRUE(peaks.minute(30, 0, 3000, Tuning{}));
  EXPECT_EQ((Throughput{6000, 3900}), peaks.previous());
}

TEST(PeakTracker, KeepsItsPeakInQuietTimes) {
  PeakTracker peaks({.read = 6000, .write = 2000});
  for (int minute = 0; minute < 1440; ++minute) EXPECT_FALSE(peaks.minute(minute, 10, 10, Tuning{}));
  EXPECT_EQ((Throughput{6000, 2000}), peaks.previous());
}

}  // namespace
}  // namespace stator::capacity
