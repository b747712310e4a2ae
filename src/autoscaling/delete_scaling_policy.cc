#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> delete_scaling_policy(Context context, service::Parameters in) {
  const std::string name = *in.string("PolicyName");
  CO_TRY(const TargetKey key, read_target_key(in));
  Policy policy;
  const auto change = [&](State& state) -> Result<void> {
    const auto found = state.policies.find({key, name});
    if (found == state.policies.end()) {
      return service::refuse("ObjectNotFoundException",
                             fmt::format("No scaling policy found for service namespace: {}, resource ID: {}, scalable "
                                         "dimension: {}, policy name: {}",
                                         kDynamoDb, key.resource, key.dimension, name));
    }
    policy = found->second;
    state.policies.erase(found);
    return {};
  };
  const Result<void> done = co_await context.registry.update(key, change);
  CO_TRY_VOID(done);
  const Result<void> erased = co_await erase_alarms(context.registry.alarms, std::move(policy));
  CO_TRY_VOID(erased);
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
