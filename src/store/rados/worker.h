#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/result.h"
#include "base/task.h"

namespace stator::store::rados {

// The store's own thread: coroutines that nobody waits for run here, and timers end here. It never
// does I/O itself.
class Worker final : public base::Executor {
 public:
  Worker();
  ~Worker() override { close(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(std::coroutine_handle<> work) noexcept override;

  // Runs the task on this thread. Its error is nobody's: what it did not do is found and done by
  // someone later.
  void spawn(base::Task<Result<void>> task);

  // Runs the task from here on, wherever it goes on; close() waits for it as well.
  void run_here(base::Task<Result<void>> task);

  struct Hop {  // co_await worker.hop(): goes on on this thread
    Worker& worker;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> awaiting) const { worker.post(awaiting); }
    void await_resume() const noexcept {}
  };
  Hop hop() { return {*this}; }

  // co_await worker.sleep(ms): goes on where it was. A thread that is no executor blocks.
  class [[nodiscard]] Sleep {
   public:
    Sleep(Worker& worker, std::chrono::milliseconds length) : worker_(worker), length_(length) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting);
    void await_resume() const noexcept {}

   private:
    Worker& worker_;
    std::chrono::milliseconds length_;
  };
  Sleep sleep(std::chrono::milliseconds length) { return {*this, length}; }

  // Waits for everything that was spawned and stops.
  void close();
  [[nodiscard]] bool closing() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Timer {
    Clock::time_point at;
    base::Executor* executor;
    std::coroutine_handle<> handle;
  };
  static base::Detached run_task(Worker& worker, base::Task<Result<void>> task, bool here);
  void run();

  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::vector<std::coroutine_handle<>> queue_;
  std::vector<Timer> timers_;  // few: a scan over them is enough
  int tasks_ = 0;
  bool closing_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace stator::store::rados
