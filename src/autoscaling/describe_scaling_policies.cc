#include <algorithm>

#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> describe_scaling_policies(Context context, service::Parameters in) {
  CO_TRY(const Filter filter, read_filter(in));
  const std::vector<std::string> names = in.strings("PolicyNames");
  Page page(filter);
  context.registry.read([&](const State& state) {
    for (const auto& [name, policy] : state.policies) {
      const auto& [key, policy_name] = name;
      if (!filter.takes(key) || (!names.empty() && std::find(names.begin(), names.end(), policy_name) == names.end())) continue;
      if (!page.next()) continue;
      service::Value alarms = service::Value::list();
      for (const std::string& alarm : {policy.high_alarm, policy.low_alarm}) {
        alarms.push(service::Value::structure().set("AlarmName", alarm).set(
            "AlarmARN", cloudwatch::alarm_arn(context.registry.alarms.owner(), alarm)));
      }
      service::Value shown = service::Value::structure();
      shown.set("PolicyARN", policy.arn).set("PolicyName", policy_name).set("ServiceNamespace", kDynamoDb);
      shown.set("ResourceId", key.resource).set("ScalableDimension", key.dimension);
      shown.set("PolicyType", "TargetTrackingScaling");
      shown.set("TargetTrackingScalingPolicyConfiguration", policy.configuration).set("Alarms", std::move(alarms));
      page.push(shown.set("CreationTime", service::Time{policy.created_ms}));
    }
    return 0;
  });
  co_return page.answer("ScalingPolicies");
}

}  // namespace stator::autoscaling
