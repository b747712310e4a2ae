#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "metrics/history.h"
#include "metrics/statistics.h"
#include "service/parameters.h"

namespace stator::cloudwatch {

// A metric as requests name it. It need not exist: a metric nobody has recorded has no datapoints.
struct MetricName {
  std::string metric_namespace;
  std::string name;
  std::vector<metrics::Dimension> dimensions;

  // The series that it names; nothing where there cannot be one.
  [[nodiscard]] std::optional<metrics::SeriesKey> series() const;
};

[[nodiscard]] MetricName read_metric_name(const service::Parameters& in);
[[nodiscard]] service::Value write_dimensions(const std::vector<metrics::Dimension>& dimensions);

// Seconds that a period may have, and that a metric with one value a minute makes of them.
[[nodiscard]] Result<void> check_period(std::int64_t period_s);
[[nodiscard]] inline std::int64_t effective_period(std::int64_t period_s) { return period_s < 60 ? 60 : period_s; }

// One statistic of one metric, as GetMetricData and alarms read it.
struct MetricQuery {
  MetricName metric;
  std::int64_t period_s = 0;
  std::string statistic_name;
  metrics::Statistic statistic;
  std::optional<std::string> unit;
};

struct Sample {
  std::int64_t time_s = 0;
  double value = 0;
  std::int64_t count = 0;
};

// The values of a query from `from_s` (a whole minute) to `to_s`, oldest first; periods begin at `origin_s`.
[[nodiscard]] base::Task<Result<std::vector<Sample>>> read_samples(const metrics::History& history,
                                                                   const MetricQuery& query, std::int64_t from_s,
                                                                   std::int64_t to_s, std::int64_t origin_s);

}  // namespace stator::cloudwatch
