#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace stator::capacity {

// The model's own time: it starts near zero, only goes forward, and is fine enough that the cost of half a unit is a
// whole number of ticks but for a part in millions. 64 bits of ticks are 17 years.
using Ticks = std::int64_t;

inline constexpr Ticks kTicksPerMicrosecond = 16384;
inline constexpr Ticks kTicksPerSecond = 1'000'000 * kTicksPerMicrosecond;
inline constexpr Ticks kTicksPerMinute = 60 * kTicksPerSecond;

// Turns the caller's clock into ticks. A clock that is set back (by more than threads disagree about it) does not set
// the model back, and does not stop it either: time goes on from where it was. A jump forward of more than a day
// counts as a day, after which every bucket is full anyway. All methods may be called from many threads.
class Timeline {
 public:
  [[nodiscard]] Ticks at(std::int64_t now_us) noexcept {
    const std::int64_t elapsed = now_us - origin_us_.load(std::memory_order_relaxed);
    const std::int64_t latest = latest_us_.load(std::memory_order_relaxed);
    if (elapsed < latest - kDisagreement_us || elapsed > latest + kJump_us) [[unlikely]]
      return rebase(now_us) * kTicksPerMicrosecond;
    // Written once a millisecond, so that the line stays shared between cores.
    if (elapsed > latest + 1000) latest_us_.store(elapsed, std::memory_order_relaxed);
    return elapsed * kTicksPerMicrosecond;
  }

 private:
  static constexpr std::int64_t kDisagreement_us = 100'000;
  static constexpr std::int64_t kJump_us = 86'400'000'000;
  static constexpr std::int64_t kStart_us = 1'000'000;  // room for a bucket's past before the first request

  std::int64_t rebase(std::int64_t now_us) noexcept;

  std::mutex mutex_;
  bool started_ = false;  // guarded by mutex_
  // The first call is far from this and rebases.
  std::atomic<std::int64_t> origin_us_{INT64_MIN / 4};
  std::atomic<std::int64_t> latest_us_{0};
};

}  // namespace stator::capacity
