#include "capacity/change_limits.h"

#include <gtest/gtest.h>

namespace stator::capacity {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMidnight = 1'791'417'600'000;  // 2026-10-08 00:00 UTC

TEST(ChangeLimits, WritesTimesAsTheServiceDoes) {
  EXPECT_EQ("Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time",
            long_utc_time(kMidnight + 23 * kHour + 20 * kMinute + 48'000));
  EXPECT_EQ("Friday, October 9, 2026 at 12:00:00 AM Coordinated Universal Time", long_utc_time(kMidnight + kDay));
  EXPECT_EQ("Sat Feb 23 03:07:45 UTC 2019", short_utc_time(1'550'891'265'000));
}

TEST(DecreaseBudget, AllowsFourThenNamesTheNextTime) {
  DecreaseBudget budget;
  const std::int64_t now = kMidnight + 23 * kHour + 20 * kMinute + 48'000;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(budget.change({10, 10}, {9, 9}, now));
  const Result<void> fifth = budget.change({9, 9}, {8, 8}, now);
  ASSERT_FALSE(fifth);
  EXPECT_EQ(ErrorCode::limit_exceeded, fifth.error().code);
  EXPECT_EQ(
      "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the "
      "first 4 "
      "decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "
      "Number of "
      "decreases today: 4. Last decrease at Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time. "
      "Next "
      "decrease can be made at Friday, October 9, 2026 at 12:00:00 AM Coordinated Universal Time.",
      fifth.error().message);
  EXPECT_EQ(4, budget.decreases_today(now));
  EXPECT_TRUE(budget.change({9, 9}, {8, 8}, kMidnight + kDay)) << "a new day";
  EXPECT_EQ(1, budget.decreases_today(kMidnight + kDay));
}

TEST(DecreaseBudget, AllowsTwentySevenADay) {
  DecreaseBudget budget;
  int allowed = 0;
  for (std::int64_t now = kMidnight; now < kMidnight + kDay; now += kMinute)
    allowed += budget.change({2, 2}, {1, 1}, now).has_value();
  EXPECT_EQ(27, allowed);
}

TEST(DecreaseBudget, LeavesIncreasesAlone) {
  DecreaseBudget budget;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(budget.change({1, 1}, {2, 1}, kMidnight + i));
  EXPECT_EQ(0, budget.decreases_today(kMidnight));
  EXPECT_EQ(kMidnight + 99, budget.last_increase_ms);
  ASSERT_TRUE(budget.change({2, 2}, {3, 1}, kMidnight)) << "mixed";
  EXPECT_EQ(1, budget.decreases_today(kMidnight));
}

TEST(DecreaseBudget, DoesNotWaitForAClockThatWasSetBack) {
  DecreaseBudget budget;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(budget.change({10, 10}, {9, 9}, kMidnight + 20 * kHour));
  EXPECT_TRUE(budget.change({9, 9}, {8, 8}, kMidnight + 2 * kHour));
}

TEST(ModeSwitches, AreFourInAnyDay) {
  ModeSwitches switches;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(switches.switch_to_on_demand(kMidnight + i * kHour));
  const Result<void> fifth = switches.switch_to_on_demand(kMidnight + 10 * kHour);
  ASSERT_FALSE(fifth);
  EXPECT_EQ(ErrorCode::limit_exceeded, fifth.error().code);
  EXPECT_EQ(
      "Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 times in 1 day(s). Last update at "
      "Thu Oct 08 "
      "03:00:00 UTC 2026. Next update can be made at Fri Oct 09 00:00:00 UTC 2026",
      fifth.error().message);
  EXPECT_TRUE(switches.switch_to_on_demand(kMidnight + kDay));
  EXPECT_FALSE(switches.switch_to_on_demand(kMidnight + kDay)) << "the window rolls";
  EXPECT_TRUE(switches.switch_to_on_demand(kMidnight + kDay + kHour));
}

TEST(Quota, IsPerTableAndPerAccount) {
  const AccountQuota quota;
  EXPECT_TRUE(check_quota(quota, {40000, 40000}, {40000, 40000}, "us-east-1", ""));
  EXPECT_EQ(
      "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. Per "
      "table maximum: "
      "40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
      check_quota(quota, {40001, 1}, {}, "us-east-1", "").error().message);
  EXPECT_EQ(
      "The requested WriteCapacityUnits for index gsi1, 50000, is above the per index maximum for the account in "
      "us-east-1. Per "
      "index maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
      "higher limits.",
      check_quota(quota, {1, 50000}, {}, "us-east-1", "gsi1").error().message);
  EXPECT_EQ(
      "This request would have caused the WriteCapacityUnits limit to be exceeded for the account in us-east-1. "
      "Current "
      "WriteCapacityUnits reserved by the account: 79999. Limit: 80000. Requested: 2. Refer to the Amazon DynamoDB "
      "Developer "
      "Guide for current limits and how to request higher limits.",
      check_quota(quota, {1, 2}, {0, 79999}, "us-east-1", "").error().message);
}

TEST(Warm, OnlyGoesUp) {
  const AccountQuota quota;
  Settings on_demand;
  EXPECT_TRUE(check_warm(on_demand, {}, {12000, 4000}, quota, "us-east-1", ""));
  EXPECT_TRUE(check_warm(on_demand, {12000, 4000}, {0, 4001}, quota, "us-east-1", "")) << "one direction alone";
  EXPECT_TRUE(check_warm(on_demand, {}, {11999, 4000}, quota, "us-east-1", "")
                  .error()
                  .message.starts_with(
                      "One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput "
                      "for table is lower than initial throughput for OnDemand."));
  EXPECT_EQ(
      "One or more parameter values were invalid: Requested WriteUnitsPerSecond for WarmThroughput for table is "
      "lower than "
      "current WarmThroughput, decreasing WarmThroughput is not supported",
      check_warm(on_demand, {12000, 5000}, {12000, 4999}, quota, "us-east-1", "").error().message);
  EXPECT_EQ(
      "Subscriber limit exceeded: Requested ReadUnitsPerSecond for WarmThroughput for index gsi1 exceeds "
      "TableMaxReadCapacityUnits of the account in region us-east-1",
      check_warm(on_demand, {12000, 4000}, {40001, 4000}, quota, "us-east-1", "gsi1").error().message);
  Settings provisioned;
  provisioned.billing = BillingMode::provisioned;
  provisioned.provisioned = {10, 10};
  EXPECT_EQ(
      "One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput for table is lower "
      "than "
      "ReadCapacityUnits of ProvisionedThroughput",
      check_warm(provisioned, {}, {5, 5}, quota, "us-east-1", "").error().message);
}

}  // namespace
}  // namespace stator::capacity
