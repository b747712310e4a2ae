#include "design/migrate/throttle.h"

#include <algorithm>

namespace stator::design {

namespace {

constexpr double kSlowest = 1.0 / 64;
constexpr double kRecovery = 1.02;  // for each call that succeeds

}  // namespace

RateLimit::Clock::duration RateLimit::span(double units) const {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(units / (rate_ * pace_)));
}

RateLimit::Clock::duration RateLimit::take(double units) {
  if (rate_ <= 0) return {};
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = now_();
  const Clock::time_point begin = std::max(now, free_at_);
  free_at_ = begin + span(units);
  return begin - now;
}

void RateLimit::correct(double units_more) {
  if (rate_ <= 0) return;
  const std::lock_guard lock(mutex_);
  free_at_ += span(units_more);
}

void RateLimit::slow_down() {
  const std::lock_guard lock(mutex_);
  pace_ = std::max(kSlowest, pace_ / 2);
}

void RateLimit::speed_up() {
  const std::lock_guard lock(mutex_);
  pace_ = std::min(1.0, pace_ * kRecovery);
}

}  // namespace stator::design
