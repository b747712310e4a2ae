#include "capacity/bucket.h"

#include <gtest/gtest.h>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

// Takes single units at one moment until the bucket is closed.
int drain(Bucket& bucket, Ticks now) {
  int taken = 0;
  for (; bucket.open(now) && taken < 1'000'000; ++taken) bucket.charge(now, 2);
  return taken;
}

TEST(Bucket, GivesItsRateAndNoMore) {
  Bucket bucket;
  bucket.configure(100, 300, kTestStart);
  bucket.fill(1, kTestStart);
  EXPECT_EQ(100, drain(bucket, kTestStart));
  EXPECT_FALSE(bucket.open(kTestStart));
  EXPECT_EQ(100, drain(bucket, kTestStart + seconds(1)));
  EXPECT_EQ(50, drain(bucket, kTestStart + seconds(1.5)));
}

TEST(Bucket, KeepsThreeHundredSecondsAndNoMore) {
  Bucket bucket;
  bucket.configure(100, 300, kTestStart);
  bucket.fill(0, kTestStart);
  EXPECT_DOUBLE_EQ(29900, bucket.balance(kTestStart + seconds(299)));
  EXPECT_DOUBLE_EQ(30000, bucket.balance(kTestStart + seconds(300)));
  EXPECT_DOUBLE_EQ(30000, bucket.balance(kTestStart + seconds(86400)));
  EXPECT_EQ(30000, drain(bucket, kTestStart + seconds(86400)));
}

TEST(Bucket, LetsALargeRequestInAndRemembersTheDebt) {
  Bucket bucket;
  bucket.configure(1, 300, kTestStart);
  bucket.fill(1, kTestStart);
  bucket.charge(kTestStart, 800);  // 400 KB on a table of one unit
  EXPECT_NEAR(-399, bucket.balance(kTestStart), 1e-6);
  EXPECT_FALSE(bucket.open(kTestStart + seconds(399)));
  EXPECT_TRUE(bucket.open(kTestStart + seconds(399.1)));
}

TEST(Bucket, KeepsItsUnitsWhenTheRateChanges) {
  Bucket bucket;
  bucket.configure(100, 300, kTestStart);
  bucket.fill(100, kTestStart);  // 10,000 units
  bucket.configure(1000, 300, kTestStart);
  EXPECT_NEAR(10000, bucket.balance(kTestStart), 0.01);
  bucket.configure(10, 300, kTestStart);  // which holds 3,000
  EXPECT_NEAR(3000, bucket.balance(kTestStart), 0.01);
}

TEST(Bucket, WithoutARateIsAlwaysOpen) {
  Bucket bucket;
  bucket.configure(0, 1, kTestStart);
  for (int i = 0; i < 1000; ++i) bucket.charge(kTestStart, 1'000'000);
  EXPECT_TRUE(bucket.open(kTestStart));
}

TEST(Bucket, CountsHalfUnits) {
  Bucket bucket;
  bucket.configure(3, 1, kTestStart);  // a rate that no power of ten divides
  bucket.fill(1, kTestStart);
  int taken = 0;
  for (; bucket.open(kTestStart); ++taken) bucket.charge(kTestStart, 1);
  EXPECT_NEAR(6, taken, 1);  // six half units, or a seventh on the last tick's remainder
}

}  // namespace
}  // namespace stator::capacity
