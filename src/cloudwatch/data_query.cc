#include "cloudwatch/data_query.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "cloudwatch/errors.h"

namespace stator::cloudwatch {
namespace {

Result<void> check_id(std::string_view id, std::string_view path) {
  const bool begins = !id.empty() && std::islower(static_cast<unsigned char>(id[0])) != 0;
  const bool goes_on = std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (begins && goes_on && id.size() <= 255) return {};
  return validation(fmt::format("The value {} for parameter {}.Id is not matching the expected pattern "
                                "^[a-z][a-zA-Z0-9_]*$.",
                                id, path));
}

Result<MetricQuery> read_metric_stat(const service::Parameters& in, const std::string& path) {
  const auto metric = in.structure("Metric");
  const auto period = in.integer("Period");
  const auto stat = in.string("Stat");
  if (!metric) return missing(path + ".MetricStat.Metric");
  if (!period) return missing(path + ".MetricStat.Period");
  if (!stat) return missing(path + ".MetricStat.Stat");
  TRY_VOID(check_period(*period));
  const auto statistic = metrics::Statistic::parse(*stat);
  if (!statistic) {
    return validation(fmt::format("The value {} for parameter {}.MetricStat.Stat is not supported.", *stat, path));
  }
  TRY(MetricName name, read_metric_name(*metric));
  return MetricQuery{std::move(name), *period, *stat, *statistic, in.string("Unit")};
}

tl::unexpected<Error> in_expression(const DataQuery& query, const Error& error) {
  return validation(fmt::format("Error in expression '{}': {}", query.id, error.message));
}

// Evaluates expressions when they are asked for, each once; one that needs itself is an error.
class Evaluation {
 public:
  Evaluation(std::span<const DataQuery> queries, std::map<std::string, MathValue>& values, std::int64_t from_s,
             std::int64_t to_s)
      : queries_(queries), values_(values) {
    scope_.from_s = from_s;
    scope_.to_s = to_s;
    scope_.find = [this](std::string_view id) { return find(id); };
    scope_.metrics = [this](std::string_view part) { return metrics_named(part); };
  }

  Result<void> run(const DataQuery& query) {
    if (values_.contains(query.id)) return {};
    if (!under_way_.insert(query.id).second) return invalid("Circular reference");
    Result<MathValue> value = evaluate_math(*query.expression, scope_);
    under_way_.erase(query.id);
    if (!value) return tl::unexpected(value.error());
    values_.emplace(query.id, *std::move(value));
    return {};
  }

 private:
  Result<MathValue> find(std::string_view id) {
    for (const DataQuery& query : queries_) {
      if (query.id != id) continue;
      TRY_VOID(run(query));
      return values_.at(query.id);
    }
    return invalid(fmt::format("Undefined variable '{}'", id));
  }
  std::vector<Series> metrics_named(std::string_view part) {
    std::vector<Series> found;
    for (const DataQuery& query : queries_) {
      if (query.metric && query.id.find(part) != std::string::npos) found.push_back(values_.at(query.id).series[0]);
    }
    return found;
  }

  std::span<const DataQuery> queries_;
  std::map<std::string, MathValue>& values_;
  std::set<std::string> under_way_;
  MathScope scope_;
};

}  // namespace

Result<std::vector<DataQuery>> read_data_queries(const std::vector<service::Parameters>& list, std::string_view list_path) {
  std::vector<DataQuery> queries;
  for (const service::Parameters& in : list) {
    const std::string path = fmt::format("{}.member.{}", list_path, queries.size() + 1);
    DataQuery query;
    const auto id = in.string("Id");
    if (!id) return missing(path + ".Id");
    TRY_VOID(check_id(*id, path));
    query.id = *id;
    query.label = in.string("Label");
    query.return_data = in.boolean("ReturnData").value_or(true);
    const auto stat = in.structure("MetricStat");
    const auto expression = in.string("Expression");
    if (stat.has_value() == expression.has_value()) {
      return validation(fmt::format("Exactly one of the fields {0}.MetricStat and {0}.Expression must be specified.", path));
    }
    if (std::any_of(queries.begin(), queries.end(), [&](const DataQuery& other) { return other.id == query.id; })) {
      return validation(fmt::format("The values for parameter id in {} are not unique.", list_path));
    }
    if (stat) {
      TRY(query.metric, read_metric_stat(*stat, path));
    } else {
      query.expression_text = *expression;
      Result<MathNode> parsed = parse_math(*expression);
      if (!parsed) return in_expression(query, parsed.error());
      query.expression = *std::move(parsed);
    }
    queries.push_back(std::move(query));
  }
  return queries;
}

base::Task<Result<std::map<std::string, MathValue>>> run_data_queries(const metrics::History& history,
                                                                      std::span<const DataQuery> queries,
                                                                      std::int64_t from_s, std::int64_t to_s) {
  std::map<std::string, MathValue> values;
  std::int64_t longest_s = 60;
  for (const DataQuery& query : queries) {
    if (!query.metric) continue;
    const std::int64_t period_s = effective_period(query.metric->period_s);
    longest_s = std::max(longest_s, period_s);
    const std::int64_t begin_s = from_s / period_s * period_s;
    Result<std::vector<Sample>> samples = co_await read_samples(history, *query.metric, begin_s, to_s, begin_s);
    CO_TRY_VOID(samples);
    Series series{query.label.value_or(query.metric->metric.name), period_s, *std::move(samples)};
    values.emplace(query.id, MathValue::of(std::move(series)));
  }
  Evaluation evaluation(queries, values, from_s / longest_s * longest_s, to_s);
  for (const DataQuery& query : queries) {
    if (query.metric) continue;
    const Result<void> done = evaluation.run(query);
    if (!done) co_return in_expression(query, done.error());
  }
  co_return values;
}

}  // namespace stator::cloudwatch
