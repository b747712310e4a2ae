#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

#include "base/stop.h"

namespace stator::design {

// Spreads capacity units evenly over time: what is used up to any moment is never more than the rate allows, but for
// the calls that are under way. May be used by many threads.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // 0: no limit.
  explicit RateLimit(double units_per_second, std::function<Clock::time_point()> now = Clock::now)
      : rate_(units_per_second), now_(std::move(now)), free_at_(now_()) {}

  // Takes so many units off and says how long to wait before using them.
  [[nodiscard]] Clock::duration take(double units);
  // The call took other units than were taken off.
  void correct(double units_more);
  // The service refused a call: half the rate for now. It comes back as calls succeed.
  void slow_down();
  void speed_up();

  [[nodiscard]] double units_per_second() const { return rate_; }

 private:
  [[nodiscard]] Clock::duration span(double units) const;  // with mutex_ held

  const double rate_;
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  Clock::time_point free_at_;  // guarded by mutex_
  double pace_ = 1;            // share of the rate that is used; guarded by mutex_
};

// What all threads of a migration share: its limits, what it has used, and the wish to end.
struct Throttle {
  Throttle(double read_units_per_second, double write_units_per_second, base::Stop& stop_by)
      : read(read_units_per_second), write(write_units_per_second), stop(stop_by) {}

  RateLimit read;
  RateLimit write;
  base::Stop& stop;
  std::atomic<double> read_units{0};
  std::atomic<double> write_units{0};
  std::atomic<std::uint64_t> refused{0};  // calls that the service throttled
};

}  // namespace stator::design
