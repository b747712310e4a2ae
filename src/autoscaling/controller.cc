#include "autoscaling/controller.h"

#include <algorithm>
#include <cmath>

#include "autoscaling/operations.h"
#include "autoscaling/schedule.h"
#include "base/sync_wait.h"

namespace stator::autoscaling {
namespace {

constexpr metrics::Minute kMinutesLookedAt = 2;

bool is_alarm(const cloudwatch::Alarms& alarms, const std::string& name) {
  return alarms.state_of(name) == cloudwatch::AlarmState::alarm;
}

}  // namespace

std::int64_t wanted_units(double consumed, double target_percent, const Target& target) {
  const double wanted = std::ceil(consumed * 100 / target_percent - 1e-9);
  const auto least = static_cast<double>(target.min);
  return static_cast<std::int64_t>(std::clamp(wanted, least, std::max(least, static_cast<double>(target.max))));
}

void Controller::step() {
  const std::int64_t now_ms = registry_.clock.now_ms();
  run_schedules(now_ms);
  struct Work {
    Named name;
    Policy policy;
    Target target;
  };
  const std::vector<Work> work = registry_.read([](const State& state) {
    std::vector<Work> found;
    for (const auto& [name, policy] : state.policies) {
      const auto target = state.targets.find(name.first);
      if (target != state.targets.end()) found.push_back({name, policy, target->second});
    }
    return found;
  });
  for (const Work& one : work) run_policy(one.name, one.policy, one.target, now_ms);
}

void Controller::run_policy(const Named& name, const Policy& policy, const Target& target, std::int64_t now_ms) {
  const bool high = is_alarm(registry_.alarms, policy.high_alarm) && !target.scale_out_suspended;
  const bool low = !high && is_alarm(registry_.alarms, policy.low_alarm) && !target.scale_in_suspended && !policy.disable_scale_in;
  if (!high && !low) return;
  const std::int64_t since_out_ms = now_ms - policy.scaled_out_ms;
  const std::int64_t since_in_ms = now_ms - policy.scaled_in_ms;
  // A minute at least: what was changed has to be seen in a datapoint first.
  const std::int64_t out_wait_ms = std::max(policy.scale_out_cooldown_s * 1000, kMinuteMs);
  const std::int64_t in_wait_ms = std::max(policy.scale_in_cooldown_s * 1000, kMinuteMs);
  if (high && since_out_ms < out_wait_ms) return;
  if (low && (since_out_ms < in_wait_ms || since_in_ms < in_wait_ms)) return;

  const Resource resource = *parse_target(name.first);
  const Result<std::int64_t> units = registry_.capacity.get(resource);
  if (!units) return;  // the table is gone; its target waits for one of the same name, as in the service
  const std::int64_t wanted = wanted_units(consumed_per_second(resource, now_ms), policy.target_value, target);
  if (high ? wanted <= *units : wanted >= *units) return;
  const std::string cause =
      fmt::format("monitor alarm {} in state ALARM triggered policy {}", high ? policy.high_alarm : policy.low_alarm, name.second);
  const bool done = scale(name.first, *units, wanted, cause, now_ms);
  static_cast<void>(base::sync_wait(registry_.update(name.first, [&](State& state) -> Result<void> {
    const auto found = state.policies.find(name);
    // A failed attempt waits like a successful one: trying it every second would not help.
    if (found != state.policies.end()) (high ? found->second.scaled_out_ms : found->second.scaled_in_ms) = now_ms;
    return {};
  })));
  if (done) static_cast<void>(base::sync_wait(put_alarms(registry_.alarms, name.first, policy, wanted)));
}

double Controller::consumed_per_second(const Resource& resource, std::int64_t now_ms) const {
  const metrics::SeriesKey key{
      resource.write ? metrics::Metric::consumed_write_units : metrics::Metric::consumed_read_units, resource.table,
      resource.index};
  const metrics::Minute now = now_ms / kMinuteMs;
  const auto points = base::sync_wait(registry_.history.read(key, now - kMinutesLookedAt, now));
  double most = 0;
  if (points) {
    for (const metrics::Point& point : *points) {
      most = std::max(most, static_cast<double>(point.sum) * metrics::definition(key.metric).scale / 60);
    }
  }
  return most;
}

bool Controller::scale(const TargetKey& key, std::int64_t from, std::int64_t to, const std::string& cause,
                       std::int64_t now_ms) {
  const Result<void> done = registry_.capacity.set(*parse_target(key), to);
  const bool write = parse_target(key)->write;
  Activity activity{make_uuid(), key, fmt::format("Setting {} capacity units to {}.", write ? "write" : "read", to), cause, now_ms,
                    registry_.clock.now_ms(), done ? "Successful" : "Failed", ""};
  activity.message = done ? fmt::format("Successfully set {} capacity units to {}. Change successfully fulfilled by dynamodb.",
                                        write ? "write" : "read", to)
                          : fmt::format("Failed to set {} capacity units from {} to {}. Reason: {}", write ? "write" : "read",
                                        from, to, done.error().message);
  static_cast<void>(base::sync_wait(registry_.update(key, [&](State& state) -> Result<void> {
    state.activities.push_back(activity);
    if (state.activities.size() > kActivitiesMax) state.activities.erase(state.activities.begin());
    return {};
  })));
  return done.has_value();
}

void Controller::run_schedules(std::int64_t now_ms) {
  const std::vector<Named> due = registry_.read([&](const State& state) {
    std::vector<Named> found;
    for (const auto& [name, action] : state.actions) {
      if (action.next_ms >= 0 && action.next_ms <= now_ms) found.push_back(name);
    }
    return found;
  });
  for (const Named& name : due) {
    std::optional<Target> after;
    static_cast<void>(base::sync_wait(registry_.update(name.first, [&](State& state) -> Result<void> {
      const auto found = state.actions.find(name);
      const auto target = state.targets.find(name.first);
      if (found == state.actions.end() || target == state.targets.end()) return {};
      ScheduledAction& action = found->second;
      const bool within = (!action.start_ms || now_ms >= *action.start_ms) && (!action.end_ms || now_ms < *action.end_ms);
      action.next_ms = next_time(action.schedule, action.start_ms.value_or(action.created_ms), now_ms).value_or(-1);
      if (!within || target->second.scheduled_suspended) return {};
      Target& limits = target->second;
      if (action.min) limits.min = *action.min;
      if (action.max) limits.max = *action.max;
      // Of an action with one limit the other one follows.
      if (limits.max < limits.min) (action.max ? limits.min : limits.max) = action.max ? limits.max : limits.min;
      after = target->second;
      return {};
    })));
    if (!after) continue;
    // A scheduled action moves a capacity that is out of its new limits into them at once.
    const Result<std::int64_t> units = registry_.capacity.get(*parse_target(name.first));
    if (!units) continue;
    const std::int64_t wanted = std::clamp(*units, after->min, std::max(after->min, after->max));
    const std::string cause = fmt::format("scheduled action name {} was triggered", name.second);
    if (wanted != *units) scale(name.first, *units, wanted, cause, now_ms);
  }
}

}  // namespace stator::autoscaling
