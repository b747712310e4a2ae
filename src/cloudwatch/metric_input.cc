#include "cloudwatch/metric_input.h"

#include "cloudwatch/errors.h"

namespace stator::cloudwatch {

std::optional<metrics::SeriesKey> MetricName::series() const {
  if (metric_namespace != metrics::kNamespace) return std::nullopt;
  const std::optional<metrics::Metric> metric = metrics::find_metric(name);
  if (!metric) return std::nullopt;
  return metrics::series_of(*metric, dimensions);
}

MetricName read_metric_name(const service::Parameters& in) {
  MetricName metric{in.string("Namespace").value_or(""), in.string("MetricName").value_or(""), {}};
  for (const service::Parameters& dimension : in.structures("Dimensions")) {
    metric.dimensions.emplace_back(*dimension.string("Name"), *dimension.string("Value"));
  }
  return metric;
}

service::Value write_dimensions(const std::vector<metrics::Dimension>& dimensions) {
  service::Value list = service::Value::list();
  for (const auto& [name, value] : dimensions) {
    list.push(service::Value::structure().set("Name", name).set("Value", value));
  }
  return list;
}

Result<void> check_period(std::int64_t period_s) {
  const bool short_one = period_s == 1 || period_s == 5 || period_s == 10 || period_s == 20 || period_s == 30;
  if (short_one || (period_s > 0 && period_s % 60 == 0)) return {};
  return invalid_value("The parameter Period must be a value in the set [1, 5, 10, 20, 30] or a multiple of 60.");
}

base::Task<Result<std::vector<Sample>>> read_samples(const metrics::History& history, const MetricQuery& query,
                                                     std::int64_t from_s, std::int64_t to_s, std::int64_t origin_s) {
  std::vector<Sample> samples;
  const std::optional<metrics::SeriesKey> series = query.metric.series();
  if (!series) co_return samples;
  const metrics::Definition& metric = metrics::definition(series->metric);
  if (query.unit && *query.unit != metric.unit) co_return samples;
  const Result<std::vector<metrics::Point>> points =
      co_await history.read(*series, from_s / 60, (to_s + 59) / 60);
  CO_TRY_VOID(points);
  for (const metrics::Aggregate& period : metrics::aggregate(*points, origin_s, effective_period(query.period_s))) {
    samples.push_back({period.begin_s, query.statistic.value(period.total, metric), period.total.count});
  }
  co_return samples;
}

}  // namespace stator::cloudwatch
