#include "autoscaling/operations.h"

namespace stator::autoscaling {

// What hangs on the target goes with it.
base::Task<Result<service::Value>> deregister_scalable_target(Context context, service::Parameters in) {
  CO_TRY(const TargetKey key, read_target_key(in));
  std::vector<Policy> policies;
  const auto change = [&](State& state) -> Result<void> {
    if (state.targets.erase(key) == 0) return no_target(key);
    for (const auto& [name, policy] : state.policies) {
      if (name.first == key) policies.push_back(policy);
    }
    std::erase_if(state.policies, [&](const auto& entry) { return entry.first.first == key; });
    std::erase_if(state.actions, [&](const auto& entry) { return entry.first.first == key; });
    return {};
  };
  const Result<void> done = co_await context.registry.update(key, change);
  CO_TRY_VOID(done);
  for (const Policy& policy : policies) {
    const Result<void> erased = co_await erase_alarms(context.registry.alarms, policy);
    CO_TRY_VOID(erased);
  }
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
