#pragma once

#include <atomic>
#include <chrono>

#include "store/rados/connection.h"

namespace stator::store::rados {

// Whether the pool is full. OSDs let omap entries grow in a full pool, up to the point where they
// drop operations without a word; only data of objects is refused. So a byte of data is written
// now and then, and while that is refused, so is here what would make the pool grow. All methods
// may be called from many threads.
class FullProbe {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kInterval{5};
  static constexpr std::chrono::seconds kIntervalWhileFull{1};

  // True when it is time for a probe: the caller makes it, and says what came of it.
  [[nodiscard]] bool due(Clock::time_point now);
  void ended(int status, Clock::time_point now);

  // The error for this write, or 0.
  [[nodiscard]] int judge(const WriteRequest& request) const;

 private:
  std::atomic<int> status_{0};  // ENOSPC or EDQUOT, negative, while the pool is full
  std::atomic<Clock::rep> next_{0};
};

}  // namespace stator::store::rados
