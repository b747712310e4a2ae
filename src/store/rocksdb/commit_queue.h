#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "store/store.h"
#include "store/version_slots.h"

namespace stator::store {

// One thing in line: a batch, or the erasure of a range. Exactly one of the two is set.
struct CommitRequest {
  const Batch* batch = nullptr;
  const Range* erase_range = nullptr;
};

// Where groups of commits go. Called by one thread at a time.
class CommitSink {
 public:
  virtual ~CommitSink() = default;
  // Makes all requests durable, in order, all or nothing. An error means that nothing is known
  // about them, but for `throttled`: nothing was done, because the disk is behind and the caller
  // must not wait (`may_wait` is false).
  [[nodiscard]] virtual Result<void> write(std::span<const CommitRequest> group, bool may_wait) = 0;
  // Tells of each row that a successful write() has put, with its new version; in order, and before
  // anyone is answered.
  virtual void has_put(std::uint64_t /*hash*/, std::string_view /*key*/, Version /*version*/,
                       std::string_view /*value*/) noexcept {}
  // Asked after a write failed with out_of_space. Success means: everything that was acknowledged
  // before is safe, nothing else is visible, and write() may be called again.
  [[nodiscard]] virtual Result<void> recover() = 0;
};

// The line in which commits wait for the disk.
//
// commit() checks its guards and takes its place under one short lock; from then on its writes are
// the newest for their keys and find_pending() shows them. One committer thread takes all that has
// gathered, hands it to the sink as one group (one disk flush), and answers everyone in it. While
// it writes, the next group gathers: the busier the store, the larger the groups, without any delay
// to tune.
//
// A commit that is patient goes along with others. While there are requests (the last one was a moment ago),
// a line of patient commits alone waits for company, so that a request finds the disk free: otherwise
// background work, which commits again as soon as it is answered, would have each request wait
// for one flush more than its own.
//
// Where a write does not wait for the disk (relaxed durability), waking another thread costs more
// than writing: a commit that finds nobody writing is then written in place, by its own thread, and
// others gather behind it as usual.
//
// Q1. Groups reach the sink in the order of their sequence numbers, and a commit is in the group of
// the writes that
//     it saw or in a later one.
// Q2. durable() >= s means: every write with a sequence up to s is in the sink, or lost and gone
// from the slots. Q3. When a group fails, everything behind it fails too, because it may have been
// decided on what was lost. The
//     slots of lost writes get a fresh sequence, so that no guard can hold on a value that never
//     was.
// Q4. After a failure nothing is accepted any more. If the disk was full, a later commit asks the
// sink to recover.
//
// Nothing is copied to get in line: the batch outlives its commit, so the line and the table of
// pending writes refer to its bytes, and all bookkeeping lives in the frame of the waiting
// coroutine.
class CommitQueue {
 public:
  struct Statistics {
    std::uint64_t commits = 0;  // that were answered with success and had something to write
    std::uint64_t groups = 0;   // that were written for them
  };

  struct Options {
    bool write_in_place = false;
    std::chrono::milliseconds retry_interval{
        1000};  // the least time between two attempts to recover
    std::chrono::milliseconds patience{2};          // how long a patient commit waits for company
    std::chrono::milliseconds company_memory{20};  // how long after a request more of them are expected
  };
  CommitQueue(CommitSink& sink, VersionSlots& slots, Options options);
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  [[nodiscard]] base::Task<Result<void>> commit(const Batch& batch);
  [[nodiscard]] base::Task<Result<void>> erase_range(Range range);

  [[nodiscard]] Version durable() const noexcept {
    return durable_.load(std::memory_order_acquire);
  }

  enum class Pending : std::uint8_t {
    found,  // `row` is the newest write in line, or absent by an erasure of its range in line
    none,   // nothing in line writes the key: what the sink has is the newest
  };
  // The newest write in line for the key, if there is one. Always sets row.version to the key's
  // version at the moment of the look-up.
  [[nodiscard]] Pending find_pending(std::string_view key, std::uint64_t hash, Row& row);

  // Why commits are refused. Asking is as good as trying to commit: it has the sink recover.
  [[nodiscard]] Result<void> health();

  // Writes what is in line, answers it and stops. What comes later is refused.
  void close();

  [[nodiscard]] Statistics statistics() const;

 private:
  // A write in line, in a hash table of chains, newest first. Lives in the frame of its commit.
  struct PendingWrite {
    PendingWrite* next = nullptr;
    std::uint64_t hash = 0;
    std::string_view key;
    std::string_view value;
    bool erased = false;
    Version sequence = 0;  // of its commit
  };
  struct PendingErasure {
    const Range* range = nullptr;
    Version sequence = 0;
  };
  class Waiter;
  struct WaiterList {
    Waiter* first = nullptr;
    Waiter* last = nullptr;
    void push(Waiter& waiter) noexcept;
    void push_front(Waiter& waiter) noexcept;
    void append(WaiterList& other) noexcept;
  };

  base::Task<Result<void>> wait(CommitRequest request);
  bool join(Waiter& waiter);
  bool admit(Waiter& waiter);
  void ask_for_recovery();
  void run();
  bool write_in_place(Waiter& waiter, std::unique_lock<std::mutex>& lock);
  bool wait_for_answer(Waiter& waiter, std::unique_lock<std::mutex>& lock);
  void wait_for_company(std::unique_lock<std::mutex>& lock);
  void write_group(std::unique_lock<std::mutex>& lock);
  Result<void> write_to_sink(const WaiterList& group, bool may_wait);
  void settle(const Result<void>& written, WaiterList& group);
  [[nodiscard]] bool wake_committer() noexcept {
    if (writing_ || (waits_for_company_ && !hurry_)) return false;
    return std::exchange(committer_sleeps_, false);
  }
  void try_to_recover(std::unique_lock<std::mutex>& lock);
  WaiterList take_group();
  void forget_pending(const WaiterList& group) noexcept;
  [[nodiscard]] Version newest_erasure_of(std::string_view key) const noexcept;
  void lose_everything(const Error& error, WaiterList& group);
  void answer(const WaiterList& group);

  static constexpr std::size_t kChains = 4096;
  static constexpr std::size_t kGroupBytesMax = 16 << 20;
  PendingWrite*& chain(std::uint64_t hash) noexcept {
    return chains_[(hash >> 20) & (kChains - 1)];
  }

  CommitSink& sink_;
  VersionSlots& slots_;
  const Options options_;
  alignas(64) std::atomic<Version> durable_{0};

  alignas(64) mutable std::mutex mutex_;
  // Guarded by mutex_, as are the stores to slots_ and durable_.
  std::condition_variable work_;      // for the committer
  std::condition_variable answered_;  // for threads that are no executor
  WaiterList queue_;
  std::vector<PendingErasure> erasures_;  // in line, oldest first; seldom more than one or two
  Version sequence_ = 0;
  std::optional<Error> refusal_;  // why nothing is accepted
  bool recovery_wanted_ = false;
  std::chrono::steady_clock::time_point recovery_tried_at_;
  bool closing_ = false;
  bool writing_ = false;  // someone has the sink, and all that is "of the writer"
  bool committer_sleeps_ = false;
  bool waits_for_company_ = false;  // the committer, with patient commits in line
  bool hurry_ = false;              // someone in line is not patient
  std::chrono::steady_clock::time_point hurried_at_;  // when the last group with such a one was written
  Statistics statistics_;
  std::array<PendingWrite*, kChains> chains_{};

  // Of the writer.
  std::vector<CommitRequest> requests_;
  struct Wakeup {
    base::Executor* executor;
    std::vector<std::coroutine_handle<>> handles;
  };
  std::vector<Wakeup> wakeups_;
  std::thread committer_;
};

}  // namespace stator::store
