#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"
#include "metrics/point.h"

namespace stator::metrics {

// How the points of a period become one value: one of the five simple statistics, or a percentile such as p99.9.
class Statistic {
 public:
  enum class Kind : std::uint8_t { sample_count, average, sum, minimum, maximum, percentile };

  // Nothing where it is no statistic that is known here.
  [[nodiscard]] static std::optional<Statistic> parse(std::string_view name);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  // The value of an aggregate with at least one sample, in the metric's unit.
  [[nodiscard]] double value(const Point& aggregate, const Definition& metric) const;

 private:
  Statistic(Kind kind, double fraction) : kind_(kind), fraction_(fraction) {}
  Kind kind_;
  double fraction_;
};

struct Aggregate {
  std::int64_t begin_s = 0;  // of the period, in seconds since the epoch
  Point total;               // `minute` has no meaning
};

// Adds up points by period: periods begin at `origin_s` and every `period_s` (a multiple of 60) from there. Periods
// without points are left out.
[[nodiscard]] std::vector<Aggregate> aggregate(std::span<const Point> points, std::int64_t origin_s,
                                               std::int64_t period_s);

}  // namespace stator::metrics
