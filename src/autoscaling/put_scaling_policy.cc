#include "autoscaling/operations.h"

namespace stator::autoscaling {
namespace {

struct Input {
  TargetKey key;
  std::string name;
  Policy policy;
};

Result<Policy> read_configuration(const service::Parameters& in, bool write) {
  const auto configuration = in.structure("TargetTrackingScalingPolicyConfiguration");
  if (!configuration) return refuse_validation("A target tracking scaling policy configuration must be specified");
  Policy policy;
  const auto target = configuration->real("TargetValue");
  const auto metric = configuration->structure("PredefinedMetricSpecification");
  if (!target) return refuse_null("targetTrackingScalingPolicyConfiguration.targetValue");
  if (!metric) {
    return refuse_validation("A predefined metric specification must be specified in the target tracking scaling policy "
                             "configuration; customized metrics are not supported by this version");
  }
  const auto type = metric->string("PredefinedMetricType");
  if (!type) return refuse_null("targetTrackingScalingPolicyConfiguration.predefinedMetricSpecification.predefinedMetricType");
  const std::string_view wanted = write ? "DynamoDBWriteCapacityUtilization" : "DynamoDBReadCapacityUtilization";
  if (*type != wanted) {
    return refuse_validation(fmt::format("PredefinedMetricType {} is not supported for the scalable dimension; use {}", *type, wanted));
  }
  if (*target < 20 || *target > 90) {
    return refuse_validation(fmt::format("Invalid value for target value: {}. The target value must be between 20 and 90.", *target));
  }
  policy.target_value = *target;
  policy.scale_out_cooldown_s = configuration->integer("ScaleOutCooldown").value_or(0);
  policy.scale_in_cooldown_s = configuration->integer("ScaleInCooldown").value_or(0);
  policy.disable_scale_in = configuration->boolean("DisableScaleIn").value_or(false);
  if (policy.scale_out_cooldown_s < 0 || policy.scale_in_cooldown_s < 0) return refuse_validation("Cooldowns must not be negative");
  policy.configuration = configuration->value();
  return policy;
}

Result<Input> read(const service::Parameters& in) {
  Input input;
  const auto name = in.string("PolicyName");
  const auto type = in.string("PolicyType");
  if (!name) return refuse_null("policyName");
  TRY(input.key, read_target_key(in));
  if (type && *type != "TargetTrackingScaling" && *type != "StepScaling") {
    return refuse_validation(fmt::format("1 validation error detected: Value '{}' at 'policyType' failed to satisfy "
                                         "constraint: Member must satisfy enum value set: [StepScaling, "
                                         "TargetTrackingScaling, PredictiveScaling]",
                                         *type));
  }
  if (!type || *type == "StepScaling") {
    return refuse_validation(fmt::format("Policy type not supported for service namespace: {}, scalable dimension: {}",
                                         kDynamoDb, input.key.dimension));
  }
  input.name = *name;
  TRY(input.policy, read_configuration(in, parse_target(input.key)->write));
  TRY_VOID(in.check());
  return input;
}

}  // namespace

base::Task<Result<service::Value>> put_scaling_policy(Context context, service::Parameters in) {
  CO_TRY(Input input, read(in));
  const Named name{input.key, input.name};
  const Result<std::int64_t> units = context.registry.capacity.get(*parse_target(input.key));
  const auto change = [&](State& state) -> Result<void> {
    if (!state.targets.contains(input.key) || !units) return no_target(input.key);
    const auto known = state.policies.find(name);
    if (known != state.policies.end()) {
      input.policy.arn = known->second.arn;
      input.policy.high_alarm = known->second.high_alarm;
      input.policy.low_alarm = known->second.low_alarm;
      input.policy.created_ms = known->second.created_ms;
    } else {
      input.policy.arn = fmt::format("arn:aws:autoscaling:{}:{}:scalingPolicy:{}:resource/{}/{}:policyName/{}", context.region,
                                     context.account_id, make_uuid(), kDynamoDb, input.key.resource, input.name);
      input.policy.high_alarm = fmt::format("TargetTracking-{}-AlarmHigh-{}", input.key.resource, make_uuid());
      input.policy.low_alarm = fmt::format("TargetTracking-{}-AlarmLow-{}", input.key.resource, make_uuid());
      input.policy.created_ms = context.registry.clock.now_ms();
    }
    state.policies[name] = input.policy;
    return {};
  };
  const Result<void> done = co_await context.registry.update(change);
  CO_TRY_VOID(done);
  const Result<void> watched = co_await put_alarms(context.registry.alarms, input.key, input.policy, *units);
  CO_TRY_VOID(watched);
  service::Value alarms = service::Value::list();
  for (const std::string& alarm : {input.policy.high_alarm, input.policy.low_alarm}) {
    alarms.push(service::Value::structure().set("AlarmName", alarm).set(
        "AlarmARN", cloudwatch::alarm_arn(context.registry.alarms.owner(), alarm)));
  }
  co_return service::Value::structure().set("PolicyARN", input.policy.arn).set("Alarms", std::move(alarms));
}

}  // namespace stator::autoscaling
