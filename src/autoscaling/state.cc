#include "autoscaling/state.h"

#include <algorithm>

#include "service/codecs.h"

namespace stator::autoscaling {
namespace {

using service::Value;

Value with_key(const TargetKey& key) {
  return Value::structure().set("resource", key.resource).set("dimension", key.dimension);
}
Value optional_number(const std::optional<std::int64_t>& number) { return number ? Value(*number) : Value(); }

Value encode(const TargetKey& key, const Target& target) {
  Value value = with_key(key);
  value.set("min", target.min).set("max", target.max).set("role", target.role_arn).set("arn", target.arn);
  value.set("created_ms", target.created_ms).set("in", target.scale_in_suspended).set("out", target.scale_out_suspended);
  return value.set("scheduled", target.scheduled_suspended);
}

Value encode(const Named& name, const Policy& policy) {
  Value value = with_key(name.first);
  value.set("name", name.second).set("arn", policy.arn).set("configuration", policy.configuration);
  value.set("high", policy.high_alarm).set("low", policy.low_alarm).set("created_ms", policy.created_ms);
  value.set("target", policy.target_value).set("out_s", policy.scale_out_cooldown_s).set("in_s", policy.scale_in_cooldown_s);
  value.set("no_scale_in", policy.disable_scale_in).set("scaled_out_ms", policy.scaled_out_ms);
  return value.set("scaled_in_ms", policy.scaled_in_ms);
}

Value encode(const Named& name, const ScheduledAction& action) {
  Value value = with_key(name.first);
  value.set("name", name.second).set("arn", action.arn).set("schedule", action.schedule).set("zone", action.time_zone);
  value.set("start_ms", optional_number(action.start_ms)).set("end_ms", optional_number(action.end_ms));
  value.set("min", optional_number(action.min)).set("max", optional_number(action.max));
  return value.set("created_ms", action.created_ms).set("next_ms", action.next_ms);
}

Value encode(const Activity& activity) {
  Value value = with_key(activity.target);
  value.set("id", activity.id).set("description", activity.description).set("cause", activity.cause);
  value.set("started_ms", activity.started_ms).set("ended_ms", activity.ended_ms).set("status", activity.status);
  return value.set("message", activity.message);
}

}  // namespace

std::optional<Resource> parse_target(const TargetKey& key) {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kIndex = "/index/";
  if (!key.resource.starts_with(kTable)) return std::nullopt;
  Resource resource;
  const std::string_view rest = std::string_view(key.resource).substr(kTable.size());
  const std::size_t index = rest.find(kIndex);
  resource.table = rest.substr(0, index);
  if (index != std::string_view::npos) resource.index = rest.substr(index + kIndex.size());
  if (resource.table.empty() || (index != std::string_view::npos && resource.index.empty())) return std::nullopt;
  const std::string of = resource.index.empty() ? "dynamodb:table:" : "dynamodb:index:";
  resource.write = key.dimension == of + "WriteCapacityUnits";
  if (!resource.write && key.dimension != of + "ReadCapacityUnits") return std::nullopt;
  return resource;
}

bool has_any(const State& state, const TargetKey& key) {
  const auto begins = [&](const auto& named) {
    const auto found = named.lower_bound({key, ""});
    return found != named.end() && found->first.first == key;
  };
  return state.targets.contains(key) || begins(state.policies) || begins(state.actions) ||
         std::any_of(state.activities.begin(), state.activities.end(), [&](const Activity& one) { return one.target == key; });
}

std::string encode_state(const State& state, const TargetKey* only) {
  Value targets = Value::list();
  Value policies = Value::list();
  Value actions = Value::list();
  Value activities = Value::list();
  const auto push = [&](Value& list, const auto& entries, const auto& first, const auto& key_of) {
    for (auto one = only != nullptr ? entries.lower_bound(first) : entries.begin(); one != entries.end(); ++one) {
      if (only != nullptr && key_of(one->first) != *only) break;
      list.push(encode(one->first, one->second));
    }
  };
  const TargetKey key = only != nullptr ? *only : TargetKey{};
  const auto own_key = [](const TargetKey& target) -> const TargetKey& { return target; };
  const auto key_of_named = [](const Named& named) -> const TargetKey& { return named.first; };
  push(targets, state.targets, key, own_key);
  push(policies, state.policies, Named{key, ""}, key_of_named);
  push(actions, state.actions, Named{key, ""}, key_of_named);
  for (const Activity& activity : state.activities) {
    if (only == nullptr || activity.target == *only) activities.push(encode(activity));
  }
  Value value = Value::structure().set("targets", std::move(targets)).set("policies", std::move(policies));
  return service::encode_json(value.set("actions", std::move(actions)).set("activities", std::move(activities)));
}

}  // namespace stator::autoscaling
