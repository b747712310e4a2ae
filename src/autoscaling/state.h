#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "service/parameters.h"
#include "service/value.h"

namespace stator::autoscaling {

inline constexpr std::string_view kDynamoDb = "dynamodb";

// What is scaled: one kind of capacity of one table or index.
struct TargetKey {
  std::string resource;   // table/NAME or table/NAME/index/INDEX
  std::string dimension;  // dynamodb:table:ReadCapacityUnits and its three siblings

  friend auto operator<=>(const TargetKey&, const TargetKey&) = default;
};

// The same taken apart.
struct Resource {
  std::string table;
  std::string index;  // empty: the table itself
  bool write = false;
};
// Nothing where resource and dimension do not fit together.
[[nodiscard]] std::optional<Resource> parse_target(const TargetKey& key);

struct Target {
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string role_arn;
  std::string arn;
  std::int64_t created_ms = 0;
  bool scale_in_suspended = false;
  bool scale_out_suspended = false;
  bool scheduled_suspended = false;
};

struct Policy {
  std::string arn;
  double target_value = 0;  // percent of the provisioned capacity
  std::int64_t scale_out_cooldown_s = 0;
  std::int64_t scale_in_cooldown_s = 0;
  bool disable_scale_in = false;
  service::Value configuration;  // as it was sent
  std::string high_alarm;
  std::string low_alarm;
  std::int64_t created_ms = 0;
  std::int64_t scaled_out_ms = 0;  // when it last did
  std::int64_t scaled_in_ms = 0;
};

struct ScheduledAction {
  std::string arn;
  std::string schedule;
  std::string time_zone;
  std::optional<std::int64_t> start_ms;
  std::optional<std::int64_t> end_ms;
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::int64_t created_ms = 0;
  std::int64_t next_ms = -1;  // when it is due; -1: never again
};

struct Activity {
  std::string id;
  TargetKey target;
  std::string description;
  std::string cause;
  std::int64_t started_ms = 0;
  std::int64_t ended_ms = 0;
  std::string status;  // Successful, Failed
  std::string message;
};

using Named = std::pair<TargetKey, std::string>;  // a policy or scheduled action of a target

struct State {
  std::map<TargetKey, Target> targets;
  std::map<Named, Policy> policies;
  std::map<Named, ScheduledAction> actions;
  std::vector<Activity> activities;  // oldest first
};
inline constexpr std::size_t kActivitiesMax = 1000;
// As many as the service has by default.
inline constexpr std::size_t kTargetsMax = 5000;
inline constexpr std::size_t kActionsPerTargetMax = 200;

// A part of a stored text that cannot be used.
struct Unusable {
  std::string name;
  std::string text;
  Error why;
};

// The stored form: one text for each target with all that hangs on it. `key` null: everything, the form of earlier versions.
[[nodiscard]] std::string encode_state(const State& state, const TargetKey* key);
// Whether there is anything to store.
[[nodiscard]] bool has_any(const State& state, const TargetKey& key);
// Adds what the text says to `state`, each record checked as the request that made it was. An error where it is no such text.
[[nodiscard]] Result<void> decode_state(std::string_view text, State& state, std::vector<Unusable>& unusable);

}  // namespace stator::autoscaling
