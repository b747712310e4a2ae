#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"
#include "cloudwatch/metric_input.h"

namespace stator::cloudwatch {
namespace {

constexpr std::int64_t kDatapointsOfAnswerMax = 1440;

struct MetricStatisticsInput {
  MetricName metric;
  std::int64_t start_s = 0;
  std::int64_t end_s = 0;
  std::int64_t period_s = 0;
  std::vector<std::string> statistics;
  std::vector<std::string> extended;
  std::optional<std::string> unit;
};

Result<void> check_statistics(const MetricStatisticsInput& input) {
  if (input.statistics.empty() && input.extended.empty()) {
    return invalid_combination("Must specify either Statistics or ExtendedStatistics");
  }
  for (const std::string& name : input.extended) {
    const auto statistic = metrics::Statistic::parse(name);
    if (statistic && statistic->kind() == metrics::Statistic::Kind::percentile) continue;
    return invalid_value(fmt::format("The value {} for parameter ExtendedStatistics is not supported.", name));
  }
  return {};
}

Result<MetricStatisticsInput> read_metric_statistics(const service::Parameters& in) {
  MetricStatisticsInput input;
  input.metric = read_metric_name(in);
  input.period_s = *in.integer("Period");
  TRY_VOID(check_period(input.period_s));
  const std::int64_t start_s = *in.time_ms("StartTime") / 1000;
  input.start_s = start_s / 60 * 60;  // begins of periods are whole minutes
  input.end_s = *in.time_ms("EndTime") / 1000;
  if (start_s >= input.end_s) {
    return invalid_value("The parameter StartTime must be less than the parameter EndTime.");
  }
  input.statistics = in.strings("Statistics");
  input.extended = in.strings("ExtendedStatistics");
  input.unit = in.string("Unit");
  TRY_VOID(check_statistics(input));
  const std::int64_t datapoints = (input.end_s - start_s) / input.period_s;
  if (datapoints > kDatapointsOfAnswerMax) {
    return invalid_combination(fmt::format("You have requested up to {} datapoints, which exceeds the limit of {}. You "
                                           "may reduce the datapoints requested by increasing Period, or decreasing the "
                                           "time range.",
                                           datapoints, kDatapointsOfAnswerMax));
  }
  return input;
}

service::Value write_datapoint(const MetricStatisticsInput& input, const metrics::Aggregate& period,
                               const metrics::Definition& metric) {
  service::Value datapoint = service::Value::structure();
  datapoint.set("Timestamp", service::Time{period.begin_s * 1000});
  for (const std::string& name : input.statistics) {
    datapoint.set(name, metrics::Statistic::parse(name)->value(period.total, metric));
  }
  datapoint.set("Unit", metric.unit);
  if (!input.extended.empty()) {
    service::Value extended = service::Value::map();
    for (const std::string& name : input.extended) {
      extended.set(name, metrics::Statistic::parse(name)->value(period.total, metric));
    }
    datapoint.set("ExtendedStatistics", std::move(extended));
  }
  return datapoint;
}

}  // namespace

base::Task<Result<service::Value>> get_metric_statistics(Context context, service::Parameters in) {
  CO_TRY(const MetricStatisticsInput input, read_metric_statistics(in));
  service::Value datapoints = service::Value::list();
  const std::optional<metrics::SeriesKey> series = input.metric.series();
  if (series && (!input.unit || *input.unit == metrics::definition(series->metric).unit)) {
    context.collector.collect();
    const Result<std::vector<metrics::Point>> points =
        co_await context.history.read(*series, input.start_s / 60, (input.end_s + 59) / 60);
    CO_TRY_VOID(points);
    for (const metrics::Aggregate& period :
         metrics::aggregate(*points, input.start_s, effective_period(input.period_s))) {
      datapoints.push(write_datapoint(input, period, metrics::definition(series->metric)));
    }
  }
  co_return service::Value::structure().set("Label", input.metric.name).set("Datapoints", std::move(datapoints));
}

}  // namespace stator::cloudwatch
