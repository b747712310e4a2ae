#include <algorithm>

#include "autoscaling/operations.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> describe_scheduled_actions(Context context, service::Parameters in) {
  CO_TRY(const Filter filter, read_filter(in));
  const std::vector<std::string> names = in.strings("ScheduledActionNames");
  Page page(filter);
  context.registry.read([&](const State& state) {
    for (const auto& [name, action] : state.actions) {
      const auto& [key, action_name] = name;
      if (!filter.takes(key) || (!names.empty() && std::find(names.begin(), names.end(), action_name) == names.end())) continue;
      if (!page.next()) continue;
      service::Value target = service::Value::structure();
      if (action.min) target.set("MinCapacity", *action.min);
      if (action.max) target.set("MaxCapacity", *action.max);
      service::Value shown = service::Value::structure();
      shown.set("ScheduledActionName", action_name).set("ScheduledActionARN", action.arn);
      shown.set("ServiceNamespace", kDynamoDb).set("Schedule", action.schedule);
      if (!action.time_zone.empty()) shown.set("Timezone", action.time_zone);
      shown.set("ResourceId", key.resource).set("ScalableDimension", key.dimension);
      if (action.start_ms) shown.set("StartTime", service::Time{*action.start_ms});
      if (action.end_ms) shown.set("EndTime", service::Time{*action.end_ms});
      page.push(shown.set("ScalableTargetAction", std::move(target)).set("CreationTime", service::Time{action.created_ms}));
    }
    return 0;
  });
  co_return page.answer("ScheduledActions");
}

}  // namespace stator::autoscaling
