#include <algorithm>
#include <array>

#include "cloudwatch/alarm.h"
#include "cloudwatch/errors.h"
#include "cloudwatch/shapes.h"
#include "cloudwatch/webhook_targets.h"

namespace stator::cloudwatch {
namespace {

constexpr std::array<std::string_view, 3> kStates = {"INSUFFICIENT_DATA", "OK", "ALARM"};
constexpr std::array<std::string_view, 4> kComparisons = {"GreaterThanOrEqualToThreshold", "GreaterThanThreshold",
                                                          "LessThanThreshold", "LessThanOrEqualToThreshold"};
constexpr std::array<std::string_view, 4> kMissing = {"missing", "notBreaching", "breaching", "ignore"};
constexpr std::int64_t kDaySeconds = 86'400;

template <class Enum, std::size_t size>
std::optional<Enum> find_name(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

Result<void> check_actions(const std::vector<std::string>& actions) {
  for (const std::string& action : actions) {
    if (action.starts_with("arn:") || WebhookUrl::parse(action)) continue;
    return validation(fmt::format("Invalid arn syntax: {}", action));
  }
  return {};
}

Result<void> read_single_metric(const service::Parameters& in, AlarmSettings& settings) {
  const auto period = in.integer("Period");
  const auto statistic = in.string("Statistic");
  const auto extended = in.string("ExtendedStatistic");
  if (statistic.has_value() == extended.has_value()) {
    return validation("Exactly one of the following parameters must be specified: Statistic, ExtendedStatistic");
  }
  const std::string name = statistic ? *statistic : *extended;
  const auto parsed = metrics::Statistic::parse(name);
  const bool is_percentile = parsed && parsed->kind() == metrics::Statistic::Kind::percentile;
  if (extended && !is_percentile) {
    return validation(fmt::format("The value {} for parameter ExtendedStatistic is not supported.", name));
  }
  if (!period) return missing("Period");
  if (*period != 10 && *period != 20 && *period != 30 && (*period < 60 || *period % 60 != 0)) {
    return invalid_value("Period must be 10, 20, 30 or a multiple of 60");
  }
  if (!in.has("Namespace")) return missing("Namespace");
  if (!in.has("MetricName")) return missing("MetricName");
  settings.metric = MetricQuery{read_metric_name(in), *period, name, *parsed, in.string("Unit")};
  return {};
}

Result<void> read_queries(const service::Parameters& in, AlarmSettings& settings) {
  for (const char* member : {"MetricName", "Namespace", "Period", "Statistic", "ExtendedStatistic", "Dimensions", "Unit"}) {
    if (in.has(member)) {
      return validation("Metrics list and single metric parameters cannot both be specified. Specify either the "
                        "parameter Metrics or the single metric parameters.");
    }
  }
  TRY(settings.queries, read_data_queries(in.structures("Metrics"), "Metrics"));
  settings.queries_as_sent = *in.value().find("Metrics");
  const auto returning = std::count_if(settings.queries.begin(), settings.queries.end(),
                                       [](const DataQuery& query) { return query.return_data; });
  if (returning != 1) return validation("Metrics list must contain exactly one metric matching the ReturnData parameter.");
  return {};
}

}  // namespace

std::string_view state_name(AlarmState state) { return kStates[static_cast<std::size_t>(state)]; }
std::optional<AlarmState> find_state(std::string_view name) { return find_name<AlarmState>(kStates, name); }
std::string_view comparison_name(Comparison comparison) { return kComparisons[static_cast<std::size_t>(comparison)]; }
std::optional<Comparison> find_comparison(std::string_view name) { return find_name<Comparison>(kComparisons, name); }
std::string_view missing_data_name(MissingData treatment) { return kMissing[static_cast<std::size_t>(treatment)]; }
std::optional<MissingData> find_missing_data(std::string_view name) { return find_name<MissingData>(kMissing, name); }

std::int64_t AlarmSettings::period_s() const {
  if (metric) return effective_period(metric->period_s);
  std::int64_t longest = 60;
  for (const DataQuery& query : queries) {
    if (query.metric) longest = std::max(longest, effective_period(query.metric->period_s));
  }
  return longest;
}

Result<AlarmSettings> read_alarm(const service::Parameters& in) {
  AlarmSettings settings;
  const auto comparison = in.string("ComparisonOperator");
  const auto periods = in.integer("EvaluationPeriods");
  const auto to_alarm = in.integer("DatapointsToAlarm");
  const auto threshold = in.real("Threshold");
  const auto treatment = in.string("TreatMissingData");
  if (!comparison) return missing("ComparisonOperator");
  if (!periods) return missing("EvaluationPeriods");
  const auto found = find_comparison(*comparison);
  if (!found) {
    return validation(fmt::format("The value {} for parameter ComparisonOperator is not supported: this version has no anomaly "
                                  "detection.",
                                  *comparison));
  }
  if (!threshold) return missing("Threshold");
  const auto missing_data = find_missing_data(treatment.value_or("missing"));
  if (!missing_data) {
    return invalid_value(fmt::format("The value {} is not supported for TreatMissingData parameter. Supported values are "
                                     "[breaching, notBreaching, ignore, missing].",
                                     *treatment));
  }
  if (to_alarm && *to_alarm > *periods) {
    return invalid_value("DatapointsToAlarm must be greater than 0 and less than or equal to EvaluationPeriods");
  }
  settings.name = *in.string("AlarmName");
  settings.description = in.string("AlarmDescription").value_or("");
  settings.actions_enabled = in.boolean("ActionsEnabled").value_or(true);
  settings.ok_actions = in.strings("OKActions");
  settings.alarm_actions = in.strings("AlarmActions");
  settings.insufficient_data_actions = in.strings("InsufficientDataActions");
  TRY_VOID(check_actions(settings.ok_actions));
  TRY_VOID(check_actions(settings.alarm_actions));
  TRY_VOID(check_actions(settings.insufficient_data_actions));
  settings.comparison = *found;
  settings.evaluation_periods = *periods;
  settings.datapoints_to_alarm = to_alarm.value_or(*periods);
  settings.datapoints_to_alarm_set = to_alarm.has_value();
  settings.threshold = *threshold;
  settings.missing = *missing_data;
  settings.missing_set = treatment.has_value();
  TRY_VOID(in.has("Metrics") ? read_queries(in, settings) : read_single_metric(in, settings));
  const std::int64_t period_s = settings.period_s();
  const std::int64_t range_s = period_s < 3600 ? kDaySeconds : 7 * kDaySeconds;
  if (settings.evaluation_periods > range_s / period_s) {  // the product may be too large for a number
    return validation(fmt::format("Metrics cannot be checked across more than {} (EvaluationPeriods * Period must be <= {}).",
                                  range_s == kDaySeconds ? "a day" : "seven days", range_s));
  }
  return settings;
}

Result<AlarmRequest> check_alarm(const service::Value& request) {
  TRY(const service::Value input, request_model().check("PutMetricAlarm", request));
  std::optional<Error> mismatch;
  AlarmRequest checked{.request = service::Value::structure()};
  TRY(checked.settings, read_alarm(service::Parameters(input, mismatch)));
  for (const auto& [name, value] : *input.members()) {
    if (name != "Tags") checked.request.set(name, value);
  }
  return checked;
}

}  // namespace stator::cloudwatch
