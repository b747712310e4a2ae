#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "base/clock.h"
#include "base/sync_wait.h"
#include "metrics/collector.h"
#include "store/open.h"

namespace stator::metrics {

// A clock that stands still until it is moved.
class TestClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override { return now_ms_; }
  void set_minute(Minute minute) { now_ms_ = minute * 60'000; }
  void advance_minutes(std::int64_t minutes) { now_ms_ += minutes * 60'000; }

 private:
  std::atomic<std::int64_t> now_ms_{29'700'000LL * 60'000};  // the begin of an hour in 2026
};

// Everything from counters to the store, in memory.
struct Meters {
  explicit Meters(std::size_t chunk_bytes_max = 0) : options{chunk_bytes_max} {}

  std::vector<Point> read(const SeriesKey& key, Minute from = 0, Minute to = 1'000'000'000) {
    return base::sync_wait(history->read(key, from, to)).value();
  }
  // As after a restart of the server.
  void reopen() {
    history = std::make_unique<History>(*store, options);
    ASSERT_TRUE(history->load());
    collector = std::make_unique<Collector>(hub, *history, clock);
  }
  // A minute with `requests` GetItem on the table, each of half a unit.
  void read_items(std::string_view table, int requests, std::uint32_t id = 1) {
    Recorder& recorder = hub.local();
    for (int i = 0; i < requests; ++i) Recorder::consumed(recorder.table({id, table}), Units::read, 1);
  }

  History::Options options;
  TestClock clock;
  std::unique_ptr<store::Store> store = store::open_memory();
  Hub hub;
  std::unique_ptr<History> history = std::make_unique<History>(*store, options);
  std::unique_ptr<Collector> collector = std::make_unique<Collector>(hub, *history, clock);
};

}  // namespace stator::metrics
