#pragma once

#include <memory>
#include <string>

#include "autoscaling/autoscaling.h"
#include "autoscaling/controller.h"
#include "cloudwatch/cloudwatch.h"
#include "engine/engine.h"
#include "insights/insights.h"
#include "metrics/collector.h"
#include "metrics/fast_clock.h"
#include "metrics/history.h"
#include "metrics/recorder.h"
#include "server/access_listener.h"
#include "server/index_progress.h"
#include "server/service_registry.h"
#include "server/slow_log.h"
#include "server/table_capacity.h"
#include "store/open.h"

namespace stator::server {

// Everything that measures the server and shows it: counters, their history, the services that read it. Built before the
// server starts and destroyed after it has stopped.
class Telemetry {
 public:
  struct Options {
    std::string account_id;
    std::string region;
    bool in_memory = false;  // the store keeps everything in memory, so that history has to be limited
    std::int64_t speed = 1;  // how many times as fast as the clock time goes here, for tests
    std::int64_t slow_ms = 0;           // requests that take so long are logged; 0: none
    TraceRecorder* recorder = nullptr;  // null: nothing is recorded; outlives this
  };
  Telemetry(engine::Engine& engine, Options options);

  // Reads what an earlier run left; then counting begins.
  [[nodiscard]] Result<void> start();
  // Writes down what there is. No request may come any more.
  [[nodiscard]] Result<void> stop();

  [[nodiscard]] metrics::Hub& hub() { return hub_; }
  [[nodiscard]] insights::Insights& insights() { return insights_; }
  [[nodiscard]] const ServiceRegistry& services() const { return services_; }
  [[nodiscard]] SlowLog& slow_log() { return slow_log_; }
  // The page /metrics.
  [[nodiscard]] std::string prometheus_text();

 private:
  void set_gauges(const std::function<void(const metrics::SeriesKey&, std::int64_t)>& set) const;
  void each_interval();
  [[nodiscard]] Result<void> forget_dropped();
  [[nodiscard]] std::string unreadable_text() const;
  [[nodiscard]] std::string cluster_text() const;

  engine::Engine& engine_;
  // Where nodes share a store each keeps what it measures, and what is set up on it, to itself: histories of several nodes
  // under one name would overwrite each other.
  const std::unique_ptr<store::Store> own_store_;
  store::Store& store_;
  const metrics::FastClock clock_;
  const std::int64_t interval_ms_;  // between two looks
  metrics::Hub hub_;
  metrics::History history_;
  metrics::Collector collector_;
  insights::Insights insights_;
  cloudwatch::Alarms alarms_;
  cloudwatch::CloudWatch cloudwatch_;
  TableCapacity capacity_;
  autoscaling::Registry scaling_;
  autoscaling::Controller controller_;
  autoscaling::AutoScaling autoscaling_;
  ServiceRegistry services_;
  SlowLog slow_log_;
  IndexProgress index_progress_;
  AccessListener listener_;
  std::int64_t refreshed_ms_ = 0;  // when the capacity model was last told of sizes
  bool complained_ = false;
  std::unique_ptr<metrics::CollectorThread> thread_;
};

}  // namespace stator::server
