// Reads what was stored. Every record is checked as the request that made it was: a limit that came later, or a damaged byte, costs
// one record and not the start of the server.

#include "autoscaling/operations.h"
#include "autoscaling/schedule.h"
#include "autoscaling/shapes.h"
#include "service/codecs.h"

namespace stator::autoscaling {
namespace {

using service::Parameters;
using service::Value;

TargetKey key_in(const Parameters& in) {
  return {in.string("resource").value_or(""), in.string("dimension").value_or("")};
}

Value request_for(const TargetKey& key) {
  Value request = Value::structure().set("ServiceNamespace", kDynamoDb);
  return request.set("ResourceId", key.resource).set("ScalableDimension", key.dimension);
}

Result<Value> check_request(std::string_view operation, const Value& request) {
  TRY(Value checked, request_model().check(operation, request));
  std::optional<Error> mismatch;
  TRY(const TargetKey key, read_target_key(Parameters(checked, mismatch)));
  return checked;
}

Result<void> add_target(const Parameters& in, State& state) {
  const TargetKey key = key_in(in);
  Target target{in.integer("min").value_or(0),        in.integer("max").value_or(0),   in.string("role").value_or(""),
                in.string("arn").value_or(""),        in.integer("created_ms").value_or(0), in.boolean("in").value_or(false),
                in.boolean("out").value_or(false),    in.boolean("scheduled").value_or(false)};
  TRY_VOID(in.check());
  Value request = request_for(key).set("MinCapacity", target.min).set("MaxCapacity", target.max);
  if (!target.role_arn.empty()) request.set("RoleARN", target.role_arn);
  TRY_VOID(check_request("RegisterScalableTarget", request));
  state.targets[key] = std::move(target);
  return {};
}

Result<void> add_policy(const Parameters& in, State& state) {
  const Named name{key_in(in), in.string("name").value_or("")};
  Value request = request_for(name.first).set("PolicyName", name.second).set("PolicyType", "TargetTrackingScaling");
  if (const Value* configuration = in.value().find("configuration")) {
    request.set("TargetTrackingScalingPolicyConfiguration", *configuration);
  }
  TRY(const Value checked, check_request("PutScalingPolicy", request));
  std::optional<Error> mismatch;
  const auto configuration = Parameters(checked, mismatch).structure("TargetTrackingScalingPolicyConfiguration");
  if (!configuration) return fail(ErrorCode::corruption, "it has no configuration");
  TRY(Policy policy, read_configuration(*configuration, parse_target(name.first)->write));
  policy.arn = in.string("arn").value_or("");
  policy.high_alarm = in.string("high").value_or("");
  policy.low_alarm = in.string("low").value_or("");
  policy.created_ms = in.integer("created_ms").value_or(0);
  policy.scaled_out_ms = in.integer("scaled_out_ms").value_or(0);
  policy.scaled_in_ms = in.integer("scaled_in_ms").value_or(0);
  TRY_VOID(in.check());
  state.policies[name] = std::move(policy);
  return {};
}

Result<void> add_action(const Parameters& in, State& state) {
  const Named name{key_in(in), in.string("name").value_or("")};
  ScheduledAction action{in.string("arn").value_or(""), in.string("schedule").value_or(""), in.string("zone").value_or(""),
                         in.integer("start_ms"),        in.integer("end_ms"),               in.integer("min"),
                         in.integer("max"),             in.integer("created_ms").value_or(0), in.integer("next_ms").value_or(-1)};
  TRY_VOID(in.check());
  Value limits = Value::structure();
  if (action.min) limits.set("MinCapacity", *action.min);
  if (action.max) limits.set("MaxCapacity", *action.max);
  Value request = request_for(name.first).set("ScheduledActionName", name.second).set("Schedule", action.schedule);
  if (action.start_ms) request.set("StartTime", service::Time{*action.start_ms});
  if (action.end_ms) request.set("EndTime", service::Time{*action.end_ms});
  TRY_VOID(check_request("PutScheduledAction", request.set("ScalableTargetAction", std::move(limits))));
  if (!next_time(action.schedule, action.start_ms.value_or(action.created_ms), action.created_ms)) {
    return fail(ErrorCode::corruption, "its schedule is none");
  }
  state.actions[name] = std::move(action);
  return {};
}

Result<void> add_activity(const Parameters& in, State& state) {
  Activity activity{in.string("id").value_or(""),         key_in(in), in.string("description").value_or(""),
                    in.string("cause").value_or(""),      in.integer("started_ms").value_or(0),
                    in.integer("ended_ms").value_or(0),   in.string("status").value_or(""),
                    in.string("message").value_or("")};
  TRY_VOID(in.check());
  state.activities.push_back(std::move(activity));
  return {};
}

}  // namespace

Result<void> decode_state(std::string_view text, State& state, std::vector<Unusable>& unusable) {
  TRY(const Value value, service::decode_json(text));
  using Add = Result<void> (*)(const Parameters& in, State& state);
  const std::pair<std::string_view, Add> kParts[] = {
      {"targets", add_target}, {"policies", add_policy}, {"actions", add_action}, {"activities", add_activity}};
  for (const auto& [part, add] : kParts) {
    const Value* records = value.find(part);
    if (records == nullptr || records->elements() == nullptr) return fail(ErrorCode::corruption, "it is no list of settings");
    for (const Value& record : *records->elements()) {
      std::optional<Error> mismatch;
      const Parameters in(record, mismatch);
      const Result<void> added = add(in, state);
      if (added) continue;
      std::optional<Error> ignored;  // names for a message, where there are any
      const Parameters named(record, ignored);
      unusable.push_back({fmt::format("{} {} {} {}", part, key_in(named).resource, key_in(named).dimension,
                                      named.string("name").value_or("")),
                          service::encode_json(record), added.error()});
    }
  }
  return {};
}

}  // namespace stator::autoscaling
