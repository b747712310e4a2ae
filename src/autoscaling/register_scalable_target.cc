#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> register_scalable_target(Context context, service::Parameters in) {
  CO_TRY(const TargetKey key, read_target_key(in));
  const auto min = in.integer("MinCapacity");
  const auto max = in.integer("MaxCapacity");
  const auto role = in.string("RoleARN");
  const auto suspended = in.structure("SuspendedState");
  CO_TRY_VOID(in.check());
  if ((min && *min < 0) || (max && *max < 0)) co_return refuse_validation("Minimum and maximum capacity must not be negative");
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
      if (!min || !max) return refuse_validation("Both MinCapacity and MaxCapacity must be specified for a new scalable target");
      target.created_ms = now_ms;
      target.arn = fmt::format("arn:aws:application-autoscaling:{}:{}:scalable-target/{}", context.region,
                               context.account_id, make_uuid());
      target.role_arn = fmt::format("arn:aws:iam::{}:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
                                    "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable",
                                    context.account_id);
    }
    if (min) target.min = *min;
    if (max) target.max = *max;
    if (role) target.role_arn = *role;
    if (target.max < target.min) return refuse_validation("Maximum capacity cannot be less than minimum capacity");
    if (suspended) {
      target.scale_in_suspended = suspended->boolean("DynamicScalingInSuspended").value_or(target.scale_in_suspended);
      target.scale_out_suspended = suspended->boolean("DynamicScalingOutSuspended").value_or(target.scale_out_suspended);
      target.scheduled_suspended = suspended->boolean("ScheduledScalingSuspended").value_or(target.scheduled_suspended);
    }
    arn = target.arn;
    state.targets[key] = target;
    return {};
  };
  const Result<void> done = co_await context.registry.update(change);
  CO_TRY_VOID(done);
  co_return service::Value::structure().set("ScalableTargetARN", arn);
}

}  // namespace stator::autoscaling
