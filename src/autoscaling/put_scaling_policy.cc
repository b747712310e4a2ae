#include "autoscaling/operations.h"

namespace stator::autoscaling {
namespace {

// The whole request, before anything is done with it.
struct PolicyInput {
  TargetKey key;
  std::string name;
  Policy policy;
};

Result<PolicyInput> read_policy(const service::Parameters& in) {
  PolicyInput input{.name = *in.string("PolicyName")};
  const auto type = in.string("PolicyType");
  TRY(input.key, read_target_key(in));
  if (!type || *type != "TargetTrackingScaling") {
    return refuse_validation(fmt::format("Policy type not supported for service namespace: {}, scalable dimension: {}",
                                         kDynamoDb, input.key.dimension));
  }
  const auto configuration = in.structure("TargetTrackingScalingPolicyConfiguration");
  if (!configuration) return refuse_validation("A target tracking scaling policy configuration must be specified");
  TRY(input.policy, read_configuration(*configuration, parse_target(input.key)->write));
  return input;
}

// Names and dates of a policy: those that it has, or new ones.
void name_policy(const Context& context, const State& state, PolicyInput& input) {
  Policy& policy = input.policy;
  if (const auto known = state.policies.find({input.key, input.name}); known != state.policies.end()) {
    policy.arn = known->second.arn;
    policy.high_alarm = known->second.high_alarm;
    policy.low_alarm = known->second.low_alarm;
    policy.created_ms = known->second.created_ms;
    return;
  }
  constexpr std::size_t kResourceInNameMax = 190;  // the name of an alarm has 255 characters
  const std::string_view resource = std::string_view(input.key.resource).substr(0, kResourceInNameMax);
  policy.arn = fmt::format("arn:aws:autoscaling:{}:{}:scalingPolicy:{}:resource/{}/{}:policyName/{}", context.region,
                           context.account_id, make_uuid(), kDynamoDb, input.key.resource, input.name);
  policy.high_alarm = fmt::format("TargetTracking-{}-AlarmHigh-{}", resource, make_uuid());
  policy.low_alarm = fmt::format("TargetTracking-{}-AlarmLow-{}", resource, make_uuid());
  policy.created_ms = context.registry.clock.now_ms();
}

// All policies of a target follow the same metric, of which there is one for each kind of capacity.
Result<void> check_room(const State& state, const PolicyInput& input) {
  const auto first = state.policies.lower_bound({input.key, ""});
  if (state.policies.contains({input.key, input.name}) || first == state.policies.end() || first->first.first != input.key) return {};
  return refuse_validation("Only one TargetTrackingScaling policy for a given metric specification is allowed.");
}

}  // namespace

Result<Policy> read_configuration(const service::Parameters& in, bool write) {
  const double target = *in.real("TargetValue");
  const auto metric = in.structure("PredefinedMetricSpecification");
  if (!metric || in.has("CustomizedMetricSpecification")) {
    return refuse_validation("A predefined metric specification must be specified in the target tracking scaling policy "
                             "configuration; customized metrics are not supported by this version");
  }
  const std::string type = *metric->string("PredefinedMetricType");
  const std::string_view wanted = write ? "DynamoDBWriteCapacityUtilization" : "DynamoDBReadCapacityUtilization";
  if (type != wanted) {
    return refuse_validation(fmt::format("PredefinedMetricType {} is not supported for the scalable dimension; use {}", type, wanted));
  }
  if (target < 20 || target > 90) {
    return refuse_validation(fmt::format("Invalid value for target value: {}. The target value must be between 20 and 90.", target));
  }
  Policy policy;
  policy.target_value = target;
  policy.scale_out_cooldown_s = in.integer("ScaleOutCooldown").value_or(0);
  policy.scale_in_cooldown_s = in.integer("ScaleInCooldown").value_or(0);
  policy.disable_scale_in = in.boolean("DisableScaleIn").value_or(false);
  policy.configuration = in.value();
  return policy;
}

base::Task<Result<service::Value>> put_scaling_policy(Context context, service::Parameters in) {
  CO_TRY(PolicyInput input, read_policy(in));
  const Result<std::int64_t> units = context.registry.capacity.get(*parse_target(input.key));
  bool is_new = false;
  const auto change = [&](State& state) -> Result<void> {
    if (!state.targets.contains(input.key) || !units) return no_target(input.key);
    TRY_VOID(check_room(state, input));
    is_new = !state.policies.contains({input.key, input.name});
    name_policy(context, state, input);
    state.policies[{input.key, input.name}] = input.policy;
    return {};
  };
  const Result<void> done = co_await context.registry.update(input.key, change);
  CO_TRY_VOID(done);
  const Result<void> watched = co_await put_alarms(context.registry.alarms, input.key, input.policy, *units);
  if (!watched && is_new) {
    // A policy without its alarms does nothing.
    const auto take_back = [&](State& state) -> Result<void> {
      state.policies.erase({input.key, input.name});
      return {};
    };
    static_cast<void>(co_await context.registry.update(input.key, take_back));
    static_cast<void>(co_await erase_alarms(context.registry.alarms, input.policy));
  }
  CO_TRY_VOID(watched);
  service::Value alarms = service::Value::list();
  for (const std::string& alarm : {input.policy.high_alarm, input.policy.low_alarm}) {
    alarms.push(service::Value::structure().set("AlarmName", alarm).set(
        "AlarmARN", cloudwatch::alarm_arn(context.registry.alarms.owner(), alarm)));
  }
  co_return service::Value::structure().set("PolicyARN", input.policy.arn).set("Alarms", std::move(alarms));
}

}  // namespace stator::autoscaling
