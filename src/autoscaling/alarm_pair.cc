#include "autoscaling/operations.h"

// A target-tracking policy works by two alarms on the consumed capacity, as in the service: the high one when two minutes in
// a row are above the target, the low one when fifteen are well below it. Their thresholds follow the capacity.
namespace stator::autoscaling {
namespace {

constexpr std::int64_t kMinuteSeconds = 60;
constexpr std::int64_t kHighPeriods = 2;
constexpr std::int64_t kLowPeriods = 15;
constexpr double kLowMargin = 20;  // percentage points below the target

service::Value alarm_request(const Resource& resource, const std::string& name, const Policy& policy, bool high,
                             double percent, std::int64_t units) {
  service::Value dimensions = service::Value::list();
  dimensions.push(service::Value::structure().set("Name", "TableName").set("Value", resource.table));
  if (!resource.index.empty()) {
    dimensions.push(service::Value::structure().set("Name", "GlobalSecondaryIndexName").set("Value", resource.index));
  }
  service::Value request = service::Value::structure();
  request.set("AlarmName", name);
  request.set("AlarmDescription", fmt::format("DO NOT EDIT OR DELETE. For TargetTrackingScaling policy {}.", policy.arn));
  request.set("ActionsEnabled", true).set("AlarmActions", service::Value::list().push(policy.arn));
  request.set("MetricName", resource.write ? "ConsumedWriteCapacityUnits" : "ConsumedReadCapacityUnits");
  request.set("Namespace", "AWS/DynamoDB").set("Statistic", "Sum").set("Dimensions", std::move(dimensions));
  request.set("Period", kMinuteSeconds).set("EvaluationPeriods", high ? kHighPeriods : kLowPeriods);
  request.set("Threshold", percent / 100 * static_cast<double>(units * kMinuteSeconds));
  request.set("ComparisonOperator", high ? "GreaterThanThreshold" : "LessThanThreshold");
  // A table without traffic has no datapoints, and should go down.
  if (!high) request.set("TreatMissingData", "breaching");
  return request;
}

}  // namespace

base::Task<Result<void>> put_alarms(cloudwatch::Alarms& alarms, TargetKey key, Policy policy, std::int64_t units) {
  const std::optional<Resource> resource = parse_target(key);
  for (const bool high : {true, false}) {
    const double percent = high ? policy.target_value : std::max(policy.target_value - kLowMargin, policy.target_value / 2);
    const service::Value request =
        alarm_request(*resource, high ? policy.high_alarm : policy.low_alarm, policy, high, percent, units);
    CO_TRY(cloudwatch::AlarmRequest checked, cloudwatch::check_alarm(request));
    const Result<void> done = co_await alarms.put(std::move(checked));
    CO_TRY_VOID(done);
  }
  co_return Result<void>();
}

base::Task<Result<void>> erase_alarms(cloudwatch::Alarms& alarms, Policy policy) {
  for (const std::string& name : {policy.high_alarm, policy.low_alarm}) {
    if (!alarms.find(name)) continue;
    std::vector<std::string> names(1, name);
    const Result<void> done = co_await alarms.erase(std::move(names));
    CO_TRY_VOID(done);
  }
  co_return Result<void>();
}

}  // namespace stator::autoscaling
