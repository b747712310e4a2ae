#include "autoscaling/operations.h"
#include "autoscaling/schedule.h"

namespace stator::autoscaling {
namespace {

// The whole request, before anything is done with it.
struct ActionInput {
  TargetKey key;
  std::string name;
  std::optional<std::string> schedule;
  std::optional<std::string> zone;
  std::optional<std::int64_t> start_ms;
  std::optional<std::int64_t> end_ms;
  bool has_target = false;
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
};

Result<ActionInput> read_action(const service::Parameters& in) {
  ActionInput input{.name = *in.string("ScheduledActionName"),
                    .schedule = in.string("Schedule"),
                    .zone = in.string("Timezone"),
                    .start_ms = in.time_ms("StartTime"),
                    .end_ms = in.time_ms("EndTime")};
  TRY(input.key, read_target_key(in));
  if (const auto target = in.structure("ScalableTargetAction")) {
    input.has_target = true;
    input.min = target->integer("MinCapacity");
    input.max = target->integer("MaxCapacity");
  }
  if (input.zone && *input.zone != "UTC" && *input.zone != "Etc/UTC") {
    return refuse_validation(fmt::format("Invalid timezone: {}; this version knows UTC alone", *input.zone));
  }
  if (input.min && input.max && *input.max < *input.min) {
    return refuse_validation("Maximum capacity cannot be less than minimum capacity");
  }
  return input;
}

std::size_t actions_of(const State& state, const TargetKey& key) {
  std::size_t count = 0;
  for (auto one = state.actions.lower_bound({key, ""}); one != state.actions.end() && one->first.first == key; ++one) ++count;
  return count;
}

}  // namespace

base::Task<Result<service::Value>> put_scheduled_action(Context context, service::Parameters in) {
  CO_TRY(const ActionInput input, read_action(in));
  const std::int64_t now_ms = context.registry.clock.now_ms();
  const auto change = [&](State& state) -> Result<void> {
    if (!state.targets.contains(input.key)) return no_target(input.key);
    const Named name{input.key, input.name};
    const auto known = state.actions.find(name);
    ScheduledAction action = known != state.actions.end() ? known->second : ScheduledAction{};
    if (known == state.actions.end()) {
      if (!input.schedule || !input.has_target) {
        return refuse_validation("Schedule and ScalableTargetAction must be specified for a new scheduled action");
      }
      if (actions_of(state, input.key) >= kActionsPerTargetMax) {
        return limit_exceeded("scheduled actions for a scalable target", kActionsPerTargetMax);
      }
      action.created_ms = now_ms;
      action.arn = fmt::format("arn:aws:autoscaling:{}:{}:scheduledAction:{}:resource/{}/{}:scheduledActionName/{}",
                               context.region, context.account_id, make_uuid(), kDynamoDb, input.key.resource, input.name);
    }
    action.schedule = input.schedule.value_or(action.schedule);
    action.time_zone = input.zone.value_or(action.time_zone);
    if (input.start_ms) action.start_ms = input.start_ms;
    if (input.end_ms) action.end_ms = input.end_ms;
    if (input.has_target) {
      action.min = input.min;
      action.max = input.max;
    }
    if (action.start_ms && action.end_ms && *action.end_ms <= *action.start_ms) {
      return refuse_validation("End time must be after start time");
    }
    const auto next = next_time(action.schedule, action.start_ms.value_or(action.created_ms), now_ms);
    if (!next) return refuse_validation(fmt::format("Invalid schedule: {}", action.schedule));
    action.next_ms = *next;
    state.actions[name] = action;
    return {};
  };
  const Result<void> done = co_await context.registry.update(input.key, change);
  CO_TRY_VOID(done);
  co_return service::Value::structure();
}

}  // namespace stator::autoscaling
