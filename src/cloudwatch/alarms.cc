#include "cloudwatch/alarms.h"

#include "base/sync_wait.h"
#include "cloudwatch/alarm_evaluation.h"
#include "cloudwatch/errors.h"
#include "service/codecs.h"

namespace stator::cloudwatch {
namespace {

constexpr std::size_t kAlarmsMax = 10'000;
constexpr std::size_t kRequestBytesMax = std::size_t{64} * 1024 * 1024;  // of all alarms together

bool is_webhook(std::string_view action) { return action.starts_with("http://"); }
// The policies of Application Auto Scaling look at their alarms themselves.
bool is_scaling_policy(std::string_view action) {
  return action.starts_with("arn:aws:autoscaling:") && action.find(":scalingPolicy:") != std::string_view::npos;
}

}  // namespace

std::string alarm_arn(const Owner& owner, std::string_view name) {
  return fmt::format("arn:aws:cloudwatch:{}:{}:alarm:{}", owner.region, owner.account_id, name);
}

Alarms::Alarms(store::Store& store, const metrics::History& history, const base::Clock& clock, Owner owner,
               WebhookTargets webhooks)
    : history_(history),
      clock_(clock),
      owner_(std::move(owner)),
      documents_(store, "alarm"),
      webhook_(std::move(webhooks),
               [this](const Webhook::Message& message, const std::string& failure) { acted(message, failure); }) {}

Result<void> Alarms::load() {
  TRY(const auto documents, documents_.load());
  for (const auto& [name, text] : documents) {
    Result<Alarm> alarm = decode_alarm(text);
    if (alarm && alarm->settings.name != name) alarm = fail(ErrorCode::corruption, "it has the name of another alarm");
    if (!alarm) {
      documents_.set_aside(name, text, alarm.error());
      continue;
    }
    const std::lock_guard lock(mutex_);
    request_bytes_ += alarm->request_bytes;
    alarms_.insert_or_assign(name, *std::move(alarm));
  }
  return {};
}

void Alarms::store(const Alarm& alarm, Writing& writing) {
  writing.emplace(documents_.put(alarm.settings.name, encode_alarm(alarm)));
}

void Alarms::add_history(Alarm& alarm, std::string type, std::string summary, std::string data) const {
  alarm.history.push_front({clock_.now_ms(), std::move(type), std::move(summary), std::move(data)});
  trim_history(alarm);
}

Result<void> Alarms::check_actions(const AlarmSettings& settings) const {
  for (const auto* actions : {&settings.ok_actions, &settings.alarm_actions, &settings.insufficient_data_actions}) {
    for (const std::string& action : *actions) {
      if (!is_webhook(action) || webhook_.allows(action)) continue;
      return validation(fmt::format("The action {} is not allowed: this server sends to the hosts of its option --webhook-allow "
                                    "alone",
                                    action));
    }
  }
  return {};
}

base::Task<Result<void>> Alarms::put(AlarmRequest request) {
  CO_TRY_VOID(check_actions(request.settings));
  const std::size_t bytes = service::encode_json(request.request).size();
  Writing writing;
  {
    const std::lock_guard lock(mutex_);
    const std::string name = request.settings.name;
    const auto known = alarms_.find(name);
    const bool is_new = known == alarms_.end();
    const std::size_t others = request_bytes_ - (is_new ? 0 : known->second.request_bytes);
    if ((is_new && alarms_.size() >= kAlarmsMax) || others + bytes > kRequestBytesMax) {
      co_return service::refuse("LimitExceeded", "LimitExceededFault", "The quota for alarms for this customer has already been reached.");
    }
    Alarm& alarm = alarms_[name];
    const std::int64_t now_ms = clock_.now_ms();
    request_bytes_ = others + bytes;
    alarm.request_bytes = bytes;
    alarm.settings = std::move(request.settings);
    alarm.request = std::move(request.request);
    alarm.configured_ms = now_ms;
    alarm.evaluated_until_s = 0;  // looked at with the new settings at once
    if (is_new) {
      alarm.state_updated_ms = now_ms;
      alarm.state_transitioned_ms = now_ms;
    }
    add_history(alarm, "ConfigurationUpdate", fmt::format("Alarm \"{}\" {}", name, is_new ? "created" : "updated"),
                service::encode_json(service::Value::structure()
                                         .set("version", "1.0")
                                         .set("type", is_new ? "Create" : "Update")
                                         .set("createdAlarm", alarm.request)));
    store(alarm, writing);
  }
  base::Started<Result<void>>& written = *writing;
  Result<void> done = co_await written;
  co_return done;
}

base::Task<Result<void>> Alarms::erase(std::vector<std::string> names) {
  std::deque<base::Started<Result<void>>> erasing;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) {
      if (!alarms_.contains(name)) co_return not_found(fmt::format("Unknown alarm {}", name));
    }
    for (const std::string& name : names) {
      const auto found = alarms_.find(name);
      if (found == alarms_.end()) continue;  // named twice
      request_bytes_ -= found->second.request_bytes;
      alarms_.erase(found);
      erasing.emplace_back(documents_.erase(name));
    }
  }
  Result<void> all;
  for (base::Started<Result<void>>& one : erasing) {
    const Result<void> done = co_await one;  // each has to be awaited
    if (!done) all = done;
  }
  co_return all;
}

base::Task<Result<bool>> Alarms::change(std::string name, std::function<bool(Alarm&)> change) {
  Writing writing;
  {
    const std::lock_guard lock(mutex_);
    const auto found = alarms_.find(name);
    if (found == alarms_.end()) co_return false;
    if (change(found->second)) store(found->second, writing);
  }
  if (writing) {
    base::Started<Result<void>>& written = *writing;
    const Result<void> done = co_await written;
    CO_TRY_VOID(done);
  }
  co_return true;
}

base::Task<Result<void>> Alarms::set_state(std::string name, AlarmState state, std::string reason,
                                           std::string reason_data) {
  const Result<bool> found = co_await change(name, [&](Alarm& alarm) {
    transition(alarm, state, reason, reason_data);
    return true;
  });
  CO_TRY_VOID(found);
  if (!*found) co_return not_found(fmt::format("Unknown alarm {}", name));
  co_return Result<void>();
}

base::Task<Result<void>> Alarms::enable_actions(std::vector<std::string> names, bool enabled) {
  for (const std::string& name : names) {
    // Of a name that there is none of, the service says nothing either.
    const Result<bool> found = co_await change(name, [&](Alarm& alarm) {
      alarm.settings.actions_enabled = enabled;
      alarm.request.member("ActionsEnabled") = enabled;
      alarm.configured_ms = clock_.now_ms();
      return true;
    });
    CO_TRY_VOID(found);
  }
  co_return Result<void>();
}

std::optional<Alarm> Alarms::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = alarms_.find(name);
  if (found == alarms_.end()) return std::nullopt;
  return found->second;
}

std::optional<AlarmState> Alarms::state_of(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = alarms_.find(name);
  if (found == alarms_.end()) return std::nullopt;
  return found->second.state;
}

void Alarms::evaluate() {
  const std::int64_t end_s = clock_.now_ms() / 60'000 * 60;
  const std::vector<std::string> due = read([&](const ByName& alarms) {
    std::vector<std::string> names;
    for (const auto& [name, alarm] : alarms) {
      if (alarm.evaluated_until_s != end_s) names.push_back(name);
    }
    return names;
  });
  for (const std::string& name : due) {
    if (const std::optional<Alarm> alarm = find(name)) evaluate_one(*alarm, end_s);
  }
}

void Alarms::evaluate_one(const Alarm& alarm, std::int64_t end_s) {
  const AlarmSettings& settings = alarm.settings;
  const std::int64_t begin_s = end_s - settings.period_s() * periods_looked_at(settings);
  std::vector<Sample> samples;
  if (settings.metric) {
    Result<std::vector<Sample>> read = base::sync_wait(read_samples(history_, *settings.metric, begin_s, end_s, begin_s));
    if (!read) return;  // the store is in trouble; its own messages say so
    samples = *std::move(read);
  } else {
    const Result<std::map<std::string, MathValue>> values =
        base::sync_wait(run_data_queries(history_, settings.queries, begin_s, end_s));
    // An expression that cannot be computed has no datapoints.
    if (!values && values.error().detail == nullptr) return;
    for (const DataQuery& query : settings.queries) {
      if (!values || !query.return_data) continue;
      const MathValue& value = values->at(query.id);
      if (value.kind == MathValue::Kind::series) samples = value.series[0].samples;
    }
  }
  const Verdict verdict = evaluate_alarm(settings, alarm.state, samples, end_s, clock_.now_ms());
  // A state that could not be stored is found again after a restart.
  static_cast<void>(base::sync_wait(change(settings.name, [&](Alarm& now) {
    if (now.configured_ms != alarm.configured_ms) return false;  // changed meanwhile
    now.evaluated_until_s = end_s;
    if (verdict.state == now.state || verdict.reason.empty()) return false;
    transition(now, verdict.state, verdict.reason, verdict.reason_data);
    return true;
  })));
}

void Alarms::transition(Alarm& alarm, AlarmState state, const std::string& reason, const std::string& reason_data) {
  const AlarmState before = alarm.state;
  const std::int64_t now_ms = clock_.now_ms();
  service::Value data = service::Value::structure().set("version", "1.0");
  data.set("oldState", service::Value::structure().set("stateValue", state_name(before)).set("stateReason", alarm.reason));
  data.set("newState", service::Value::structure().set("stateValue", state_name(state)).set("stateReason", reason));
  alarm.state = state;
  alarm.reason = reason;
  alarm.reason_data = reason_data;
  alarm.state_updated_ms = now_ms;
  if (state == before) return;
  alarm.state_transitioned_ms = now_ms;
  add_history(alarm, "StateUpdate", fmt::format("Alarm updated from {} to {}", state_name(before), state_name(state)),
              service::encode_json(data));
  act(alarm, before);
}

void Alarms::act(Alarm& alarm, AlarmState before) {
  if (!alarm.settings.actions_enabled) return;
  const std::vector<std::string>& actions = alarm.state == AlarmState::alarm ? alarm.settings.alarm_actions
                                            : alarm.state == AlarmState::ok  ? alarm.settings.ok_actions
                                                                             : alarm.settings.insufficient_data_actions;
  for (const std::string& action : actions) {
    if (!is_webhook(action)) {
      add_action(alarm, action, is_scaling_policy(action) ? "" : "This server has nothing that takes this action");
    } else if (!webhook_.post({alarm.settings.name, action, service::encode_json(action_message(alarm, before, owner_))})) {
      add_action(alarm, action, "Too many actions are waiting for their receivers");
    }
  }
}

void Alarms::acted(const Webhook::Message& message, const std::string& failure) {
  static_cast<void>(base::sync_wait(change(message.alarm, [&](Alarm& alarm) {
    add_action(alarm, message.url, failure);
    return true;
  })));
}

void Alarms::add_action(Alarm& alarm, const std::string& action, const std::string& failure) const {
  service::Value data = service::Value::structure();
  data.set("actionState", failure.empty() ? "Succeeded" : "Failed").set("notificationResource", action);
  if (!failure.empty()) data.set("error", failure);
  add_history(alarm, "Action",
              failure.empty() ? fmt::format("Successfully executed action {}", action)
                              : fmt::format("Failed to execute action {}. Received error: \"{}\"", action, failure),
              service::encode_json(data));
}

}  // namespace stator::cloudwatch
