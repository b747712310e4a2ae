#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"
#include "insights/insights.h"

namespace stator::cloudwatch {
namespace {

constexpr std::int64_t kContributorsMax = 100;
constexpr std::int64_t kContributorsDefault = 10;

service::Value write_contributor(const insights::Contributor& contributor) {
  service::Value keys = service::Value::list();
  for (const std::string& key : contributor.keys) keys.push(key);
  service::Value datapoints = service::Value::list();
  for (const auto& [time_s, value] : contributor.datapoints) {
    datapoints.push(
        service::Value::structure().set("Timestamp", service::Time{time_s * 1000}).set("ApproximateValue", value));
  }
  service::Value shown = service::Value::structure().set("Keys", std::move(keys));
  return shown.set("ApproximateAggregateValue", contributor.value).set("Datapoints", std::move(datapoints));
}

}  // namespace

base::Task<Result<service::Value>> get_insight_rule_report(Context context, service::Parameters in) {
  const std::string name = *in.string("RuleName");
  const std::int64_t start_ms = *in.time_ms("StartTime");
  const std::int64_t end_ms = *in.time_ms("EndTime");
  const std::int64_t period_s = *in.integer("Period");
  const auto count = in.integer("MaxContributorCount");
  if (period_s < 60 || period_s % 60 != 0) co_return invalid_value("The parameter Period must be a multiple of 60.");
  if (start_ms >= end_ms) co_return invalid_value("The parameter StartTime must be less than the parameter EndTime.");
  if (count && (*count < 1 || *count > kContributorsMax)) {
    co_return invalid_value("The parameter MaxContributorCount must be between 1 and 100.");
  }
  const std::optional<insights::Report> report =
      context.insights.report(name, start_ms / 60'000 * 60, end_ms / 1000, period_s,
                              static_cast<std::size_t>(count.value_or(kContributorsDefault)));
  if (!report) {
    co_return service::refuse("ResourceNotFoundException", fmt::format("Rule {} does not exist", name), 404);
  }
  const bool pairs = report->rule == insights::Rule::accessed_pair || report->rule == insights::Rule::throttled_pair;
  service::Value labels = service::Value::list().push("PARTITION_KEY");
  if (pairs) labels.push("SORT_KEY");
  service::Value contributors = service::Value::list();
  for (const insights::Contributor& contributor : report->contributors) contributors.push(write_contributor(contributor));
  service::Value answer = service::Value::structure();
  answer.set("KeyLabels", std::move(labels)).set("AggregationStatistic", "Sum").set("AggregateValue", report->total);
  answer.set("ApproximateUniqueCount", report->unique).set("Contributors", std::move(contributors));
  co_return answer.set("MetricDatapoints", service::Value::list());
}

}  // namespace stator::cloudwatch
