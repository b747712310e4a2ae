#include "autoscaling/operations.h"
#include "autoscaling/schedule.h"

namespace stator::autoscaling {

base::Task<Result<service::Value>> put_scheduled_action(Context context, service::Parameters in) {
  CO_TRY(const TargetKey key, read_target_key(in));
  const auto name = in.string("ScheduledActionName");
  const auto schedule = in.string("Schedule");
  const auto zone = in.string("Timezone");
  const auto start = in.time_ms("StartTime");
  const auto end = in.time_ms("EndTime");
  const auto target = in.structure("ScalableTargetAction");
  const auto min = target ? target->integer("MinCapacity") : std::nullopt;
  const auto max = target ? target->integer("MaxCapacity") : std::nullopt;
  CO_TRY_VOID(in.check());
  if (!name) co_return refuse_null("scheduledActionName");
  if (zone && *zone != "UTC" && *zone != "Etc/UTC") {
    co_return refuse_validation(fmt::format("Invalid timezone: {}; this version knows UTC alone", *zone));
  }
  if (min && max && *max < *min) co_return refuse_validation("Maximum capacity cannot be less than minimum capacity");
  if (start && end && *end <= *start) co_return refuse_validation("End time must be after start time");
  const std::int64_t now_ms = context.registry.clock.now_ms();
  const auto change = [&](State& state) -> Result<void> {
    if (!state.targets.contains(key)) return no_target(key);
    const auto known = state.actions.find({key, *name});
    ScheduledAction action = known != state.actions.end() ? known->second : ScheduledAction{};
    if (known == state.actions.end()) {
      if (!schedule || !target) return refuse_validation("Schedule and ScalableTargetAction must be specified for a new scheduled action");
      action.created_ms = now_ms;
      action.arn = fmt::format("arn:aws:autoscaling:{}:{}:scheduledAction:{}:resource/{}/{}:scheduledActionName/{}",
                               context.region, context.account_id, make_uuid(), kDynamoDb, key.resource, *name);
    }
    if (schedule) action.schedule = *schedule;
    if (zone) action.time_zone = *zone;
    if (start) action.start_ms = start;
    if (end) action.end_ms = end;
    if (target) {
      action.min = min;
      action.max = max;
    }
    const auto next = next_time(action.schedule, action.start_ms.value_or(action.created_ms), now_ms);
    if (!next) return refuse_validation(fmt::format("Invalid schedule: {}", action.schedule));
    action.next_ms = *next;
    state.actions[{key, *name}] = action;
    return {};
  };
  const Result<void> done = co_await context.registry.update(change);
  CO_TRY_VOID(done);
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
