#include "store/rocksdb/commit_queue.h"

#include <algorithm>

#include "store/rocksdb/commit_waiter.h"

namespace stator::store {
namespace {

tl::unexpected<Error> conflict() { return fail(ErrorCode::conflict, "conflict"); }

}  // namespace

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
  hurry_ = hurry_ || !waiter.patient();
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

// Decides the order: after this, the writes of the commit are the newest for their keys.
bool CommitQueue::admit(Waiter& waiter) {
  if (refusal_) {
    waiter.error = refusal_;
    ask_for_recovery();
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

// Called with the lock held, where there is a refusal.
void CommitQueue::ask_for_recovery() {
  if (refusal_->code != ErrorCode::out_of_space || closing_) return;
  recovery_wanted_ = true;
  if (wake_committer()) work_.notify_one();
}

Result<void> CommitQueue::health() {
  const std::lock_guard lock(mutex_);
  if (!refusal_) return {};
  ask_for_recovery();
  return tl::unexpected<Error>(*refusal_);
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

void CommitQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    refusal_ = Error{ErrorCode::unavailable, "the store is closed"};
    hurry_ = true;
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
