#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"

namespace stator::store {

// Opaque. Two reads of a key that give equal versions have seen the same commit, or both none.
using Version = std::uint64_t;

// Bytes that a read returned: pinned in the store's cache or owned. Movable; released when destroyed, on any
// thread. Release before the store is closed.
class Bytes {
 public:
  using Release = void (*)(void* owner) noexcept;
  Bytes() = default;
  Bytes(std::string_view view, void* owner, Release release) noexcept
      : view_(view), owner_(owner), release_(release) {}
  Bytes(Bytes&& other) noexcept
      : view_(std::exchange(other.view_, {})),
        owner_(std::exchange(other.owner_, nullptr)),
        release_(other.release_) {}
  Bytes& operator=(Bytes&& other) noexcept {
    if (this != &other) {
      reset();
      view_ = std::exchange(other.view_, {});
      owner_ = std::exchange(other.owner_, nullptr);
      release_ = other.release_;
    }
    return *this;
  }
  ~Bytes() { reset(); }
  static Bytes copy_of(std::string_view bytes);

  [[nodiscard]] std::string_view view() const noexcept { return view_; }

 private:
  void reset() noexcept {
    if (owner_ != nullptr) release_(std::exchange(owner_, nullptr));
  }
  std::string_view view_;
  void* owner_ = nullptr;
  Release release_ = nullptr;
};

struct Row {
  bool exists = false;
  Version version = 0;  // of an absent row too: a guard on it means "still absent"
  Bytes value;
};

struct KeyedRow {
  std::string key;
  Row row;
};

enum class ReadMode : std::uint8_t {
  committed,  // what is durable: never shows a write that a power loss could take back
  // The newest write in line for this key, durable or not. Only for deciding a commit that guards on the returned
  // version: such a commit becomes durable after the write it saw, and fails if that one fails. This is what
  // lets many writers of one hot row share one disk flush.
  latest,
};

struct Guard {
  std::string_view key;
  Version version;
};
struct Write {
  std::string_view key;
  std::string_view value;
};
// Adds to the counters of a row of counters (see Store::counters). Never conflicts.
struct Add {
  std::string_view key;
  std::span<const std::int64_t> deltas;
};

// Appends a row to a log: its key is `prefix` followed by the eight bytes of a position that the store gives out, in an
// order-preserving form (see read_position). Never conflicts. See S7.
struct Append {
  std::string_view prefix;
  std::string_view value;
};
inline constexpr std::size_t kPositionBytes = 8;
[[nodiscard]] std::string log_key(std::string_view prefix, std::uint64_t position);
// The position at the end of a log row's key.
[[nodiscard]] std::uint64_t read_position(std::string_view key) noexcept;

// Says that a commit was decided with knowledge `number` of the keys that begin with `space`; see S8.
struct Fence {
  std::string_view space;
  std::uint64_t number;
};

// Of the error of a commit that a fence has refused.
struct Outdated final : ErrorDetail {};
[[nodiscard]] bool is_outdated(const Error& error);

// What one commit does. Only views: the bytes must live until commit() has answered. A key stands at most once
// among puts and erases. Keys of counter rows are used with Add only.
struct Batch {
  std::vector<Guard> guards;
  std::vector<Write> puts;
  std::vector<std::string_view> erases;
  std::vector<Add> adds;
  std::vector<Append> appends;
  std::vector<Fence> fences;
  // Of background work: may wait some milliseconds for other commits, to share their disk flush instead of making them wait for
  // one of its own. As durable as any other when it is answered.
  bool patient = false;
  void clear() {
    guards.clear();
    puts.clear();
    erases.clear();
    adds.clear();
    appends.clear();
    fences.clear();
    patient = false;
  }
};

enum class Direction : std::uint8_t { ascending, descending };

// Keys in [from, to). An empty `to` means "to the end of the map".
struct Range {
  std::string_view from;
  std::string_view to;
};

enum class Visit : std::uint8_t { next, stop };

// Sees the rows of a scan one by one. The views are valid during the call only. It may be called on another
// thread than the one that started the scan, but never on two at once.
class RowVisitor {
 public:
  virtual ~RowVisitor() = default;
  virtual Visit row(std::string_view key, std::string_view value) = 0;

  // A visitor that makes the same of the same rows, whatever else it was asked for, can leave that with the store: a digest.
  // When such a scan comes again and no row of its range has changed, the store may hand back the digest instead of the rows.
  // The kind says what is made of rows; 0 is a visitor that has nothing to leave.
  [[nodiscard]] virtual std::uint8_t digest_kind() const noexcept { return 0; }
  // Asked, if at all, after the last row of the range. Valid until the next call of the thread; empty where it would have more than
  // `bytes_max`.
  [[nodiscard]] virtual std::string_view make_digest(std::size_t /*bytes_max*/) const { return {}; }
  // Instead of all rows; false: it wants to see the rows.
  [[nodiscard]] virtual bool take_digest(std::string_view /*digest*/) { return false; }
};

// An ordered map of bytes. All methods may be called from many threads at once, also while others wait.
//
// The store divides the map into partitions (ranges of keys) as it likes. What the caller may rely on:
// S1. commit() applies everything or nothing, whatever the keys.
// S2. commit() is durable when it answers, as durable as the store was opened for.
// S3. A guard holds if the key has not been written since the read that gave its version. If one does not hold, nothing
//     is applied and the answer is ErrorCode::conflict: read again, decide again, commit again. A conflict may also be
//     reported without reason (hash collisions, failed predecessors), so a caller must not conclude anything from it.
// S4. Commits are linearizable; a read in mode `committed` sees every commit that was answered before it began.
// S5. scan() sees a state that some moment between its begin and its end had, for each partition; rows come in order
//     of their keys as unsigned bytes.
// S6. After an error other than conflict from commit(), it is unknown whether the writes will be seen later (disk full,
//     lost cluster); out_of_space, corruption and unavailable are final for that call.
// S7. Positions of the rows of one log (one prefix) grow in the order of their commits, across restarts too; within one commit
//     they grow in the order of `appends`. Whoever sees a row of a log sees all that were appended to it before. Positions of two
//     logs cannot be compared.
// S8. When raise_fence(space, n) has answered, no commit whose fence of that space has a number below n can be applied any
//     more: it is answered with `unavailable` and the detail Outdated, and has changed nothing. Only where processes share the store: in one that a
//     single process has open, that process knows its own writers, and fences do nothing.
// Commits whose keys share a long prefix are the cheap ones on every backend.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  [[nodiscard]] virtual base::Task<Result<Row>> get(std::string_view key, ReadMode mode) = 0;

  // Rows in the order of `keys`. Not a snapshot: each row is read by itself.
  [[nodiscard]] virtual base::Task<Result<std::vector<Row>>> get_many(
      std::span<const std::string_view> keys, ReadMode mode) = 0;

  // The first `count_max` rows of a range, each as get() gives it in mode `latest`, with the version to guard on; a row that was erased since it was found
  // is among them as an absent one. Not a snapshot. For work that goes through all rows once: what it reads need not be kept in caches.
  [[nodiscard]] virtual base::Task<Result<std::vector<KeyedRow>>> get_range(Range range, std::size_t count_max);

  // Visits committed rows until the range ends or the visitor stops. Range and visitor must live until the answer.
  [[nodiscard]] virtual base::Task<Result<void>> scan(Range range, Direction direction,
                                                      RowVisitor& visitor) = 0;

  [[nodiscard]] virtual base::Task<Result<void>> commit(const Batch& batch) = 0;

  // The counters of a row, each the sum of what was added; `count` of them, zero where nothing was added.
  [[nodiscard]] virtual base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key,
                                                                              std::size_t count) = 0;

  // Erases every row of the range, in the background of other work but durable on return. Idempotent; not atomic with
  // commits into the range, which the caller has stopped.
  [[nodiscard]] virtual base::Task<Result<void>> erase_range(Range range) = 0;

  // Whether other processes may have the map open at the same time.
  [[nodiscard]] virtual bool shared() const noexcept { return false; }

  // See S8. Costs one commit for each partition that has keys of the space.
  [[nodiscard]] virtual base::Task<Result<void>> raise_fence(std::string_view space, std::uint64_t number);

  // Makes the listeners of all other processes run; answers when they have ended, or some seconds later. A process may
  // miss it: what matters must also be found without it.
  [[nodiscard]] virtual base::Task<Result<void>> announce();
  // At most once, before the first request. The listener runs on a thread of the store until the store is closed.
  using Listener = std::function<base::Task<Result<void>>()>;
  virtual void listen(Listener listener);

  // Why commits are refused at this moment; success where nothing is known against them. Asking helps to find out whether the
  // reason is gone.
  [[nodiscard]] virtual Result<void> health() { return {}; }

  // Waits for what is under way and closes. No call may follow. Destroying an open store closes it.
  [[nodiscard]] virtual Result<void> close() = 0;
};

}  // namespace stator::store
