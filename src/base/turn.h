#pragma once

#include <chrono>
#include <coroutine>

#include "base/executor.h"

namespace stator::base {

// How long a coroutine has had its thread, which others share. One with much to do looks now and then, at places where it
// holds nothing that others wait for, and lets them go on:
//
//   Turn turn;
//   for (...) {
//     ...
//     if (turn.is_over()) co_await turn.next();
//   }
class Turn {
 public:
  [[nodiscard]] bool is_over() const noexcept { return Clock::now() - began_ > kLength; }

  // Suspends until the executor has done what else there is to do. On a thread that is no executor nobody waits.
  [[nodiscard]] auto next() noexcept {
    struct Awaiter {
      Turn& turn;
      bool await_ready() const noexcept { return Executor::current() == nullptr; }
      void await_suspend(std::coroutine_handle<> self) const noexcept { Executor::current()->post(self); }
      void await_resume() const noexcept { turn.began_ = Clock::now(); }
    };
    return Awaiter{*this};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLength{1};

  Clock::time_point began_ = Clock::now();
};

}  // namespace stator::base
