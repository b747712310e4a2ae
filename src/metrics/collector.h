#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "metrics/history.h"
#include "metrics/recorder.h"

namespace stator::metrics {

// Totals since the start, for those who count up themselves (Prometheus).
struct Totals {
  struct OfOperation {
    std::int64_t requests = 0;  // successful ones
    std::int64_t latency_us = 0;
    SparseHistogram latency;
  };
  std::map<SeriesKey, std::int64_t> counters;      // sums, in the metric's stored units
  std::map<SeriesKey, OfOperation> operations;     // of the metric successful_request_latency
};

// Takes what the threads have counted and adds it to the history: once a second by tick(), and before somebody reads.
// All methods may be called from many threads.
class Collector {
 public:
  // Gives values that are read rather than counted, such as the provisioned capacity of every table.
  using Gauges = std::function<void(const std::function<void(const SeriesKey&, std::int64_t)>& set)>;

  Collector(Hub& hub, History& history, const base::Clock& clock) : hub_(hub), history_(history), clock_(clock) {}

  // Called with the collector's lock held, once every five minutes, as often as the service reports such values.
  void set_gauges(Gauges gauges) { gauges_ = std::move(gauges); }

  // A value that is reported when there is one, such as the progress of something.
  void note(const SeriesKey& key, std::int64_t value);
  // Makes everything recorded before this call visible in the history. Cheap: a pass over the tables in use.
  void collect();
  // collect(), gauges when they are due, and the writing down of finished minutes. Called by one thread.
  [[nodiscard]] Result<void> tick();
  // Before the end: writes down what there is.
  [[nodiscard]] Result<void> finish();

  // Lets go of what is kept of tables that are no longer there, but for their history. `find` gives the id of the table of a
  // name; 0: there is none.
  void forget_dropped(const std::function<std::uint32_t(const std::string& name)>& find);

  [[nodiscard]] Totals totals() const;

 private:
  void collect_locked();
  void take(TableCounters& table, std::int64_t now_ms);
  void take_operation(const std::string& table, Operation operation, OperationCounters& counters);
  void take_capacity(const std::string& table, const std::string& index, CapacityCounters& counters);
  void add(const SeriesKey& key, Point point);
  void add_count(Metric metric, const std::string& table, const std::string& detail, Counter& counter);
  void take_gauges();

  Hub& hub_;
  History& history_;
  const base::Clock& clock_;
  Gauges gauges_;
  mutable std::mutex mutex_;
  // All below are guarded by mutex_.
  Minute minute_ = 0;
  Minute gauges_at_ = -1;
  std::int64_t found_ = 0;  // points found in the table that is being looked at
  Totals totals_;
};

// Calls a function, at once and then after every `interval_ms`, until destroyed.
class CollectorThread {
 public:
  CollectorThread(std::function<void()> each_time, std::int64_t interval_ms);
  ~CollectorThread();
  CollectorThread(const CollectorThread&) = delete;
  CollectorThread& operator=(const CollectorThread&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace stator::metrics
