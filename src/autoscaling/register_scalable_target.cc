#include "autoscaling/operations.h"

namespace stator::autoscaling {
namespace {

// The whole request, before anything is done with it.
struct TargetInput {
  TargetKey key;
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::optional<std::string> role_arn;
  std::optional<bool> scale_in_suspended;
  std::optional<bool> scale_out_suspended;
  std::optional<bool> scheduled_suspended;
};

Result<TargetInput> read_target(const service::Parameters& in) {
  TargetInput input{.min = in.integer("MinCapacity"), .max = in.integer("MaxCapacity"), .role_arn = in.string("RoleARN")};
  TRY(input.key, read_target_key(in));
  if (const auto suspended = in.structure("SuspendedState")) {
    input.scale_in_suspended = suspended->boolean("DynamicScalingInSuspended");
    input.scale_out_suspended = suspended->boolean("DynamicScalingOutSuspended");
    input.scheduled_suspended = suspended->boolean("ScheduledScalingSuspended");
  }
  return input;
}

Result<void> apply_input(const TargetInput& input, Target& target) {
  target.min = input.min.value_or(target.min);
  target.max = input.max.value_or(target.max);
  target.role_arn = input.role_arn.value_or(target.role_arn);
  target.scale_in_suspended = input.scale_in_suspended.value_or(target.scale_in_suspended);
  target.scale_out_suspended = input.scale_out_suspended.value_or(target.scale_out_suspended);
  target.scheduled_suspended = input.scheduled_suspended.value_or(target.scheduled_suspended);
  if (target.max < target.min) return refuse_validation("Maximum capacity cannot be less than minimum capacity");
  return {};
}

}  // namespace

base::Task<Result<service::Value>> register_scalable_target(Context context, service::Parameters in) {
  CO_TRY(const TargetInput input, read_target(in));
  const TargetKey& key = input.key;
  const Result<std::int64_t> units = context.registry.capacity.get(*parse_target(key));
  if (!units) {
    co_return refuse_validation(fmt::format("{} does not exist: {}",
                                            key.resource.find("/index/") == std::string::npos ? "DynamoDB table"
                                                                                              : "DynamoDB index",
                                            key.resource));
  }
  std::string arn;
  const std::int64_t now_ms = context.registry.clock.now_ms();
  const auto change = [&](State& state) -> Result<void> {
    const auto found = state.targets.find(key);
    Target target = found != state.targets.end() ? found->second : Target{};
    if (found == state.targets.end()) {
      if (!input.min || !input.max) {
        return refuse_validation("Both MinCapacity and MaxCapacity must be specified for a new scalable target");
      }
      if (state.targets.size() >= kTargetsMax) return limit_exceeded("scalable targets", kTargetsMax);
      target.created_ms = now_ms;
      target.arn = fmt::format("arn:aws:application-autoscaling:{}:{}:scalable-target/{}", context.region,
                               context.account_id, make_uuid());
      target.role_arn = fmt::format("arn:aws:iam::{}:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
                                    "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable",
                                    context.account_id);
    }
    TRY_VOID(apply_input(input, target));
    arn = target.arn;
    state.targets[key] = target;
    return {};
  };
  const Result<void> done = co_await context.registry.update(key, change);
  CO_TRY_VOID(done);
  co_return service::Value::structure().set("ScalableTargetARN", arn);
}

}  // namespace stator::autoscaling
