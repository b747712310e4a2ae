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
  if (begins && goes_on) return {};
  return validation(fmt::format("The value {} for parameter {}.Id is not matching the expected pattern "
                                "^[a-z][a-zA-Z0-9_]*$.",
                                id, path));
}

Result<MetricQuery> read_metric_stat(const service::Parameters& in, const std::string& path) {
  const service::Parameters metric = *in.structure("Metric");
  const std::int64_t period_s = *in.integer("Period");
  const std::string stat = *in.string("Stat");
  TRY_VOID(check_period(period_s));
  const auto statistic = metrics::Statistic::parse(stat);
  if (!statistic) {
    return validation(fmt::format("The value {} for parameter {}.MetricStat.Stat is not supported.", stat, path));
  }
  for (const char* member : {"Namespace", "MetricName"}) {
    if (!metric.has(member)) return missing(fmt::format("{}.MetricStat.Metric.{}", path, member));
  }
  return MetricQuery{read_metric_name(metric), period_s, stat, *statistic, in.string("Unit")};
}

tl::unexpected<Error> in_expression(const DataQuery& query, const Error& error) {
  return validation(fmt::format("Error in expression '{}': {}", query.id, error.message));
}

void collect_names(const MathNode& node, std::vector<std::string_view>& names) {
  if (node.kind == MathNode::Kind::name) names.push_back(node.text);
  for (const MathNode& child : node.children) collect_names(child, names);
}

// Evaluates expressions, each once and behind those that it refers to: nothing recurses from one expression into another.
class Evaluation {
 public:
  Evaluation(std::span<const DataQuery> queries, std::map<std::string, MathValue>& values, std::int64_t from_s,
             std::int64_t to_s, MathBudget& budget)
      : queries_(queries), values_(values), scope_{.budget = budget} {
    scope_.from_s = from_s;
    scope_.to_s = to_s;
    scope_.find = [this](std::string_view id) { return find(id); };
    scope_.metrics = [this](std::string_view part) { return metrics_named(part); };
    for (const DataQuery& query : queries) by_id_.emplace(query.id, Progress{&query});
  }

  // Evaluates what the expression refers to, and then itself.
  Result<void> run(const DataQuery& wanted) {
    std::vector<Progress*> stack = {&by_id_.at(wanted.id)};
    while (!stack.empty()) {
      Progress& one = *stack.back();
      if (one.stage == Stage::untouched) {
        one.stage = Stage::waiting;
        TRY_VOID(push_references(*one.query, stack));
        continue;
      }
      stack.pop_back();
      if (one.stage == Stage::done) continue;  // somebody else wanted it, too
      one.stage = Stage::done;
      if (one.query->metric) continue;
      TRY(MathValue value, evaluate_math(*one.query->expression, scope_));
      values_.emplace(one.query->id, std::move(value));
    }
    return {};
  }

 private:
  enum class Stage : std::uint8_t { untouched, waiting, done };
  struct Progress {
    const DataQuery* query = nullptr;
    Stage stage = Stage::untouched;
  };

  // What waits is below on the stack: it needs the query, and must not be needed by it.
  Result<void> push_references(const DataQuery& query, std::vector<Progress*>& stack) {
    std::vector<std::string_view> names;
    if (query.expression) collect_names(*query.expression, names);
    for (const std::string_view name : names) {
      const auto found = by_id_.find(name);
      if (found == by_id_.end()) continue;  // the evaluation says so
      if (found->second.stage == Stage::waiting) return invalid("Circular reference");
      if (found->second.stage == Stage::untouched) stack.push_back(&found->second);
    }
    return {};
  }
  Result<MathValue> find(std::string_view id) {
    const auto found = values_.find(std::string(id));
    if (found == values_.end()) return invalid(fmt::format("Undefined variable '{}'", id));
    return found->second;
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
  std::map<std::string_view, Progress> by_id_;
  MathScope scope_;
};

}  // namespace

Result<std::vector<DataQuery>> read_data_queries(const std::vector<service::Parameters>& list, std::string_view list_path) {
  std::vector<DataQuery> queries;
  std::set<std::string> ids;
  for (const service::Parameters& in : list) {
    const std::string path = fmt::format("{}.member.{}", list_path, queries.size() + 1);
    DataQuery query;
    query.id = *in.string("Id");
    TRY_VOID(check_id(query.id, path));
    query.label = in.string("Label");
    query.return_data = in.boolean("ReturnData").value_or(true);
    const auto stat = in.structure("MetricStat");
    const auto expression = in.string("Expression");
    if (stat.has_value() == expression.has_value()) {
      return validation(fmt::format("Exactly one of the fields {0}.MetricStat and {0}.Expression must be specified.", path));
    }
    if (!ids.insert(query.id).second) {
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
  MathBudget budget;
  std::int64_t longest_s = 60;
  for (const DataQuery& query : queries) {
    if (!query.metric) continue;
    const std::int64_t period_s = effective_period(query.metric->period_s);
    longest_s = std::max(longest_s, period_s);
    const std::int64_t begin_s = from_s / period_s * period_s;
    Result<std::vector<Sample>> samples = co_await read_samples(history, *query.metric, begin_s, to_s, begin_s);
    CO_TRY_VOID(samples);
    if (!budget.take(samples->size())) co_return validation(std::string(kTooManySamples));
    Series series{query.label.value_or(query.metric->metric.name), period_s, *std::move(samples)};
    values.emplace(query.id, MathValue::of(std::move(series)));
  }
  Evaluation evaluation(queries, values, from_s / longest_s * longest_s, to_s, budget);
  for (const DataQuery& query : queries) {
    if (query.metric) continue;
    const Result<void> done = evaluation.run(query);
    if (!done) co_return in_expression(query, done.error());
  }
  co_return values;
}

}  // namespace stator::cloudwatch
