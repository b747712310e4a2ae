#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> delete_scheduled_action(Context context, service::Parameters in) {
  const auto name = in.string("ScheduledActionName");
  CO_TRY(const TargetKey key, read_target_key(in));
  CO_TRY_VOID(in.check());
  if (!name) co_return refuse_null("scheduledActionName");
  const auto change = [&](State& state) -> Result<void> {
    if (state.actions.erase({key, *name}) != 0) return {};
    return service::refuse("ObjectNotFoundException",
                           fmt::format("No scheduled action found for service namespace: {}, resource ID: {}, scalable "
                                       "dimension: {}, scheduled action name: {}",
                                       kDynamoDb, key.resource, key.dimension, *name));
  };
  const Result<void> done = co_await context.registry.update(change);
  CO_TRY_VOID(done);
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
