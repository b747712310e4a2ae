#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace stator::base {

// The wish to end, for many threads.
class Stop {
 public:
  void request() {
    {
      const std::lock_guard lock(mutex_);
      requested_ = true;
    }
    changed_.notify_all();
  }
  [[nodiscard]] bool requested() const {
    const std::lock_guard lock(mutex_);
    return requested_;
  }
  // Sleeps for so long, or until the end is wished for, which is returned.
  bool wait_ms(std::int64_t milliseconds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return requested_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool requested_ = false;
};

}  // namespace stator::base
