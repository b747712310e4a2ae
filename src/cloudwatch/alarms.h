#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/started.h"
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
  using ByName = std::map<std::string, Alarm>;

  // `webhooks` are the receivers that actions may be sent to.
  Alarms(store::Store& store, const metrics::History& history, const base::Clock& clock, Owner owner,
         WebhookTargets webhooks = {});

  // Reads what an earlier run left. What is no alarm, or is none any more, is set aside.
  [[nodiscard]] Result<void> load();

  // Adds an alarm or changes its settings; its state stays where it has one.
  [[nodiscard]] base::Task<Result<void>> put(AlarmRequest request);
  // All or none: an error names nothing that is there.
  [[nodiscard]] base::Task<Result<void>> erase(std::vector<std::string> names);
  [[nodiscard]] base::Task<Result<void>> set_state(std::string name, AlarmState state, std::string reason,
                                                   std::string reason_data);
  [[nodiscard]] base::Task<Result<void>> enable_actions(std::vector<std::string> names, bool enabled);

  // Looks at all of them under the lock.
  template <class Look>
  auto read(Look look) const {
    const std::lock_guard lock(mutex_);
    return look(static_cast<const ByName&>(alarms_));
  }
  // A copy.
  [[nodiscard]] std::optional<Alarm> find(const std::string& name) const;
  [[nodiscard]] std::optional<AlarmState> state_of(const std::string& name) const;

  // Looks at every alarm whose minute has ended since it was last looked at. Called by one thread; blocks.
  void evaluate();

  [[nodiscard]] const Owner& owner() const { return owner_; }
  [[nodiscard]] const metrics::Documents& documents() const { return documents_; }

 private:
  // A commit that was begun under the lock, so that commits are in the order of the changes, and is awaited without it.
  using Writing = std::optional<base::Started<Result<void>>>;

  [[nodiscard]] Result<void> check_actions(const AlarmSettings& settings) const;
  void evaluate_one(const Alarm& alarm, std::int64_t end_s);
  // Sets the state, writes history and starts actions. Under the lock.
  void transition(Alarm& alarm, AlarmState state, const std::string& reason, const std::string& reason_data);
  void add_history(Alarm& alarm, std::string type, std::string summary, std::string data) const;
  void act(Alarm& alarm, AlarmState before);
  // What became of an action; `failure` is empty where it was taken.
  void add_action(Alarm& alarm, const std::string& action, const std::string& failure) const;
  void acted(const Webhook::Message& message, const std::string& failure);
  // Begins to write the alarm. Under the lock.
  void store(const Alarm& alarm, Writing& writing);
  // Changes the alarm of that name under the lock, and stores it where `change` says so. Whether there was one.
  [[nodiscard]] base::Task<Result<bool>> change(std::string name, std::function<bool(Alarm&)> change);

  const metrics::History& history_;
  const base::Clock& clock_;
  const Owner owner_;
  metrics::Documents documents_;
  mutable std::mutex mutex_;
  ByName alarms_;                  // guarded by mutex_
  std::size_t request_bytes_ = 0;  // of all of them; guarded by mutex_
  Webhook webhook_;                // last: its thread uses the rest
};

// The stored form of an alarm.
[[nodiscard]] std::string encode_alarm(const Alarm& alarm);
[[nodiscard]] Result<Alarm> decode_alarm(std::string_view text);
// Leaves as much of the history as is kept.
void trim_history(Alarm& alarm);

// What a receiver of an alarm action is sent: the message that the service publishes.
[[nodiscard]] service::Value action_message(const Alarm& alarm, AlarmState before, const Owner& owner);

}  // namespace stator::cloudwatch
