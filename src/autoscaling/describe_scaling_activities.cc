#include "autoscaling/operations.h"

namespace stator::autoscaling {

// Newest first.
base::Task<Result<service::Value>> describe_scaling_activities(Context context, service::Parameters in) {
  CO_TRY(const Filter filter, read_filter(in));
  Page page(filter);
  context.registry.read([&](const State& state) {
    for (auto activity = state.activities.rbegin(); activity != state.activities.rend(); ++activity) {
      if (!filter.takes(activity->target) || !page.next()) continue;
      service::Value shown = service::Value::structure();
      shown.set("ActivityId", activity->id).set("ServiceNamespace", kDynamoDb);
      shown.set("ResourceId", activity->target.resource).set("ScalableDimension", activity->target.dimension);
      shown.set("Description", activity->description).set("Cause", activity->cause);
      shown.set("StartTime", service::Time{activity->started_ms}).set("EndTime", service::Time{activity->ended_ms});
      page.push(shown.set("StatusCode", activity->status).set("StatusMessage", activity->message));
    }
    return 0;
  });
  co_return page.answer("ScalingActivities");
}

}  // namespace stator::autoscaling
