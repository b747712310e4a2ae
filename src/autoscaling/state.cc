#include "autoscaling/state.h"

#include <algorithm>

#include "service/codecs.h"

namespace stator::autoscaling {
namespace {

using service::Parameters;
using service::Value;

Value with_key(const TargetKey& key) {
  return Value::structure().set("resource", key.resource).set("dimension", key.dimension);
}
TargetKey key_in(const Parameters& in) {
  return {in.string("resource").value_or(""), in.string("dimension").value_or("")};
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

Policy decode_policy(const Parameters& in) {
  Policy policy;
  policy.arn = in.string("arn").value_or("");
  if (const auto configuration = in.structure("configuration")) policy.configuration = configuration->value();
  policy.high_alarm = in.string("high").value_or("");
  policy.low_alarm = in.string("low").value_or("");
  policy.created_ms = in.integer("created_ms").value_or(0);
  policy.target_value = in.real("target").value_or(0);
  policy.scale_out_cooldown_s = in.integer("out_s").value_or(0);
  policy.scale_in_cooldown_s = in.integer("in_s").value_or(0);
  policy.disable_scale_in = in.boolean("no_scale_in").value_or(false);
  policy.scaled_out_ms = in.integer("scaled_out_ms").value_or(0);
  policy.scaled_in_ms = in.integer("scaled_in_ms").value_or(0);
  return policy;
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

std::string encode_state(const State& state) {
  Value targets = Value::list();
  Value policies = Value::list();
  Value actions = Value::list();
  Value activities = Value::list();
  for (const auto& [key, target] : state.targets) targets.push(encode(key, target));
  for (const auto& [name, policy] : state.policies) policies.push(encode(name, policy));
  for (const auto& [name, action] : state.actions) actions.push(encode(name, action));
  for (const Activity& activity : state.activities) activities.push(encode(activity));
  Value value = Value::structure().set("targets", std::move(targets)).set("policies", std::move(policies));
  return service::encode_json(value.set("actions", std::move(actions)).set("activities", std::move(activities)));
}

Result<State> decode_state(std::string_view text) {
  TRY(const Value value, service::decode_json(text));
  std::optional<Error> mismatch;
  const Parameters in(value, mismatch);
  State state;
  for (const Parameters& one : in.structures("targets")) {
    state.targets[key_in(one)] = {one.integer("min").value_or(0),    one.integer("max").value_or(0),
                                  one.string("role").value_or(""),   one.string("arn").value_or(""),
                                  one.integer("created_ms").value_or(0), one.boolean("in").value_or(false),
                                  one.boolean("out").value_or(false), one.boolean("scheduled").value_or(false)};
  }
  for (const Parameters& one : in.structures("policies")) {
    state.policies[{key_in(one), one.string("name").value_or("")}] = decode_policy(one);
  }
  for (const Parameters& one : in.structures("actions")) {
    state.actions[{key_in(one), one.string("name").value_or("")}] = {
        one.string("arn").value_or(""), one.string("schedule").value_or(""), one.string("zone").value_or(""),
        one.integer("start_ms"),        one.integer("end_ms"),               one.integer("min"),
        one.integer("max"),             one.integer("created_ms").value_or(0), one.integer("next_ms").value_or(-1)};
  }
  for (const Parameters& one : in.structures("activities")) {
    state.activities.push_back({one.string("id").value_or(""), key_in(one), one.string("description").value_or(""),
                                one.string("cause").value_or(""), one.integer("started_ms").value_or(0),
                                one.integer("ended_ms").value_or(0), one.string("status").value_or(""),
                                one.string("message").value_or("")});
  }
  if (mismatch) return fail(ErrorCode::corruption, "stored auto scaling settings cannot be read");
  return state;
}

}  // namespace stator::autoscaling
