#pragma once

#include "base/clock.h"

namespace stator::metrics {

// A clock that runs `speed` times as fast as another one, from the moment it is made. For tests of what takes minutes:
// alarms and auto scaling.
class FastClock final : public base::Clock {
 public:
  FastClock(const base::Clock& clock, std::int64_t speed) : clock_(clock), speed_(speed), origin_ms_(clock.now_ms()) {}
  [[nodiscard]] std::int64_t now_ms() const override { return origin_ms_ + (clock_.now_ms() - origin_ms_) * speed_; }

 private:
  const base::Clock& clock_;
  const std::int64_t speed_;
  const std::int64_t origin_ms_;
};

}  // namespace stator::metrics
