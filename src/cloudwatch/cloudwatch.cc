#include "cloudwatch/cloudwatch.h"

#include <array>

#include "cloudwatch/errors.h"
#include "cloudwatch/shapes.h"

namespace stator::cloudwatch {
namespace {

struct Entry {
  std::string_view name;
  Operation operation;
};

constexpr auto kOperations = std::to_array<Entry>({
    {"DeleteAlarms", delete_alarms},
    {"DescribeAlarmHistory", describe_alarm_history},
    {"DescribeAlarms", describe_alarms},
    {"DescribeAlarmsForMetric", describe_alarms_for_metric},
    {"DisableAlarmActions", disable_alarm_actions},
    {"EnableAlarmActions", enable_alarm_actions},
    {"GetInsightRuleReport", get_insight_rule_report},
    {"GetMetricData", get_metric_data},
    {"GetMetricStatistics", get_metric_statistics},
    {"ListMetrics", list_metrics},
    {"PutMetricAlarm", put_metric_alarm},
    {"SetAlarmState", set_alarm_state},
});

Operation find_operation(std::string_view name) {
  for (const Entry& entry : kOperations) {
    if (entry.name == name) return entry.operation;
  }
  return nullptr;
}

}  // namespace

base::Task<Result<service::Value>> CloudWatch::call(service::Call call) {
  const Operation operation = find_operation(call.operation);
  if (operation == nullptr) {
    co_return service::refuse("InvalidAction", "UnknownOperationException",
                              fmt::format("Could not find operation {} for version {}", call.operation, kApiVersion));
  }
  CO_TRY(const service::Value input, request_model().check(call.operation, call.input));
  std::optional<Error> mismatch;  // there is none in what the model has let pass
  const Context context{collector_, history_, alarms_, insights_, clock_, call.region, call.account_id};
  Result<service::Value> answer = co_await operation(context, service::Parameters(input, mismatch));
  co_return answer;
}

}  // namespace stator::cloudwatch
