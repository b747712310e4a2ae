#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> delete_scheduled_action(Context context, service::Parameters in) {
  const std::string name = *in.string("ScheduledActionName");
  CO_TRY(const TargetKey key, read_target_key(in));
  const auto change = [&](State& state) -> Result<void> {
    if (state.actions.erase({key, name}) != 0) return {};
    return service::refuse("ObjectNotFoundException",
                           fmt::format("No scheduled action found for service namespace: {}, resource ID: {}, scalable "
                                       "dimension: {}, scheduled action name: {}",
                                       kDynamoDb, key.resource, key.dimension, name));
  };
  const Result<void> done = co_await context.registry.update(key, change);
  CO_TRY_VOID(done);
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
