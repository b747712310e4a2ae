// The side of the commit queue that writes: groups, their answers, and what follows a failure.

#include <algorithm>

#include "base/thread_name.h"
#include "base/thread_urgency.h"
#include "store/rocksdb/commit_queue.h"
#include "store/rocksdb/commit_waiter.h"

namespace stator::store {

void CommitQueue::run() {
  base::name_thread("stator-commit");
  base::let_nobody_wait();
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!writing_ && queue_.first != nullptr) {
      if (!hurry_) wait_for_company(lock);
      if (!writing_ && queue_.first != nullptr) write_group(lock);
    } else if (!writing_ && recovery_wanted_) {
      try_to_recover(lock);
    } else if (!writing_ && closing_) {
      return;
    } else {
      committer_sleeps_ = true;
      work_.wait(lock, [&] { return !committer_sleeps_; });
    }
  }
}

// Called with patient commits alone in line.
void CommitQueue::wait_for_company(std::unique_lock<std::mutex>& lock) {
  const auto now = std::chrono::steady_clock::now();
  if (now - hurried_at_ > options_.company_memory) return;
  waits_for_company_ = true;
  committer_sleeps_ = true;
  work_.wait_until(lock, now + options_.patience, [&] { return !committer_sleeps_; });
  committer_sleeps_ = false;
  waits_for_company_ = false;
}

void CommitQueue::write_group(std::unique_lock<std::mutex>& lock) {
  WaiterList group = take_group();
  const bool hurried = std::exchange(hurry_, queue_.first != nullptr);
  writing_ = true;
  lock.unlock();
  const Result<void> written = write_to_sink(group, true);
  lock.lock();
  settle(written, group);
  lock.unlock();
  answer(group);
  const auto now = std::chrono::steady_clock::now();
  lock.lock();
  if (hurried) hurried_at_ = now;
  writing_ = false;
}

Result<void> CommitQueue::write_to_sink(const WaiterList& group, bool may_wait) {
  requests_.clear();
  for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next) {
    if (waiter->has_writes()) requests_.push_back(waiter->request);
  }
  if (requests_.empty()) return {};
  TRY_VOID(sink_.write(requests_, may_wait));
  for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next) {
    for (const PendingWrite& write : waiter->writes()) {
      if (!write.erased) sink_.has_put(write.hash, write.key, write.sequence, write.value);
    }
  }
  return {};
}

// Called with the lock held. After a failure, `group` is everyone who has to be told.
void CommitQueue::settle(const Result<void>& written, WaiterList& group) {
  if (!written) return lose_everything(written.error(), group);
  durable_.store(group.last->sequence, std::memory_order_release);
  forget_pending(group);
  statistics_.commits += requests_.size();
  statistics_.groups += requests_.empty() ? 0 : 1;
}

// All that waits, up to a size that one write to the log should have. Called with the lock held.
CommitQueue::WaiterList CommitQueue::take_group() {
  std::size_t bytes = 0;
  Waiter* last = queue_.first;
  for (bytes = last->bytes; last->next != nullptr; last = last->next) {
    bytes += last->next->bytes;
    if (bytes > kGroupBytesMax) break;
  }
  WaiterList group{queue_.first, last};
  queue_.first = last->next;
  if (queue_.first == nullptr) queue_.last = nullptr;
  last->next = nullptr;
  return group;
}

// Called with the lock held.
void CommitQueue::forget_pending(const WaiterList& group) noexcept {
  for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next) {
    if (const Range* range = waiter->request.erase_range; range != nullptr) {
      std::erase_if(erasures_,
                    [&](const PendingErasure& erasure) { return erasure.range == range; });
    }
    for (PendingWrite& write : waiter->writes()) {
      PendingWrite** at = &chain(write.hash);
      while (*at != &write) at = &(*at)->next;
      *at = write.next;
    }
  }
}

// Q3 and Q4. Called with the lock held; moves everyone in line into `group`.
void CommitQueue::lose_everything(const Error& error, WaiterList& group) {
  group.append(queue_);
  chains_.fill(nullptr);
  erasures_.clear();
  const Version fresh = ++sequence_;
  slots_.replace_above(durable_.load(std::memory_order_relaxed), fresh);
  durable_.store(fresh, std::memory_order_release);
  for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next)
    waiter->error = error;
  refusal_ = error;
  recovery_tried_at_ = std::chrono::steady_clock::now();
}

void CommitQueue::try_to_recover(std::unique_lock<std::mutex>& lock) {
  recovery_wanted_ = false;
  const auto now = std::chrono::steady_clock::now();
  if (closing_ || now - recovery_tried_at_ < options_.retry_interval) return;
  lock.unlock();
  const Result<void> recovered = sink_.recover();
  lock.lock();
  recovery_tried_at_ = std::chrono::steady_clock::now();
  if (closing_) return;
  if (recovered) {
    refusal_.reset();
  } else {
    refusal_ = recovered.error();
  }
}

// Wakes each executor once. Nothing of a waiter may be touched after its executor knows.
void CommitQueue::answer(const WaiterList& group) {
  bool threads_wait = false;
  for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next) {
    if (waiter->executor == nullptr) {
      threads_wait = true;
      continue;
    }
    auto wakeup = std::find_if(wakeups_.begin(), wakeups_.end(), [&](const Wakeup& candidate) {
      return candidate.executor == waiter->executor;
    });
    if (wakeup == wakeups_.end()) wakeup = wakeups_.insert(wakeup, {waiter->executor, {}});
    wakeup->handles.push_back(waiter->handle);
  }
  if (threads_wait) {
    const std::lock_guard lock(mutex_);
    for (Waiter* waiter = group.first; waiter != nullptr; waiter = waiter->next) {
      if (waiter->executor == nullptr) waiter->answered = true;
    }
    answered_.notify_all();
  }
  for (Wakeup& wakeup : wakeups_) {
    if (wakeup.handles.empty()) continue;
    wakeup.executor->post_many(wakeup.handles);
    wakeup.handles.clear();
  }
  // Executors of threads that wait for one answer come and go; those of reactors are few and stay.
  if (wakeups_.size() > 64) wakeups_.clear();
}

bool CommitQueue::write_in_place(Waiter& waiter, std::unique_lock<std::mutex>& lock) {
  writing_ = true;
  lock.unlock();
  waiter.next = nullptr;
  WaiterList group{&waiter, &waiter};
  const Result<void> written = write_to_sink(group, false);
  lock.lock();
  if (!written && written.error().code == ErrorCode::throttled) {
    writing_ = false;
    queue_.push_front(waiter);  // before those that came meanwhile, and may have seen it
    hurry_ = true;
    return wait_for_answer(waiter, lock);
  }
  settle(written, group);
  // A failure has put everyone in line behind this one; this one itself is answered by returning.
  if (const WaiterList others{waiter.next, group.last}; others.first != nullptr) {
    lock.unlock();
    answer(others);
    lock.lock();
  }
  writing_ = false;
  const bool wake = (queue_.first != nullptr || recovery_wanted_ || closing_) && wake_committer();
  lock.unlock();
  if (wake) work_.notify_one();
  return false;
}

}  // namespace stator::store
