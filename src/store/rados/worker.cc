#include "store/rados/worker.h"

#include <algorithm>

namespace stator::store::rados {

Worker::Worker() : thread_([this] { run(); }) {}

void Worker::post(std::coroutine_handle<> work) noexcept {
  const std::lock_guard lock(mutex_);
  queue_.push_back(work);
  wake_.notify_one();
}

void Worker::spawn(base::Task<Result<void>> task) {
  {
    const std::lock_guard lock(mutex_);
    ++tasks_;
  }
  run_task(*this, std::move(task), false);
}

void Worker::run_here(base::Task<Result<void>> task) {
  {
    const std::lock_guard lock(mutex_);
    ++tasks_;
  }
  run_task(*this, std::move(task), true);
}

base::Detached Worker::run_task(Worker& worker, base::Task<Result<void>> task, bool here) {
  if (!here) co_await worker.hop();
  static_cast<void>(co_await task);
  const std::lock_guard lock(worker.mutex_);
  if (--worker.tasks_ == 0) worker.idle_.notify_all();
}

bool Worker::Sleep::await_suspend(std::coroutine_handle<> awaiting) {
  base::Executor* const executor = base::Executor::current();
  if (executor == nullptr) {
    std::this_thread::sleep_for(length_);
    return false;
  }
  const std::lock_guard lock(worker_.mutex_);
  worker_.timers_.push_back({Clock::now() + length_, executor, awaiting});
  worker_.wake_.notify_one();
  return true;
}

void Worker::run() {
  set_current(this);
  std::unique_lock lock(mutex_);
  std::vector<std::coroutine_handle<>> batch;
  std::vector<Timer> due;
  while (!stopped_ || !queue_.empty()) {
    const Clock::time_point now = Clock::now();
    const auto first_due = std::partition(timers_.begin(), timers_.end(),
                                          [&](const Timer& timer) { return timer.at > now; });
    due.assign(first_due, timers_.end());
    timers_.erase(first_due, timers_.end());
    batch.swap(queue_);
    if (due.empty() && batch.empty()) {
      const auto next =
          std::min_element(timers_.begin(), timers_.end(),
                           [](const Timer& a, const Timer& b) { return a.at < b.at; });
      if (next == timers_.end()) {
        wake_.wait(lock);
      } else {
        wake_.wait_until(lock, Clock::time_point(next->at));
      }
      continue;
    }
    lock.unlock();
    for (const Timer& timer : due)
      timer.executor == this ? timer.handle.resume() : timer.executor->post(timer.handle);
    for (const auto work : batch) work.resume();
    batch.clear();
    lock.lock();
  }
}

void Worker::close() {
  {
    std::unique_lock lock(mutex_);
    closing_ = true;
    idle_.wait(lock, [&] { return tasks_ == 0; });
    stopped_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

bool Worker::closing() const {
  const std::lock_guard lock(mutex_);
  return closing_;
}

}  // namespace stator::store::rados
