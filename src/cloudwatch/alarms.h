#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cloudwatch/alarm.h"
#include "cloudwatch/webhook.h"
#include "metrics/documents.h"
#include "metrics/history.h"

namespace stator::cloudwatch {

// Where an alarm belongs, for its ARN and its messages.
struct Owner {
  std::string region;
  std::string account_id;
};
[[nodiscard]] std::string alarm_arn(const Owner& owner, std::string_view name);

// All alarms: kept across restarts, evaluated once a minute. May be used from many threads; the lock is never held across
// a call to the store or to a receiver.
class Alarms {
 public:
  Alarms(store::Store& store, const metrics::History& history, const base::Clock& clock, Owner owner);

  [[nodiscard]] Result<void> load();

  // Adds an alarm or changes its settings; its state stays where it has one.
  [[nodiscard]] base::Task<Result<void>> put(AlarmSettings settings, service::Value request);
  // All or none: an error names nothing that is there.
  [[nodiscard]] base::Task<Result<void>> erase(std::vector<std::string> names);
  [[nodiscard]] base::Task<Result<void>> set_state(std::string name, AlarmState state, std::string reason,
                                                   std::string reason_data);
  [[nodiscard]] base::Task<Result<void>> enable_actions(std::vector<std::string> names, bool enabled);

  // Copies, by name.
  [[nodiscard]] std::vector<Alarm> list(const std::function<bool(const Alarm&)>& wanted) const;
  [[nodiscard]] std::optional<Alarm> find(const std::string& name) const;

  // Looks at every alarm whose minute has ended since it was last looked at. Called by one thread; blocks.
  void evaluate();

  [[nodiscard]] const Owner& owner() const { return owner_; }

 private:
  struct Change {
    Alarm after;
    AlarmState before = AlarmState::insufficient_data;
  };
  void evaluate_one(const Alarm& alarm, std::int64_t end_s);
  // Sets the state, writes history and starts actions; what has to be stored is returned.
  [[nodiscard]] std::optional<Alarm> transition(const std::string& name, AlarmState state, const std::string& reason,
                                                const std::string& reason_data);
  void add_history(Alarm& alarm, std::string type, std::string summary, std::string data) const;
  void act(Alarm& alarm, AlarmState before);
  [[nodiscard]] base::Task<Result<void>> store(Alarm alarm);

  const metrics::History& history_;
  const base::Clock& clock_;
  const Owner owner_;
  metrics::Documents documents_;
  mutable std::mutex mutex_;
  std::map<std::string, Alarm> alarms_;  // guarded by mutex_
  Webhook webhook_;
};

// The stored form of an alarm.
[[nodiscard]] std::string encode_alarm(const Alarm& alarm);
[[nodiscard]] Result<Alarm> decode_alarm(std::string_view text);

// What a receiver of an alarm action is sent: the message that the service publishes.
[[nodiscard]] service::Value action_message(const Alarm& alarm, AlarmState before, const Owner& owner);

}  // namespace stator::cloudwatch
