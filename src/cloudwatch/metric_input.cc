#include "cloudwatch/metric_input.h"

#include "cloudwatch/errors.h"

namespace stator::cloudwatch {

namespace {

constexpr std::size_t kDimensionsMax = 30;
constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kDimensionValueBytesMax = 1024;

Result<void> check_length(std::string_view parameter, std::string_view value, std::size_t longest) {
  if (value.empty()) return invalid_value(fmt::format("The parameter {} must not be empty.", parameter));
  if (value.size() > longest) {
    return invalid_value(fmt::format("The parameter {} must be shorter than {} characters.", parameter, longest + 1));
  }
  return {};
}

}  // namespace

std::optional<metrics::SeriesKey> MetricName::series() const {
  if (metric_namespace != metrics::kNamespace) return std::nullopt;
  const std::optional<metrics::Metric> metric = metrics::find_metric(name);
  if (!metric) return std::nullopt;
  return metrics::series_of(*metric, dimensions);
}

Result<std::vector<metrics::Dimension>> read_dimensions(const service::Parameters& in) {
  std::vector<metrics::Dimension> dimensions;
  for (const service::Parameters& dimension : in.structures("Dimensions")) {
    const auto name = dimension.string("Name");
    const auto value = dimension.string("Value");
    const std::string path = fmt::format("Dimensions.member.{}", dimensions.size() + 1);
    if (!name) return missing(path + ".Name");
    if (!value) return missing(path + ".Value");
    TRY_VOID(check_length(path + ".Name", *name, kNameBytesMax));
    TRY_VOID(check_length(path + ".Value", *value, kDimensionValueBytesMax));
    dimensions.emplace_back(*name, *value);
  }
  if (dimensions.size() > kDimensionsMax) {
    return invalid_value(fmt::format("The collection Dimensions must not have a size greater than {}.", kDimensionsMax));
  }
  return dimensions;
}

Result<MetricName> read_metric_name(const service::Parameters& in) {
  MetricName metric;
  const auto metric_namespace = in.string("Namespace");
  const auto name = in.string("MetricName");
  if (!metric_namespace) return missing("Namespace");
  if (!name) return missing("MetricName");
  TRY_VOID(check_length("Namespace", *metric_namespace, kNameBytesMax));
  TRY_VOID(check_length("MetricName", *name, kNameBytesMax));
  metric.metric_namespace = *metric_namespace;
  metric.name = *name;
  TRY(metric.dimensions, read_dimensions(in));
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
