#pragma once

#include <chrono>
#include <cstdint>

namespace stator::base {

// Wall-clock time, injected so that tests can move it. All methods may be called from many threads.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t now_ms() const = 0;  // milliseconds since the epoch
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override {
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace stator::base
