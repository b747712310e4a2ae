#include "store/rocksdb/commit_queue.h"

#include <algorithm>

namespace stator::store {
namespace {

// Room for `count` elements, inside the object while they are few.
template <class T, std::size_t kInline>
class SmallArray {
 public:
  explicit SmallArray(std::size_t count) : count_(count) {
    if (count > kInline) heap_ = std::make_unique<T[]>(count);
  }
  std::span<T> items() noexcept { return {heap_ ? heap_.get() : inline_.data(), count_}; }

 private:
  std::size_t count_;
  std::array<T, kInline> inline_;
  std::unique_ptr<T[]> heap_;
};

std::size_t bytes_of(const Batch& batch) {
  std::size_t bytes = 0;
  for (const Write& put : batch.puts) bytes += put.key.size() + put.value.size();
  for (const std::string_view key : batch.erases) bytes += key.size();
  for (const Add& add : batch.adds) bytes += add.key.size() + add.deltas.size_bytes();
  for (const Append& append : batch.appends) bytes += append.prefix.size() + append.value.size();
  return bytes;
}

tl::unexpected<Error> conflict() { return fail(ErrorCode::conflict, "conflict"); }

}  // namespace

// A commit in line. Hashes everything before the lock is taken.
class CommitQueue::Waiter {
 public:
  Waiter(CommitQueue& queue, CommitRequest what)
      : request(what),
        guard_hashes_(what.batch != nullptr ? what.batch->guards.size() : 0),
        writes_(what.batch != nullptr ? what.batch->puts.size() + what.batch->erases.size() : 0),
        queue_(queue) {
    if (what.batch == nullptr) return;
    const Batch& batch = *what.batch;
    const VersionSlots& slots = queue.slots_;
    bytes = bytes_of(batch);
    std::size_t i = 0;
    for (const Guard& guard : batch.guards) guard_hashes_.items()[i++] = slots.hash(guard.key);
    PendingWrite* write = writes_.items().data();
    for (const Write& put : batch.puts) {
      *write++ = {nullptr, slots.hash(put.key), put.key, put.value, false, 0};
    }
    for (const std::string_view key : batch.erases)
      *write++ = {nullptr, slots.hash(key), key, {}, true, 0};
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  [[nodiscard]] bool has_writes() const noexcept {
    return request.batch == nullptr || !request.batch->puts.empty() ||
           !request.batch->erases.empty() || !request.batch->adds.empty() ||
           !request.batch->appends.empty();
  }
  [[nodiscard]] std::span<std::uint64_t> guard_hashes() noexcept { return guard_hashes_.items(); }
  [[nodiscard]] std::span<PendingWrite> writes() noexcept { return writes_.items(); }

  bool await_ready() const noexcept { return false; }
  // The committer resumes the coroutine through its executor, so never before this has returned.
  bool await_suspend(std::coroutine_handle<> awaiting) {
    handle = awaiting;
    executor = base::Executor::current();
    return queue_.join(*this);
  }
  Result<void> await_resume() {
    if (error) return tl::unexpected<Error>(std::move(*error));
    return {};
  }

  Waiter* next = nullptr;
  CommitRequest request;
  std::size_t bytes = 0;
  Version sequence =
      0;  // of its writes; for a commit without writes, of the newest write before it
  std::coroutine_handle<> handle;
  base::Executor* executor = nullptr;  // null: a blocked thread waits for `answered`
  bool answered = false;
  std::optional<Error> error;

 private:
  SmallArray<std::uint64_t, 8> guard_hashes_;
  SmallArray<PendingWrite, 8> writes_;
  CommitQueue& queue_;
};

void CommitQueue::WaiterList::push(Waiter& waiter) noexcept {
  waiter.next = nullptr;
  (last != nullptr ? last->next : first) = &waiter;
  last = &waiter;
}

void CommitQueue::WaiterList::push_front(Waiter& waiter) noexcept {
  waiter.next = first;
  first = &waiter;
  if (last == nullptr) last = &waiter;
}

void CommitQueue::WaiterList::append(WaiterList& other) noexcept {
  if (other.first == nullptr) return;
  (last != nullptr ? last->next : first) = other.first;
  last = other.last;
  other = {};
}

CommitQueue::CommitQueue(CommitSink& sink, VersionSlots& slots, Options options)
    : sink_(sink), slots_(slots), options_(options), committer_([this] { run(); }) {}

CommitQueue::~CommitQueue() { close(); }

base::Task<Result<void>> CommitQueue::commit(const Batch& batch) {
  // Versions never come back, so a guard that does not hold now never will: no frame and no lock
  // for it.
  for (const Guard& guard : batch.guards) {
    if (slots_.load(slots_.hash(guard.key)) != guard.version) {
      return base::Task<Result<void>>::ready(conflict());
    }
  }
  return wait({&batch, nullptr});
}

base::Task<Result<void>> CommitQueue::erase_range(Range range) {
  auto erased = wait({nullptr, &range});  // refers to this frame, which waits below
  co_return co_await erased;
}

base::Task<Result<void>> CommitQueue::wait(CommitRequest request) {
  Waiter waiter(*this, request);
  co_return co_await waiter;
}

// Gets in line. False when the answer is there (for a thread that is no executor, always).
bool CommitQueue::join(Waiter& waiter) {
  std::unique_lock lock(mutex_);
  if (!admit(waiter)) return false;
  const bool nobody_before = !writing_ && queue_.first == nullptr;
  if (options_.write_in_place && nobody_before) return write_in_place(waiter, lock);
  queue_.push(waiter);
  return wait_for_answer(waiter, lock);
}

bool CommitQueue::wait_for_answer(Waiter& waiter, std::unique_lock<std::mutex>& lock) {
  const bool wake = wake_committer();
  const bool is_thread = waiter.executor == nullptr;
  // Unlocked first, so that the committer does not wake only to wait for the lock. From then on the
  // waiter may be answered, but it cannot be gone: its executor is this thread, and a thread
  // without one is still here.
  lock.unlock();
  if (wake) work_.notify_one();
  if (!is_thread) return true;
  lock.lock();
  answered_.wait(lock, [&] { return waiter.answered; });
  return false;
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

// Decides the order: after this, the writes of the commit are the newest for their keys.
bool CommitQueue::admit(Waiter& waiter) {
  if (refusal_) {
    waiter.error = refusal_;
    if (refusal_->code == ErrorCode::out_of_space && !closing_) {
      recovery_wanted_ = true;
      if (wake_committer()) work_.notify_one();
    }
    return false;
  }
  Version newest_seen = 0;
  for (std::size_t i = 0; i < waiter.guard_hashes().size(); ++i) {
    const Version current = slots_.load(waiter.guard_hashes()[i]);
    if (current != waiter.request.batch->guards[i].version) {
      waiter.error = Error{ErrorCode::conflict, "conflict"};
      return false;
    }
    newest_seen = std::max(newest_seen, current);
  }
  if (!waiter.has_writes()) {
    // It read only, but what it read must be durable before anyone is told that it was so.
    waiter.sequence = sequence_;
    return newest_seen > durable_.load(std::memory_order_relaxed);
  }
  waiter.sequence = ++sequence_;
  for (PendingWrite& write : waiter.writes()) {
    slots_.store(write.hash, sequence_);
    write.sequence = sequence_;
    write.next = std::exchange(chain(write.hash), &write);
  }
  if (waiter.request.erase_range != nullptr) {
    // Nobody knows which slots the keys of the range have. So every guard conflicts once; those of
    // the next read hold again, also while the erasure is in line.
    slots_.replace_all(sequence_);
    erasures_.push_back({waiter.request.erase_range, sequence_});
  }
  return true;
}

CommitQueue::Pending CommitQueue::find_pending(std::string_view key, std::uint64_t hash, Row& row) {
  const std::lock_guard lock(mutex_);
  row.version = slots_.load(hash);
  const Version erased = newest_erasure_of(key);
  for (const PendingWrite* write = chain(hash); write != nullptr; write = write->next) {
    if (write->hash != hash || write->key != key) continue;
    if (write->sequence < erased) break;
    row.exists = !write->erased;
    row.value = Bytes::copy_of(write->value);
    return Pending::found;
  }
  if (erased == 0) return Pending::none;
  row.exists = false;
  row.value = Bytes();
  return Pending::found;
}

// Zero if no erasure in line has the key in its range. Called with the lock held.
Version CommitQueue::newest_erasure_of(std::string_view key) const noexcept {
  for (auto erasure = erasures_.rbegin(); erasure != erasures_.rend(); ++erasure) {
    const Range& range = *erasure->range;
    if (key >= range.from && (range.to.empty() || key < range.to)) return erasure->sequence;
  }
  return 0;
}

void CommitQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!writing_ && queue_.first != nullptr) {
      write_group(lock);
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

void CommitQueue::write_group(std::unique_lock<std::mutex>& lock) {
  WaiterList group = take_group();
  writing_ = true;
  lock.unlock();
  const Result<void> written = write_to_sink(group, true);
  lock.lock();
  settle(written, group);
  lock.unlock();
  answer(group);
  lock.lock();
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

void CommitQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    refusal_ = Error{ErrorCode::unavailable, "the store is closed"};
    committer_sleeps_ =
        false;  // if a commit is being written in place, it wakes the committer again
  }
  work_.notify_one();
  if (committer_.joinable()) committer_.join();
}

CommitQueue::Statistics CommitQueue::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace stator::store
