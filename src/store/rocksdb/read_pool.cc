#include "store/rocksdb/read_pool.h"

#include "base/thread_name.h"
#include "base/thread_urgency.h"

namespace stator::store {

void ReadPool::submit(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    (last_ != nullptr ? last_->next : first_) = &job;
    last_ = &job;
    if (idle_ == 0 && static_cast<int>(threads_.size()) < threads_wanted_) {
      threads_.emplace_back([this] { serve(); });
    }
  }
  work_.notify_one();
}

void ReadPool::serve() {
  base::name_thread("stator-read");
  base::let_nobody_wait();
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    work_.wait(lock, [&] { return first_ != nullptr || closing_; });
    --idle_;
    if (first_ == nullptr) return;
    Job* job = first_;
    first_ = job->next;
    if (first_ == nullptr) last_ = nullptr;
    lock.unlock();
    job->work();
    // The job lives in the coroutine that goes on now: not to be touched afterwards.
    job->executor->post(job->handle);
    lock.lock();
  }
}

void ReadPool::close() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    threads.swap(threads_);
  }
  work_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace stator::store
