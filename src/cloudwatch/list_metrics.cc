#include <algorithm>

#include "cloudwatch/context.h"
#include "cloudwatch/metric_input.h"
#include "cloudwatch/paging.h"

namespace stator::cloudwatch {
namespace {

constexpr std::size_t kPageMax = 500;
constexpr metrics::Minute kRecentMinutes = 3 * 60;

struct Filter {
  std::string name;
  std::optional<std::string> value;
};

bool matches(const std::vector<metrics::Dimension>& dimensions, const Filter& filter) {
  return std::any_of(dimensions.begin(), dimensions.end(), [&](const metrics::Dimension& dimension) {
    return dimension.first == filter.name && (!filter.value || dimension.second == *filter.value);
  });
}

std::vector<Filter> read_filters(const service::Parameters& in) {
  std::vector<Filter> filters;
  for (const service::Parameters& filter : in.structures("Dimensions")) {
    filters.push_back({*filter.string("Name"), filter.string("Value")});
  }
  return filters;
}

}  // namespace

base::Task<Result<service::Value>> list_metrics(Context context, service::Parameters in) {
  const auto metric_namespace = in.string("Namespace");
  const auto name = in.string("MetricName");
  const auto recent = in.string("RecentlyActive");
  const std::vector<Filter> filters = read_filters(in);
  CO_TRY(const Paging paging, read_paging(in, kPageMax));
  context.collector.collect();
  const metrics::Minute since = recent ? context.clock.now_ms() / 60'000 - kRecentMinutes : 0;
  std::vector<metrics::SeriesKey> found;
  if (!metric_namespace || *metric_namespace == metrics::kNamespace) {
    found = context.history.list([&](const metrics::SeriesKey& key, metrics::Minute last) {
      if (last < since || (name && metrics::definition(key.metric).name != *name)) return false;
      const std::vector<metrics::Dimension> dimensions = metrics::dimensions_of(key);
      return std::all_of(filters.begin(), filters.end(),
                         [&](const Filter& filter) { return matches(dimensions, filter); });
    });
  }
  service::Value metrics_found = service::Value::list();
  const std::size_t end = paging.end(found.size());
  for (std::size_t i = paging.begin; i < end; ++i) {
    service::Value metric = service::Value::structure();
    metric.set("Namespace", metrics::kNamespace).set("MetricName", metrics::definition(found[i].metric).name);
    metrics_found.push(metric.set("Dimensions", write_dimensions(metrics::dimensions_of(found[i]))));
  }
  service::Value answer = service::Value::structure().set("Metrics", std::move(metrics_found));
  if (end < found.size()) answer.set("NextToken", std::to_string(end));
  co_return answer;
}

}  // namespace stator::cloudwatch
