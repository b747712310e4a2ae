#pragma once

#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"

namespace stator::store {

// Threads for reads that have to go to the disk, so that no reactor blocks on one.
//
//   auto on_reader = pool.run([&] { ... });
//   co_await on_reader;
//
// runs the function on a reader thread and goes on where the coroutine was. On a thread that may block it runs in place:
// that spares two changes of thread, and work that gives way to requests does so while it reads, too.
class ReadPool {
  struct Job {
    Job* next = nullptr;
    std::coroutine_handle<> handle;
    base::Executor* executor = nullptr;
    virtual void work() = 0;

   protected:
    ~Job() = default;
  };

 public:
  template <class Function>
  class [[nodiscard]] Run final : Job {
   public:
    Run(ReadPool& pool, Function function) : pool_(pool), function_(std::move(function)) {}
    bool await_ready() {
      if (!base::Executor::thread_may_block()) return false;
      function_();
      return true;
    }
    void await_suspend(std::coroutine_handle<> awaiting) {
      this->handle = awaiting;
      this->executor = base::Executor::current();
      pool_.submit(*this);
    }
    void await_resume() const noexcept {}

   private:
    void work() override { function_(); }
    ReadPool& pool_;
    Function function_;
  };

  explicit ReadPool(int threads) : threads_wanted_(threads) {}
  ~ReadPool() { close(); }
  ReadPool(const ReadPool&) = delete;
  ReadPool& operator=(const ReadPool&) = delete;

  template <class Function>
  Run<Function> run(Function function) {
    return Run<Function>(*this, std::move(function));
  }

  // Does what is in line and stops.
  void close();

 private:
  void submit(Job& job);
  void serve();

  const int threads_wanted_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::condition_variable work_;
  Job* first_ = nullptr;
  Job* last_ = nullptr;
  int idle_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;  // started when first needed
};

}  // namespace stator::store
