#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "metrics/metric.h"
#include "metrics/point.h"
#include "store/store.h"

namespace stator::metrics {

inline constexpr Minute kKeptMinutes = 15 * 24 * 60;

// Series of points, one per minute, for fifteen days. The hour that is under way is in memory; at its end it goes to the
// store, one row per series. Each minute is written as one row of its own (a frame) when it ends, so that a crash loses a
// minute at most; frames go when their hour is stored.
//
// add(), close_minute() and load() are called by one thread at a time (the collector's); the rest by any thread. The lock
// is never held across a call to the store.
class History {
 public:
  struct Options {
    // What chunks may take in a store that keeps them in memory: the oldest hours go first. 0: no limit, for disks.
    std::size_t chunk_bytes_max = 0;
    // How many series of tables that are no longer there are kept; the oldest go first.
    std::size_t dropped_series_max = 10'000;
  };
  History(store::Store& store, Options options) : store_(store), options_(options) {}

  // Reads what an earlier run left.
  [[nodiscard]] Result<void> load();

  // Adds to the minute that is under way, `point.minute`; a series' minutes go forward.
  void add(const SeriesKey& key, const Point& point);

  // Everything before `now` is complete: writes it down. What the store refuses (a full disk) stays in memory until the
  // next call: its points are lost only where the process ends before their hour is stored.
  [[nodiscard]] Result<void> close_minutes(Minute now);
  // The same with the minute that is under way, before the end of the process.
  [[nodiscard]] Result<void> close_all();

  // Keeps no more series of tables that are not there than the options allow. For now and then.
  [[nodiscard]] Result<void> limit_dropped(const std::function<bool(const std::string& table)>& there);

  // Points of a series with from <= minute < to, in order.
  [[nodiscard]] base::Task<Result<std::vector<Point>>> read(SeriesKey key, Minute from, Minute to) const;

  // Every series that `wanted` takes, in the order of their keys.
  [[nodiscard]] std::vector<SeriesKey> list(const std::function<bool(const SeriesKey&, Minute last)>& wanted) const;

  // What the open hour takes, roughly.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Series {
    Minute chunk_begin = 0;  // the hour of `closed`
    std::string closed;      // points that are complete and not in a chunk row yet
    Point open;              // the minute under way; count 0: none
    Minute last = 0;         // the last minute with a point
  };
  using Rows = std::vector<std::pair<std::string, std::string>>;

  void close_open(Series& series, const SeriesKey& key);
  [[nodiscard]] Result<void> write_frames();
  [[nodiscard]] Result<void> seal_hours(Minute before);
  [[nodiscard]] Result<void> write_chunks(Rows& chunks);
  [[nodiscard]] Result<void> forget(Minute now);
  [[nodiscard]] Result<void> erase_series(const std::vector<SeriesKey>& gone);
  [[nodiscard]] Result<void> load_series();
  [[nodiscard]] Result<void> load_frames();

  store::Store& store_;
  const Options options_;
  std::uint32_t frame_part_ = 0;
  Minute forgotten_at_ = 0;
  std::size_t limited_at_ = 0;  // how many series there were when they were last limited
  std::map<Minute, std::size_t> chunk_bytes_;  // by hour; only with a limit
  mutable std::mutex mutex_;
  std::map<SeriesKey, Series> series_;     // guarded by mutex_
  std::map<Minute, std::string> frames_;   // of minutes that have ended, to be written; guarded by mutex_
};

}  // namespace stator::metrics
