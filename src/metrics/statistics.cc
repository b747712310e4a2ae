#include "metrics/statistics.h"

#include <algorithm>
#include <charconv>

namespace stator::metrics {

std::optional<Statistic> Statistic::parse(std::string_view name) {
  using enum Kind;
  if (name == "SampleCount") return Statistic(sample_count, 0);
  if (name == "Average") return Statistic(average, 0);
  if (name == "Sum") return Statistic(sum, 0);
  if (name == "Minimum") return Statistic(minimum, 0);
  if (name == "Maximum") return Statistic(maximum, 0);
  if (!name.starts_with('p') || name.size() < 2) return std::nullopt;
  double percent = 0;
  const char* end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data() + 1, end, percent, std::chars_format::fixed);
  if (error != std::errc() || read != end || !(percent >= 0 && percent <= 100)) return std::nullopt;
  return Statistic(percentile, percent / 100);
}

double Statistic::value(const Point& aggregate, const Definition& metric) const {
  using enum Kind;
  const auto count = static_cast<double>(aggregate.count);
  switch (kind_) {
    case sample_count:
      return count;
    case average:
      return static_cast<double>(aggregate.sum) / count * metric.scale;
    case sum:
      return static_cast<double>(aggregate.sum) * metric.scale;
    case minimum:
      return static_cast<double>(aggregate.min) * metric.scale;
    case maximum:
      return static_cast<double>(aggregate.max) * metric.scale;
    case percentile:
      break;
  }
  // Of counts without a histogram the ends are known; they all but always are the same value.
  if (aggregate.histogram.empty()) {
    return static_cast<double>(fraction_ < 1 ? aggregate.min : aggregate.max) * metric.scale;
  }
  const double value = aggregate.histogram.quantile(fraction_);
  return std::clamp(value, static_cast<double>(aggregate.min), static_cast<double>(aggregate.max)) * metric.scale;
}

std::vector<Aggregate> aggregate(std::span<const Point> points, std::int64_t origin_s, std::int64_t period_s) {
  std::vector<Aggregate> aggregates;
  for (const Point& point : points) {
    const std::int64_t offset = point.minute * 60 - origin_s;
    if (offset < 0) continue;
    const std::int64_t begin = origin_s + offset / period_s * period_s;
    if (aggregates.empty() || aggregates.back().begin_s != begin) aggregates.push_back({begin, {}});
    aggregates.back().total.merge(point);
  }
  return aggregates;
}

}  // namespace stator::metrics
