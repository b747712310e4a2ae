#include "cloudwatch/alarm_description.h"
#include "cloudwatch/alarms.h"
#include "cloudwatch/errors.h"
#include "service/codecs.h"

namespace stator::cloudwatch {
namespace {

std::string upper_snake(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z' && !out.empty()) out.push_back('_');
    out.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return out;
}

}  // namespace

service::Value action_list(const std::vector<std::string>& arns) {
  service::Value value = service::Value::list();
  for (const std::string& arn : arns) value.push(arn);
  return value;
}

void trim_history(Alarm& alarm) {
  std::size_t bytes = 0;
  std::size_t kept = 0;
  for (const HistoryItem& item : alarm.history) {
    bytes += item.summary.size() + item.data.size();
    if (kept > 0 && (bytes > kHistoryBytesMax || kept == kHistoryItemsMax)) break;
    ++kept;
  }
  alarm.history.resize(kept);
}

std::string encode_alarm(const Alarm& alarm) {
  service::Value value = service::Value::structure();
  value.set("request", alarm.request).set("state", state_name(alarm.state)).set("reason", alarm.reason);
  value.set("reason_data", alarm.reason_data).set("configured_ms", alarm.configured_ms);
  value.set("updated_ms", alarm.state_updated_ms).set("transitioned_ms", alarm.state_transitioned_ms);
  service::Value history = service::Value::list();
  for (const HistoryItem& item : alarm.history) {
    service::Value one = service::Value::structure().set("time_ms", item.time_ms).set("type", item.type);
    history.push(one.set("summary", item.summary).set("data", item.data));
  }
  return service::encode_json(value.set("history", std::move(history)));
}

Result<Alarm> decode_alarm(std::string_view text) {
  TRY(const service::Value value, service::decode_json(text));
  std::optional<Error> mismatch;
  const service::Parameters in(value, mismatch);
  const auto request = in.structure("request");
  const auto state = find_state(in.string("state").value_or(""));
  if (!request || !state) return fail(ErrorCode::corruption, "a stored alarm cannot be read");
  Alarm alarm;
  TRY(AlarmRequest checked, check_alarm(request->value()));
  alarm.settings = std::move(checked.settings);
  alarm.request = std::move(checked.request);
  alarm.request_bytes = service::encode_json(alarm.request).size();
  alarm.state = *state;
  alarm.reason = in.string("reason").value_or("");
  alarm.reason_data = in.string("reason_data").value_or("");
  alarm.configured_ms = in.integer("configured_ms").value_or(0);
  alarm.state_updated_ms = in.integer("updated_ms").value_or(0);
  alarm.state_transitioned_ms = in.integer("transitioned_ms").value_or(0);
  for (const service::Parameters& item : in.structures("history")) {
    alarm.history.push_back({item.integer("time_ms").value_or(0), item.string("type").value_or(""),
                             item.string("summary").value_or(""), item.string("data").value_or("")});
  }
  if (mismatch) return tl::unexpected(*mismatch);
  trim_history(alarm);
  return alarm;
}

service::Value action_message(const Alarm& alarm, AlarmState before, const Owner& owner) {
  const AlarmSettings& settings = alarm.settings;
  service::Value trigger = service::Value::structure();
  if (settings.metric) {
    const MetricQuery& metric = *settings.metric;
    service::Value dimensions = service::Value::list();
    for (const auto& [name, value] : metric.metric.dimensions) {
      dimensions.push(service::Value::structure().set("value", value).set("name", name));
    }
    const bool percentile = metric.statistic.kind() == metrics::Statistic::Kind::percentile;
    trigger.set("MetricName", metric.metric.name).set("Namespace", metric.metric.metric_namespace);
    trigger.set("StatisticType", percentile ? "ExtendedStatistic" : "Statistic");
    trigger.set(percentile ? "ExtendedStatistic" : "Statistic",
                percentile ? metric.statistic_name : upper_snake(metric.statistic_name));
    trigger.set("Unit", metric.unit ? service::Value(*metric.unit) : service::Value());
    trigger.set("Dimensions", std::move(dimensions));
  } else {
    trigger.set("Metrics", settings.queries_as_sent);
  }
  trigger.set("Period", settings.period_s()).set("EvaluationPeriods", settings.evaluation_periods);
  trigger.set("ComparisonOperator", comparison_name(settings.comparison)).set("Threshold", settings.threshold);
  trigger.set("TreatMissingData", missing_data_name(settings.missing)).set("EvaluateLowSampleCountPercentile", "");
  service::Value message = service::Value::structure();
  message.set("AlarmName", settings.name).set("AlarmDescription", settings.description);
  message.set("AWSAccountId", owner.account_id);
  message.set("AlarmConfigurationUpdatedTimestamp", service::format_iso_time(alarm.configured_ms));
  message.set("NewStateValue", state_name(alarm.state)).set("NewStateReason", alarm.reason);
  message.set("StateChangeTime", service::format_iso_time(alarm.state_transitioned_ms)).set("Region", owner.region);
  message.set("AlarmArn", alarm_arn(owner, settings.name)).set("OldStateValue", state_name(before));
  message.set("OKActions", action_list(settings.ok_actions)).set("AlarmActions", action_list(settings.alarm_actions));
  message.set("InsufficientDataActions", action_list(settings.insufficient_data_actions));
  return message.set("Trigger", std::move(trigger));
}

}  // namespace stator::cloudwatch
