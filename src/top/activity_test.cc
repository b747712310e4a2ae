#include "top/activity.h"

#include <gtest/gtest.h>

namespace stator::top {
namespace {

constexpr std::string_view kBefore =
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"0.001\"} 10\n"
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"0.002\"} 10\n"
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"+Inf\"} 10\n"
    "stator_consumed_read_capacity_units_total{table=\"t\"} 5\n"
    "stator_would_throttle_total{table=\"t\",index=\"g\",reason=\"IndexReadKeyRangeThroughputExceeded\"} 3\n";
constexpr std::string_view kAfter =
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"0.001\"} 60\n"
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"0.002\"} 110\n"
    "stator_request_duration_seconds_bucket{table=\"t\",operation=\"GetItem\",le=\"+Inf\"} 110\n"
    "stator_consumed_read_capacity_units_total{table=\"t\"} 65\n"
    "stator_would_throttle_total{table=\"t\",index=\"g\",reason=\"IndexReadKeyRangeThroughputExceeded\"} 7\n"
    "stator_partitions{table=\"t\"} 4\n";

TEST(Activity, IsWhatHappenedBetweenTwoLooks) {
  const Activity activity = activity_between(parse_samples(kBefore), parse_samples(kAfter), 2);
  const TableActivity& table = activity.at({"t", ""});
  EXPECT_EQ(table.requests_per_s, 50);
  EXPECT_EQ(table.read_units_per_s, 30);
  EXPECT_NEAR(table.p50_ms, 1, 1e-9);
  EXPECT_NEAR(table.p99_ms, 1.98, 1e-9);
  EXPECT_EQ(table.operations.at("GetItem").requests_per_s, 50);
  EXPECT_EQ(table.partitions, 4);
  const TableActivity& index = activity.at({"t", "g"});
  EXPECT_EQ(index.would_throttle_per_s, 2);
  EXPECT_EQ(index.would_throttle, 7u);
  EXPECT_EQ(index.reasons.at("IndexReadKeyRangeThroughputExceeded"), 7u);
}

TEST(Activity, CountersOfAServerThatWasStartedAgainCountFromZero) {
  const Activity activity = activity_between(parse_samples(kAfter), parse_samples(kBefore), 1);
  EXPECT_EQ(activity.at({"t", ""}).requests_per_s, 10);
  EXPECT_EQ(activity.at({"t", ""}).read_units_per_s, 5);
}

}  // namespace
}  // namespace stator::top
