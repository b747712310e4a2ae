#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "capacity/timeline.h"
#include "capacity/units.h"

namespace stator::capacity {

// A token bucket in one word. Instead of a balance it keeps the time at which the balance was zero: the balance is
// then (now - empty_at) * rate, at most `depth` of it, and taking units moves empty_at forward. So there is nothing
// to refill and one compare-and-swap is a charge.
//
// A request is let in while the balance is above zero and may leave a debt, since its cost can be more than the
// bucket ever holds (400 KB on a table of one unit per second). A charge may be made by many threads; two that look
// at the same balance at once may both be let in, and the debt makes up for it.
class Bucket {
 public:
  // Control path, one caller at a time. Keeps the balance in units as far as the new depth allows. A rate of zero
  // means without limit.
  void configure(std::int64_t units_per_second, std::int64_t depth_seconds, Ticks now) noexcept {
    const double before = ticks_per_half_unit_.load(std::memory_order_relaxed);
    const double after =
        units_per_second <= 0 ? 0.0 : kTicksPerSecond / (2.0 * static_cast<double>(units_per_second));
    if (before > 0) {
      const double half_units = static_cast<double>(now - start(now)) / before;
      const auto depth = static_cast<double>(depth_seconds) * static_cast<double>(kTicksPerSecond);
      empty_at_.store(now - static_cast<Ticks>(std::min(half_units * after, depth)), std::memory_order_relaxed);
    }
    ticks_per_half_unit_.store(after, std::memory_order_relaxed);
    depth_.store(depth_seconds * kTicksPerSecond, std::memory_order_relaxed);
  }

  // Sets the balance to what gathers in `seconds`, at most the depth.
  void fill(double seconds, Ticks now) noexcept {
    empty_at_.store(now - static_cast<Ticks>(seconds * static_cast<double>(kTicksPerSecond)),
                    std::memory_order_relaxed);
  }

  [[nodiscard]] bool open(Ticks now) const noexcept {
    return empty_at_.load(std::memory_order_relaxed) < now ||
           ticks_per_half_unit_.load(std::memory_order_relaxed) == 0.0;
  }

  void charge(Ticks now, HalfUnits cost) noexcept {
    const double each = ticks_per_half_unit_.load(std::memory_order_relaxed);
    if (each == 0.0) return;
    const auto ticks = static_cast<Ticks>(static_cast<double>(cost) * each);
    const Ticks oldest = now - depth_.load(std::memory_order_relaxed);
    Ticks before = empty_at_.load(std::memory_order_relaxed);
    while (!empty_at_.compare_exchange_weak(before, std::max(before, oldest) + ticks, std::memory_order_relaxed)) {
    }
  }

  // In units; below zero is debt. Zero for a bucket without limit.
  [[nodiscard]] double balance(Ticks now) const noexcept {
    const double each = ticks_per_half_unit_.load(std::memory_order_relaxed);
    return each == 0.0 ? 0.0 : static_cast<double>(now - start(now)) / each / 2;
  }

 private:
  [[nodiscard]] Ticks start(Ticks now) const noexcept {
    return std::max(empty_at_.load(std::memory_order_relaxed), now - depth_.load(std::memory_order_relaxed));
  }

  std::atomic<Ticks> empty_at_{0};
  std::atomic<Ticks> depth_{0};
  std::atomic<double> ticks_per_half_unit_{0.0};
};

}  // namespace stator::capacity
