#include "capacity/timeline.h"

namespace stator::capacity {

std::int64_t Timeline::rebase(std::int64_t now_us) noexcept {
  const std::scoped_lock lock(mutex_);
  const std::int64_t latest = latest_us_.load(std::memory_order_relaxed);
  const std::int64_t elapsed = now_us - origin_us_.load(std::memory_order_relaxed);
  std::int64_t next = elapsed;
  if (!started_) {
    next = kStart_us;
    started_ = true;
  } else if (elapsed < latest - kDisagreement_us) {
    next = latest;
  } else if (elapsed > latest + kJump_us) {
    next = latest + kJump_us;
  }  // else another thread has done it
  origin_us_.store(now_us - next, std::memory_order_relaxed);
  latest_us_.store(next, std::memory_order_relaxed);
  return next;
}

}  // namespace stator::capacity
