#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/task.h"

namespace stator::base {

// An executor that lives for one wait on the calling thread.
class WaitingExecutor final : public Executor {
 public:
  WaitingExecutor() : before_(current()) { set_current(this); }
  ~WaitingExecutor() override { set_current(before_); }
  WaitingExecutor(const WaitingExecutor&) = delete;
  WaitingExecutor& operator=(const WaitingExecutor&) = delete;

  void post(std::coroutine_handle<> work) noexcept override {
    const std::lock_guard lock(mutex_);
    queue_.push_back(work);
    // Notified under the lock: the waiting thread may destroy this object as soon as it can take it.
    wake_.notify_one();
  }

  [[nodiscard]] bool may_block() const noexcept override { return true; }

  // Runs posted work until `done` is true.
  void run_until(const bool& done) {
    while (!done) {
      std::vector<std::coroutine_handle<>> batch;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return !queue_.empty(); });
        batch.swap(queue_);
      }
      for (const auto work : batch) work.resume();
    }
  }

 private:
  Executor* before_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::coroutine_handle<>> queue_;
};

// Runs a task to its end on the calling thread, which blocks meanwhile. For tests, the command line and
// embedding programs; never called on a reactor.
template <class T>
T sync_wait(Task<T> task) {
  WaitingExecutor executor;
  std::optional<T> value;
  bool done = false;
  auto run = [](Task<T>& awaited, std::optional<T>& slot, bool& finished) -> Detached {
    slot.emplace(co_await awaited);
    finished = true;
  };
  run(task, value, done);
  executor.run_until(done);
  return std::move(*value);
}

}  // namespace stator::base
