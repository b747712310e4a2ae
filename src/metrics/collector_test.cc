#include "metrics/collector.h"

#include <gtest/gtest.h>

#include <thread>

#include "metrics/prometheus.h"
#include "metrics/statistics.h"
#include "metrics/test_support.h"
#include "metrics/usage.h"

namespace stator::metrics {
namespace {

TEST(Collector, AddsUpWhatAllThreadsCounted) {
  Meters meters;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10'000; ++n) meters.read_items("app", 1);
    });
  }
  for (int i = 0; i < 50; ++i) meters.collector->collect();  // while they count
  for (std::thread& thread : threads) thread.join();
  meters.collector->collect();
  const std::vector<Point> points = meters.read({Metric::consumed_read_units, "app"});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].sum, 40'000);
  EXPECT_EQ(points[0].count, 40'000);
  EXPECT_EQ(points[0].min, 1);
  EXPECT_EQ(points[0].max, 1);
}

TEST(Usage, CountsARequestForEachTableItTouched) {
  Meters meters;
  RequestUsage usage;
  usage.begin(meters.hub.local());
  usage.consumed(usage.touch({1, "a"}), Units::write, 4);
  usage.consumed(usage.touch({2, "b"}), {1, "GSI1"}, Units::write, 2);
  usage.touch({1, "a"});
  usage.finish(Operation::batch_write_item, Outcome::success, 1500);
  EXPECT_EQ(usage.write_half_units, 6);
  meters.collector->collect();
  for (const char* table : {"a", "b"}) {
    const auto latency = meters.read({Metric::successful_request_latency, table, "BatchWriteItem"});
    ASSERT_EQ(latency.size(), 1U) << table;
    EXPECT_EQ(latency[0].count, 1);
    EXPECT_EQ(latency[0].sum, 1500);
  }
  EXPECT_EQ(meters.read({Metric::consumed_write_units, "b", "GSI1"})[0].sum, 2);
  EXPECT_TRUE(meters.read({Metric::consumed_write_units, "b"}).empty());
}

TEST(Usage, CountsEachKindOfErrorInItsOwnMetric) {
  Meters meters;
  RequestUsage usage;
  for (const Outcome outcome : {Outcome::user_error, Outcome::condition_failed, Outcome::transaction_conflict,
                                Outcome::throttled, Outcome::system_error}) {
    usage.begin(meters.hub.local());
    usage.touch({1, "app"});
    usage.finish(Operation::put_item, outcome, 10);
  }
  meters.collector->collect();
  EXPECT_EQ(meters.read({Metric::user_errors}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::conditional_check_failed, "app"}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::transaction_conflict, "app"}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::throttled_requests, "app", "PutItem"}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::system_errors, "app", "PutItem"}).at(0).sum, 1);
  EXPECT_TRUE(meters.read({Metric::successful_request_latency, "app", "PutItem"}).empty());
}

TEST(Collector, CountsThrottlesByReasonAndInAll) {
  Meters meters;
  Recorder& recorder = meters.hub.local();
  recorder.throttled({1, "app"}, Units::write, ThrottleReason::key_range);
  recorder.throttled({1, "app"}, Units::write, ThrottleReason::provisioned);
  recorder.throttled({1, "app"}, {3, "GSI1"}, Units::read, ThrottleReason::on_demand_maximum);
  meters.collector->collect();
  EXPECT_EQ(meters.read({Metric::write_throttle_events, "app"}).at(0).sum, 2);
  EXPECT_EQ(meters.read({Metric::write_key_range_throttle_events, "app"}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::read_on_demand_throttle_events, "app", "GSI1"}).at(0).sum, 1);
  EXPECT_EQ(meters.read({Metric::read_throttle_events, "app", "GSI1"}).at(0).sum, 1);
}

TEST(Collector, ForgetsCountersOfTablesThatNobodyUses) {
  Meters meters;
  for (std::uint32_t id = 1; id <= 50; ++id) meters.read_items("gone", 1, id);
  for (int minute = 0; minute < 30; ++minute) {
    ASSERT_TRUE(meters.collector->tick());
    meters.read_items("app", 1, 1000 + static_cast<std::uint32_t>(minute));  // a new table, so that there is a sweep
    meters.clock.advance_minutes(1);
  }
  // Nothing was lost on the way.
  ASSERT_TRUE(meters.collector->tick());
  std::int64_t sum = 0;
  for (const Point& point : meters.read({Metric::consumed_read_units, "gone"})) sum += point.sum;
  EXPECT_EQ(sum, 50);
}

TEST(Collector, ReadsGaugesEveryFiveMinutes) {
  Meters meters;
  meters.collector->set_gauges([](const auto& set) { set({Metric::provisioned_read_units, "app"}, 7); });
  for (int minute = 0; minute < 11; ++minute) {
    ASSERT_TRUE(meters.collector->tick());
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(1);
  }
  const auto points = meters.read({Metric::provisioned_read_units, "app"});
  EXPECT_EQ(points.size(), 3U);
  EXPECT_EQ(points.at(0).max, 7);
  EXPECT_EQ(points.at(0).count, 1);
}

TEST(Statistics, AreThoseOfTheService) {
  Point total;
  total.merge({.count = 2, .sum = 3, .min = 1, .max = 2});
  const Definition& units = definition(Metric::consumed_read_units);  // kept in halves
  EXPECT_EQ(Statistic::parse("Sum")->value(total, units), 1.5);
  EXPECT_EQ(Statistic::parse("Average")->value(total, units), 0.75);
  EXPECT_EQ(Statistic::parse("Minimum")->value(total, units), 0.5);
  EXPECT_EQ(Statistic::parse("Maximum")->value(total, units), 1.0);
  EXPECT_EQ(Statistic::parse("SampleCount")->value(total, units), 2);
  EXPECT_TRUE(Statistic::parse("p99.9"));
  for (const char* name : {"", "p", "p101", "p-1", "px", "sum", "tm99"}) EXPECT_FALSE(Statistic::parse(name)) << name;
}

TEST(Statistics, AddUpPeriodsFromTheirOrigin) {
  std::vector<Point> points;
  for (const Minute minute : {10, 11, 14, 15, 21}) points.push_back({.minute = minute, .count = 1, .sum = minute});
  const std::vector<Aggregate> periods = aggregate(points, 10 * 60, 300);
  ASSERT_EQ(periods.size(), 3U);
  EXPECT_EQ(periods[0].total.sum, 35);
  EXPECT_EQ(periods[1].begin_s, 15 * 60);
  EXPECT_EQ(periods[2].total.sum, 21);
}

TEST(Prometheus, WritesHistogramsAndCounters) {
  Meters meters;
  RequestUsage usage;
  for (const std::int64_t latency_us : {50, 100, 3000}) {
    usage.begin(meters.hub.local());
    usage.consumed(usage.touch({1, "a\"b"}), Units::read, 1);
    usage.finish(Operation::get_item, Outcome::success, latency_us);
  }
  meters.collector->collect();
  const std::string text = prometheus_text(meters.collector->totals());
  for (const char* line :
       {"# TYPE stator_request_duration_seconds histogram\n",
        "stator_request_duration_seconds_bucket{table=\"a\\\"b\",operation=\"GetItem\",le=\"6.4e-05\"} 1\n",
        "stator_request_duration_seconds_bucket{table=\"a\\\"b\",operation=\"GetItem\",le=\"0.000128\"} 2\n",
        "stator_request_duration_seconds_bucket{table=\"a\\\"b\",operation=\"GetItem\",le=\"+Inf\"} 3\n",
        "stator_request_duration_seconds_count{table=\"a\\\"b\",operation=\"GetItem\"} 3\n",
        "stator_consumed_read_capacity_units_total{table=\"a\\\"b\"} 1.5\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

// What is kept of tables that come and go is their history alone.
TEST(Collector, LetsGoOfTablesThatAreGone) {
  Meters meters;
  Recorder& recorder = meters.hub.local();
  std::uint32_t alive = 0;
  const auto find = [&](const std::string& name) { return name == "t" + std::to_string(alive) ? alive : 0; };
  for (std::uint32_t id = 1; id <= 500; ++id) {
    alive = id;
    RequestUsage usage;
    usage.begin(recorder);
    usage.consumed(usage.touch({id, "t" + std::to_string(id)}), Units::write, 2);
    usage.finish(Operation::put_item, Outcome::success, 100);
    ASSERT_TRUE(meters.collector->tick());
    meters.collector->forget_dropped(find);
  }
  EXPECT_LE(meters.collector->totals().counters.size(), 2U);
  EXPECT_LE(meters.collector->totals().operations.size(), 2U);
  EXPECT_LE(recorder.tables(), 3U);
  EXPECT_EQ(meters.read({Metric::consumed_write_units, "t7"}).size(), 1U) << "history stays";
}

TEST(Collector, CountsARequestThatEndsAfterItsTable) {
  Meters meters;
  Recorder& recorder = meters.hub.local();
  RequestUsage usage;
  usage.begin(recorder);
  usage.consumed(usage.touch({1, "gone"}), Units::write, 2);
  for (std::uint32_t id = 2; id < 10; ++id) {
    meters.collector->collect();
    meters.collector->forget_dropped([](const std::string&) { return 0; });
    static_cast<void>(recorder.table({id, "other"}));
  }
  usage.finish(Operation::put_item, Outcome::success, 100);
  meters.collector->collect();
  EXPECT_EQ(meters.read({Metric::successful_request_latency, "gone", "PutItem"}).size(), 1U);
  EXPECT_LE(recorder.tables(), 3U);
}

// Its counters are about to be freed when it is used again.
TEST(Collector, CountsTheFirstUseOfATableThatWasIdle) {
  Meters meters;
  meters.read_items("rare", 1, 1);
  meters.collector->collect();
  for (int i = 0; i < 3; ++i) {
    meters.clock.advance_minutes(20);
    meters.collector->collect();
  }
  meters.read_items("rare", 5, 1);
  meters.read_items("other", 1, 2);  // is new
  meters.collector->collect();
  std::int64_t sum = 0;
  for (const Point& point : meters.read({Metric::consumed_read_units, "rare"})) sum += point.sum;
  EXPECT_EQ(sum, 6);
}

}  // namespace
}  // namespace stator::metrics
