#include "cloudwatch/alarms.h"

#include "base/sync_wait.h"
#include "cloudwatch/alarm_evaluation.h"
#include "cloudwatch/errors.h"
#include "service/codecs.h"

namespace stator::cloudwatch {
namespace {

constexpr std::size_t kAlarmsMax = 10'000;

}  // namespace

std::string alarm_arn(const Owner& owner, std::string_view name) {
  return fmt::format("arn:aws:cloudwatch:{}:{}:alarm:{}", owner.region, owner.account_id, name);
}

Alarms::Alarms(store::Store& store, const metrics::History& history, const base::Clock& clock, Owner owner)
    : history_(history), clock_(clock), owner_(std::move(owner)), documents_(store, "alarm") {}

Result<void> Alarms::load() {
  TRY(const auto documents, documents_.load());
  const std::lock_guard lock(mutex_);
  for (const auto& [name, text] : documents) {
    Result<Alarm> alarm = decode_alarm(text);
    if (alarm) alarms_.insert_or_assign(name, *std::move(alarm));
  }
  return {};
}

base::Task<Result<void>> Alarms::store(Alarm alarm) {
  Result<void> done = co_await documents_.put(alarm.settings.name, encode_alarm(alarm));
  co_return done;
}

void Alarms::add_history(Alarm& alarm, std::string type, std::string summary, std::string data) const {
  alarm.history.push_front({clock_.now_ms(), std::move(type), std::move(summary), std::move(data)});
  if (alarm.history.size() > kHistoryItemsMax) alarm.history.pop_back();
}

base::Task<Result<void>> Alarms::put(AlarmSettings settings, service::Value request) {
  Alarm stored;
  {
    const std::lock_guard lock(mutex_);
    const std::string name = settings.name;
    const bool is_new = !alarms_.contains(name);
    if (is_new && alarms_.size() >= kAlarmsMax) {
      co_return service::refuse("LimitExceeded", "LimitExceededFault", "The quota for alarms for this customer has already been reached.");
    }
    Alarm& alarm = alarms_[name];
    const std::int64_t now_ms = clock_.now_ms();
    alarm.settings = std::move(settings);
    alarm.request = std::move(request);
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
    stored = alarm;
  }
  Result<void> done = co_await store(std::move(stored));
  co_return done;
}

base::Task<Result<void>> Alarms::erase(std::vector<std::string> names) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) {
      if (!alarms_.contains(name)) co_return not_found(fmt::format("Unknown alarm {}", name));
    }
    for (const std::string& name : names) alarms_.erase(name);
  }
  for (const std::string& name : names) {
    const Result<void> done = co_await documents_.erase(name);
    CO_TRY_VOID(done);
  }
  co_return Result<void>();
}

base::Task<Result<void>> Alarms::set_state(std::string name, AlarmState state, std::string reason,
                                           std::string reason_data) {
  std::optional<Alarm> changed;
  {
    const std::lock_guard lock(mutex_);
    if (!alarms_.contains(name)) co_return not_found(fmt::format("Unknown alarm {}", name));
    changed = transition(name, state, reason, reason_data);
  }
  if (!changed) co_return Result<void>();
  Result<void> done = co_await store(*std::move(changed));
  co_return done;
}

base::Task<Result<void>> Alarms::enable_actions(std::vector<std::string> names, bool enabled) {
  for (const std::string& name : names) {
    std::optional<Alarm> changed;
    {
      const std::lock_guard lock(mutex_);
      const auto found = alarms_.find(name);
      if (found == alarms_.end()) continue;  // the service says nothing either
      found->second.settings.actions_enabled = enabled;
      found->second.request.member("ActionsEnabled") = enabled;
      found->second.configured_ms = clock_.now_ms();
      changed = found->second;
    }
    const Result<void> done = co_await store(*std::move(changed));
    CO_TRY_VOID(done);
  }
  co_return Result<void>();
}

std::vector<Alarm> Alarms::list(const std::function<bool(const Alarm&)>& wanted) const {
  std::vector<Alarm> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, alarm] : alarms_) {
    if (wanted(alarm)) found.push_back(alarm);
  }
  return found;
}

std::optional<Alarm> Alarms::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = alarms_.find(name);
  if (found == alarms_.end()) return std::nullopt;
  return found->second;
}

void Alarms::evaluate() {
  const std::int64_t end_s = clock_.now_ms() / 60'000 * 60;
  const std::vector<Alarm> due = list([&](const Alarm& alarm) { return alarm.evaluated_until_s != end_s; });
  for (const Alarm& alarm : due) evaluate_one(alarm, end_s);
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
    if (!values) return;
    for (const DataQuery& query : settings.queries) {
      const MathValue& value = values->at(query.id);
      if (query.return_data && value.kind == MathValue::Kind::series) samples = value.series[0].samples;
    }
  }
  const Verdict verdict = evaluate_alarm(settings, alarm.state, samples, end_s, clock_.now_ms());
  std::optional<Alarm> changed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = alarms_.find(settings.name);
    if (found == alarms_.end() || found->second.configured_ms != alarm.configured_ms) return;  // changed meanwhile
    found->second.evaluated_until_s = end_s;
    if (verdict.state != found->second.state && !verdict.reason.empty()) {
      changed = transition(settings.name, verdict.state, verdict.reason, verdict.reason_data);
    }
  }
  // A state that could not be stored is found again after a restart.
  if (changed) static_cast<void>(base::sync_wait(store(*std::move(changed))));
}

std::optional<Alarm> Alarms::transition(const std::string& name, AlarmState state, const std::string& reason,
                                        const std::string& reason_data) {
  Alarm& alarm = alarms_.at(name);
  const AlarmState before = alarm.state;
  const std::int64_t now_ms = clock_.now_ms();
  service::Value data = service::Value::structure().set("version", "1.0");
  data.set("oldState", service::Value::structure().set("stateValue", state_name(before)).set("stateReason", alarm.reason));
  data.set("newState", service::Value::structure().set("stateValue", state_name(state)).set("stateReason", reason));
  alarm.state = state;
  alarm.reason = reason;
  alarm.reason_data = reason_data;
  alarm.state_updated_ms = now_ms;
  if (state == before) return alarm;
  alarm.state_transitioned_ms = now_ms;
  add_history(alarm, "StateUpdate", fmt::format("Alarm updated from {} to {}", state_name(before), state_name(state)),
              service::encode_json(data));
  act(alarm, before);
  return alarm;
}

void Alarms::act(Alarm& alarm, AlarmState before) {
  if (!alarm.settings.actions_enabled) return;
  const std::vector<std::string>& actions = alarm.state == AlarmState::alarm ? alarm.settings.alarm_actions
                                            : alarm.state == AlarmState::ok  ? alarm.settings.ok_actions
                                                                             : alarm.settings.insufficient_data_actions;
  for (const std::string& action : actions) {
    if (action.starts_with("http://")) webhook_.post(action, service::encode_json(action_message(alarm, before, owner_)));
    add_history(alarm, "Action", fmt::format("Successfully executed action {}", action),
                service::encode_json(service::Value::structure().set("actionState", "Succeeded").set("notificationResource", action)));
  }
}

}  // namespace stator::cloudwatch
