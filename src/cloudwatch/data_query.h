#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cloudwatch/math.h"
#include "metrics/history.h"

namespace stator::cloudwatch {

// One entry of MetricDataQueries: a statistic of a metric, or an expression over the others.
struct DataQuery {
  std::string id;
  std::optional<std::string> label;
  bool return_data = true;
  std::optional<MetricQuery> metric;
  std::string expression_text;
  std::optional<MathNode> expression;
};

// `path` names the list in errors: MetricDataQueries, or Metrics in an alarm.
[[nodiscard]] Result<std::vector<DataQuery>> read_data_queries(const std::vector<service::Parameters>& list,
                                                               std::string_view path);

// The values of every query from `from_s` to `to_s`, by id; periods are aligned to multiples of their length.
[[nodiscard]] base::Task<Result<std::map<std::string, MathValue>>> run_data_queries(
    const metrics::History& history, std::span<const DataQuery> queries, std::int64_t from_s, std::int64_t to_s);

}  // namespace stator::cloudwatch
