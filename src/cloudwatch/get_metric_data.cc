#include <algorithm>
#include <charconv>

#include "cloudwatch/context.h"
#include "cloudwatch/data_query.h"
#include "cloudwatch/errors.h"

namespace stator::cloudwatch {
namespace {

constexpr std::int64_t kDatapointsOfPageMax = 100'800;

struct MetricDataInput {
  std::vector<DataQuery> queries;
  std::int64_t start_s = 0;
  std::int64_t end_s = 0;
  bool newest_first = true;
  std::int64_t page_max = kDatapointsOfPageMax;
  std::int64_t skip = 0;  // datapoints that were given out before
};

Result<MetricDataInput> read_metric_data(const service::Parameters& in) {
  MetricDataInput input;
  const std::int64_t start_ms = *in.time_ms("StartTime");
  const std::int64_t end_ms = *in.time_ms("EndTime");
  const auto scan = in.string("ScanBy");
  const auto page = in.integer("MaxDatapoints");
  const auto token = in.string("NextToken");
  const std::vector<service::Parameters> list = in.structures("MetricDataQueries");
  if (list.empty()) return missing("MetricDataQueries");
  input.start_s = start_ms / 60'000 * 60;
  input.end_s = end_ms / 1000;
  if (start_ms / 1000 >= input.end_s) {
    return validation("The parameter EndTime must be greater than StartTime.");
  }
  input.newest_first = !scan || *scan == "TimestampDescending";
  if (page) input.page_max = std::clamp<std::int64_t>(*page, 1, kDatapointsOfPageMax);
  if (token) {
    const auto [last, error] = std::from_chars(token->data(), token->data() + token->size(), input.skip);
    if (error != std::errc() || last != token->data() + token->size() || input.skip < 0) return invalid_next_token();
  }
  TRY(input.queries, read_data_queries(list, "MetricDataQueries"));
  return input;
}

// Gives out the datapoints of one page, over all results in their order.
class Page {
 public:
  Page(const MetricDataInput& input) : input_(input), left_(input.page_max), skip_(input.skip) {}

  void add(const std::string& id, const Series& series, const std::string& label) {
    std::vector<Sample> samples;
    for (const Sample& sample : series.samples) {
      if (sample.time_s >= input_.start_s / series.period_s * series.period_s && sample.time_s < input_.end_s) {
        samples.push_back(sample);
      }
    }
    if (input_.newest_first) std::reverse(samples.begin(), samples.end());
    const auto count = static_cast<std::int64_t>(samples.size());
    const std::int64_t begin = std::min(skip_, count);
    const std::int64_t end = std::min(count, begin + left_);
    skip_ -= begin;
    left_ -= end - begin;
    if (end < count) more_ = true;
    service::Value times = service::Value::list();
    service::Value values = service::Value::list();
    for (std::int64_t i = begin; i < end; ++i) {
      times.push(service::Time{samples[static_cast<std::size_t>(i)].time_s * 1000});
      values.push(samples[static_cast<std::size_t>(i)].value);
    }
    service::Value result = service::Value::structure();
    result.set("Id", id).set("Label", label).set("Timestamps", std::move(times)).set("Values", std::move(values));
    results_.push(result.set("StatusCode", end < count ? "PartialData" : "Complete"));
  }
  service::Value answer() {
    service::Value answer = service::Value::structure();
    answer.set("MetricDataResults", std::move(results_)).set("Messages", service::Value::list());
    if (more_) answer.set("NextToken", std::to_string(input_.skip + input_.page_max));
    return answer;
  }

 private:
  const MetricDataInput& input_;
  std::int64_t left_;
  std::int64_t skip_;
  bool more_ = false;
  service::Value results_ = service::Value::list();
};

}  // namespace

base::Task<Result<service::Value>> get_metric_data(Context context, service::Parameters in) {
  CO_TRY(const MetricDataInput input, read_metric_data(in));
  context.collector.collect();
  const Result<std::map<std::string, MathValue>> values =
      co_await run_data_queries(context.history, input.queries, input.start_s, input.end_s);
  CO_TRY_VOID(values);
  Page page(input);
  for (const DataQuery& query : input.queries) {
    if (!query.return_data) continue;
    const MathValue& value = values->at(query.id);
    if (value.kind == MathValue::Kind::scalar || value.kind == MathValue::Kind::text) {
      co_return validation(fmt::format("Error in expression '{}': The expression must return a time series or an array of "
                                       "time series",
                                       query.id));
    }
    for (const Series& series : value.series) {
      const bool own = query.metric || query.label || value.kind == MathValue::Kind::series;
      page.add(query.id, series, own ? query.label.value_or(query.metric ? query.metric->metric.name : query.id)
                                     : query.id + " " + series.label);
    }
  }
  co_return page.answer();
}

}  // namespace stator::cloudwatch
