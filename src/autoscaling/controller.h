#pragma once

#include "autoscaling/registry.h"

namespace stator::autoscaling {

// Acts on the alarms of policies and on schedules. step() is called about once a second by one thread; it blocks.
//
// As the service does: the high alarm raises the capacity at once, to what the consumption needs at the target utilization, and
// again after the cooldown; the low alarm lowers it, slowly, only when neither cooldown is running. Both stay within
// minimum and maximum.
class Controller {
 public:
  explicit Controller(Registry& registry) : registry_(registry) {}
  void step();

 private:
  void run_schedules(std::int64_t now_ms);
  void run_policy(const Named& name, const Policy& policy, const Target& target, std::int64_t now_ms);
  // Units per second that were consumed, at most, in the last minutes that have ended.
  [[nodiscard]] double consumed_per_second(const Resource& resource, std::int64_t now_ms) const;
  // Sets the capacity and writes down the activity; whether it was done.
  bool scale(const TargetKey& key, std::int64_t from, std::int64_t to, const std::string& cause, std::int64_t now_ms);

  Registry& registry_;
};

// The capacity at which `consumed` units per second are `target_percent` of it.
[[nodiscard]] std::int64_t wanted_units(double consumed, double target_percent, const Target& target);

}  // namespace stator::autoscaling
