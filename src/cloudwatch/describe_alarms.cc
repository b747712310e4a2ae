#include <algorithm>
#include <set>

#include "cloudwatch/alarm_description.h"
#include "cloudwatch/context.h"
#include "cloudwatch/paging.h"

namespace stator::cloudwatch {
namespace {

// Whether any action of the alarm begins with the prefix.
bool has_action(const AlarmSettings& settings, const std::string& prefix) {
  for (const auto* list : {&settings.ok_actions, &settings.alarm_actions, &settings.insufficient_data_actions}) {
    if (std::any_of(list->begin(), list->end(), [&](const std::string& one) { return one.starts_with(prefix); })) return true;
  }
  return false;
}

}  // namespace

service::Value describe_alarm(const Alarm& alarm, const Owner& owner) {
  const AlarmSettings& settings = alarm.settings;
  service::Value shown = service::Value::structure();
  shown.set("AlarmName", settings.name).set("AlarmArn", alarm_arn(owner, settings.name));
  if (!settings.description.empty()) shown.set("AlarmDescription", settings.description);
  shown.set("AlarmConfigurationUpdatedTimestamp", service::Time{alarm.configured_ms});
  shown.set("ActionsEnabled", settings.actions_enabled).set("OKActions", action_list(settings.ok_actions));
  shown.set("AlarmActions", action_list(settings.alarm_actions));
  shown.set("InsufficientDataActions", action_list(settings.insufficient_data_actions));
  shown.set("StateValue", state_name(alarm.state)).set("StateReason", alarm.reason);
  if (!alarm.reason_data.empty()) shown.set("StateReasonData", alarm.reason_data);
  shown.set("StateUpdatedTimestamp", service::Time{alarm.state_updated_ms});
  if (settings.metric) {
    const MetricQuery& metric = *settings.metric;
    const bool percentile = metric.statistic.kind() == metrics::Statistic::Kind::percentile;
    shown.set("MetricName", metric.metric.name).set("Namespace", metric.metric.metric_namespace);
    shown.set(percentile ? "ExtendedStatistic" : "Statistic", metric.statistic_name);
    shown.set("Dimensions", write_dimensions(metric.metric.dimensions)).set("Period", metric.period_s);
    if (metric.unit) shown.set("Unit", *metric.unit);
  } else {
    shown.set("Dimensions", service::Value::list()).set("Metrics", settings.queries_as_sent);
  }
  shown.set("EvaluationPeriods", settings.evaluation_periods);
  if (settings.datapoints_to_alarm_set) shown.set("DatapointsToAlarm", settings.datapoints_to_alarm);
  shown.set("Threshold", settings.threshold).set("ComparisonOperator", comparison_name(settings.comparison));
  if (settings.missing_set) shown.set("TreatMissingData", missing_data_name(settings.missing));
  return shown.set("StateTransitionedTimestamp", service::Time{alarm.state_transitioned_ms});
}

base::Task<Result<service::Value>> describe_alarms(Context context, service::Parameters in) {
  const std::vector<std::string> list = in.strings("AlarmNames");
  const std::set<std::string, std::less<>> names(list.begin(), list.end());
  const auto prefix = in.string("AlarmNamePrefix");
  const auto state = in.string("StateValue");
  const auto action = in.string("ActionPrefix");
  const std::vector<std::string> types = in.strings("AlarmTypes");
  CO_TRY(const Paging paging, read_paging(in, 100));
  if (!names.empty() && prefix) {
    co_return invalid_combination("Cannot specify both AlarmNames and AlarmNamePrefix parameters.");
  }
  const bool metric_alarms = types.empty() || std::find(types.begin(), types.end(), "MetricAlarm") != types.end();
  const auto wanted = [&](const Alarm& alarm) {
    const std::string& name = alarm.settings.name;
    return metric_alarms && (names.empty() || names.contains(name)) && (!prefix || name.starts_with(*prefix)) &&
           (!state || state_name(alarm.state) == *state) && (!action || has_action(alarm.settings, *action));
  };
  service::Value shown = service::Value::list();
  const std::size_t found = context.alarms.read([&](const Alarms::ByName& alarms) {
    std::size_t count = 0;
    for (const auto& [name, alarm] : alarms) {
      if (wanted(alarm) && paging.has(count++)) shown.push(describe_alarm(alarm, context.alarms.owner()));
    }
    return count;
  });
  service::Value answer = service::Value::structure();
  answer.set("CompositeAlarms", service::Value::list()).set("MetricAlarms", std::move(shown));
  if (const std::size_t end = paging.end(found); end < found) answer.set("NextToken", std::to_string(end));
  co_return answer;
}

base::Task<Result<service::Value>> describe_alarms_for_metric(Context context, service::Parameters in) {
  const MetricName metric = read_metric_name(in);
  const auto same = [](std::vector<metrics::Dimension> a, std::vector<metrics::Dimension> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  service::Value shown = service::Value::list();
  context.alarms.read([&](const Alarms::ByName& alarms) {
    for (const auto& [name, alarm] : alarms) {
      const auto& watched = alarm.settings.metric;
      if (watched && watched->metric.name == metric.name && watched->metric.metric_namespace == metric.metric_namespace &&
          same(watched->metric.dimensions, metric.dimensions)) {
        shown.push(describe_alarm(alarm, context.alarms.owner()));
      }
    }
    return 0;
  });
  co_return service::Value::structure().set("MetricAlarms", std::move(shown));
}

}  // namespace stator::cloudwatch
