#include <algorithm>

#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> describe_scalable_targets(Context context, service::Parameters in) {
  CO_TRY(const Filter filter, read_filter(in));
  const std::vector<std::string> resources = in.strings("ResourceIds");
  Page page(filter);
  context.registry.read([&](const State& state) {
    for (const auto& [key, target] : state.targets) {
      const bool named = resources.empty() || std::find(resources.begin(), resources.end(), key.resource) != resources.end();
      if (!named || (filter.dimension && *filter.dimension != key.dimension) || !page.next()) continue;
      service::Value shown = service::Value::structure();
      shown.set("ServiceNamespace", kDynamoDb).set("ResourceId", key.resource).set("ScalableDimension", key.dimension);
      shown.set("MinCapacity", target.min).set("MaxCapacity", target.max).set("RoleARN", target.role_arn);
      shown.set("CreationTime", service::Time{target.created_ms});
      shown.set("SuspendedState", service::Value::structure()
                                      .set("DynamicScalingInSuspended", target.scale_in_suspended)
                                      .set("DynamicScalingOutSuspended", target.scale_out_suspended)
                                      .set("ScheduledScalingSuspended", target.scheduled_suspended));
      page.push(shown.set("ScalableTargetARN", target.arn));
    }
    return 0;
  });
  co_return page.answer("ScalableTargets");
}

}  // namespace stator::autoscaling
