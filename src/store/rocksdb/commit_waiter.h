#pragma once

#include <array>
#include <memory>

#include "store/rocksdb/commit_queue.h"

// Inside of the commit queue: a commit that waits for its turn.
namespace stator::store {

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

inline std::size_t bytes_of(const Batch& batch) {
  std::size_t bytes = 0;
  for (const Write& put : batch.puts) bytes += put.key.size() + put.value.size();
  for (const std::string_view key : batch.erases) bytes += key.size();
  for (const Add& add : batch.adds) bytes += add.key.size() + add.deltas.size_bytes();
  for (const Append& append : batch.appends) bytes += append.prefix.size() + append.value.size();
  return bytes;
}

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
  [[nodiscard]] bool patient() const noexcept {
    return request.batch != nullptr && request.batch->patient;
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

}  // namespace stator::store
