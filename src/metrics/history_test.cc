#include "metrics/history.h"

#include <gtest/gtest.h>

#include "metrics/test_support.h"

namespace stator::metrics {
namespace {

const SeriesKey kReads{Metric::consumed_read_units, "app"};

std::int64_t total(const std::vector<Point>& points) {
  std::int64_t sum = 0;
  for (const Point& point : points) sum += point.sum;
  return sum;
}

TEST(Points, AreReadAsWritten) {
  std::string bytes;
  Point first{.minute = 61, .count = 3, .sum = -5, .min = -7, .max = 1};
  first.histogram.add(5, 2);
  first.histogram.add(192, 1);
  append_point(bytes, first);
  append_point(bytes, {.minute = 119, .count = 1, .sum = 1LL << 60, .min = 0, .max = 1});
  std::vector<Point> points;
  ASSERT_TRUE(read_points(bytes, 60, points));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].min, -7);
  EXPECT_EQ(points[0].histogram.entries(), first.histogram.entries());
  EXPECT_EQ(points[1].minute, 119);
  EXPECT_EQ(points[1].sum, 1LL << 60);
  for (std::size_t size = 1; size < 10; ++size) EXPECT_FALSE(read_points(bytes.substr(0, size), 60, points)) << size;
}

TEST(History, ShowsTheMinuteUnderWay) {
  Meters meters;
  meters.read_items("app", 3);
  meters.collector->collect();
  ASSERT_EQ(meters.read(kReads).size(), 1U);
  EXPECT_EQ(meters.read(kReads)[0].sum, 3);
  EXPECT_TRUE(meters.read({Metric::consumed_write_units, "app"}).empty());
  EXPECT_TRUE(meters.read({Metric::consumed_read_units, "other"}).empty());
}

TEST(History, KeepsEveryMinuteOverHoursAndRestarts) {
  Meters meters;
  const Minute begin = meters.clock.now_ms() / 60'000;
  for (int minute = 0; minute < 200; ++minute) {
    meters.read_items("app", minute + 1);
    ASSERT_TRUE(meters.collector->tick());
    if (minute % 37 == 36) {
      ASSERT_TRUE(meters.collector->finish());
      meters.reopen();
    }
    meters.clock.advance_minutes(1);
  }
  const std::vector<Point> points = meters.read(kReads);
  ASSERT_EQ(points.size(), 200U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].minute, begin + static_cast<Minute>(i));
    EXPECT_EQ(points[i].sum, static_cast<std::int64_t>(i) + 1);
  }
  EXPECT_EQ(meters.read(kReads, begin + 10, begin + 70).size(), 60U);
}

TEST(History, LosesAMinuteAtMostWithoutAnOrderlyEnd) {
  Meters meters;
  for (int minute = 0; minute < 70; ++minute) {
    meters.read_items("app", 1);
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(1);
  }
  meters.reopen();
  EXPECT_EQ(total(meters.read(kReads)), 69);
}

TEST(History, AddsUpAMinuteThatTwoRunsShare) {
  Meters meters;
  for (int run = 0; run < 3; ++run) {
    meters.read_items("app", 5);
    ASSERT_TRUE(meters.collector->finish());
    meters.reopen();
  }
  const std::vector<Point> points = meters.read(kReads);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].sum, 15);
  EXPECT_EQ(points[0].count, 15);
}

TEST(History, ForgetsAfterFifteenDays) {
  Meters meters;
  meters.read_items("old", 1, 7);
  ASSERT_TRUE(meters.collector->tick());
  for (int day = 0; day < 15; ++day) {
    meters.clock.advance_minutes(24 * 60);
    meters.read_items("app", 1);
    ASSERT_TRUE(meters.collector->tick());
  }
  EXPECT_EQ(meters.read({Metric::consumed_read_units, "old"}).size(), 1U);
  meters.clock.advance_minutes(24 * 60);
  meters.read_items("app", 1);
  ASSERT_TRUE(meters.collector->tick());
  EXPECT_TRUE(meters.read({Metric::consumed_read_units, "old"}).empty());
  EXPECT_EQ(meters.history->list([](const SeriesKey& key, Minute) { return key.table == "old"; }).size(), 0U);
  meters.reopen();
  EXPECT_TRUE(meters.read({Metric::consumed_read_units, "old"}).empty());
  EXPECT_GT(meters.read(kReads).size(), 10U);
}

TEST(History, DropsTheOldestHoursWhereItsSpaceIsLimited) {
  Meters meters(20'000);
  for (int minute = 0; minute < 60 * 100; ++minute) {
    meters.read_items("app", 1);
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(1);
  }
  const std::vector<Point> points = meters.read(kReads);
  EXPECT_LT(points.size(), 60U * 90);
  EXPECT_GT(points.size(), 60U * 10);
  EXPECT_EQ(points.back().minute, meters.clock.now_ms() / 60'000 - 1);
}

TEST(History, LosesNothingWhenTheClockGoesBack) {
  Meters meters;
  for (const int jump : {1, 1, -3, 1, 1, -90, 1, 1, 200, 1}) {
    meters.read_items("app", 10);
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(jump);
  }
  ASSERT_TRUE(meters.collector->finish());
  EXPECT_EQ(total(meters.read(kReads)), 100);
  meters.reopen();
  EXPECT_EQ(total(meters.read(kReads)), 100);
}

TEST(History, OfAThousandTablesStaysSmall) {
  Meters meters;
  Recorder& recorder = meters.hub.local();
  for (int minute = 0; minute < 60; ++minute) {
    for (std::uint32_t id = 1; id <= 1000; ++id) {
      TableCounters& table = recorder.table({id, "table-" + std::to_string(id)});
      for (const Operation operation : {Operation::get_item, Operation::put_item, Operation::query}) {
        for (int i = 0; i < 8; ++i) recorder.operation(table, operation).add_latency(100 + (id * 37 + i * 91) % 900);
      }
      Recorder::consumed(table, Units::read, 1);
      Recorder::consumed(table, Units::write, 2);
    }
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(1);
  }
  // The counters of a thread: a table with three operations.
  constexpr std::size_t kCounterBytes = sizeof(TableCounters) + 3 * sizeof(OperationCounters);
  EXPECT_LT(meters.history->memory_bytes() + 1000 * kCounterBytes, std::size_t{40} * 1024 * 1024);
}

TEST(History, KeepsALimitedNumberOfSeriesOfTablesThatAreGone) {
  Meters meters;
  meters.options.dropped_series_max = 300;
  meters.reopen();
  const auto there = [](const std::string& table) { return table == "app"; };
  meters.read_items("app", 1, 1);
  for (std::uint32_t id = 2; id < 4'000; ++id) {
    meters.read_items("table-" + std::to_string(id), 1, id);
    ASSERT_TRUE(meters.collector->tick());
    ASSERT_TRUE(meters.history->limit_dropped(there));
    if (id % 50 == 0) meters.clock.advance_minutes(1);
  }
  const auto kept = [&] { return meters.history->list([](const SeriesKey&, Minute) { return true; }); };
  EXPECT_LT(kept().size(), 300U + 1'000 + 10);
  EXPECT_EQ(meters.read({Metric::consumed_read_units, "table-3999"}).size(), 1U) << "the newest stay";
  EXPECT_TRUE(meters.read({Metric::consumed_read_units, "table-10"}).empty()) << "the oldest go";
  EXPECT_EQ(meters.read(kReads).size(), 1U) << "what is there stays, however old";
  ASSERT_TRUE(meters.collector->finish());
  meters.reopen();
  EXPECT_EQ(meters.read(kReads).size(), 1U);
}

}  // namespace
}  // namespace stator::metrics
