#pragma once

#include <coroutine>
#include <span>

namespace stator::base {

// A place where suspended work goes on: a reactor, or the thread of an embedding program that waits.
// A coroutine that is suspended by the store resumes on the executor it was running on, so engine code
// never moves between threads by itself.
class Executor {
 public:
  virtual ~Executor() = default;

  // Queues `work` to run on this executor's thread. May be called from any thread.
  virtual void post(std::coroutine_handle<> work) noexcept = 0;

  // Queues all of them, in order. A group commit answers many requests at once: an executor that overrides this
  // takes its lock and wakes its thread once instead of once for each.
  virtual void post_many(std::span<const std::coroutine_handle<>> work) noexcept {
    for (const auto handle : work) post(handle);
  }

  // Whether nothing else waits for its thread, so that a read may go to the disk there instead of on a reader's thread.
  [[nodiscard]] virtual bool may_block() const noexcept { return false; }

  // The executor of the calling thread; null on a thread that is none.
  static Executor* current() noexcept { return current_; }
  static bool thread_may_block() noexcept { return current_ == nullptr || current_->may_block(); }

 protected:
  // Called by the thread that runs this executor, before it runs any work.
  static void set_current(Executor* executor) noexcept { current_ = executor; }

 private:
  static inline thread_local Executor* current_ = nullptr;
};

}  // namespace stator::base
