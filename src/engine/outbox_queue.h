#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/executor.h"
#include "engine/outbox_marks.h"
#include "engine/table.h"
#include "store/store.h"

// The outbox rows that this node has put and that are still to be applied, in memory: what is lost with the process is found
// again by its marks. Rows of one item are applied together, and never by two at a time.
namespace stator::engine {

struct QueuedRow {
  std::string key;
  std::string value;
  std::chrono::steady_clock::time_point committed;
  // Of the item, where the commit's outcome is not known: it may still come as long as the item has this version.
  std::optional<store::Version> open_at;
  std::uint64_t sequence = 0;  // filled in by the queue
};

struct QueuedItem {
  TableId table = 0;
  std::string row_key;
  std::vector<QueuedRow> rows;
  int failures = 0;
};

// All methods may be called from many threads.
class OutboxQueue {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  explicit OutboxQueue(OutboxMarks& marks) : marks_(marks) {}

  void add(std::string_view row_key, QueuedRow row);
  // The next item to apply, if any is due. It comes back with done() or again().
  [[nodiscard]] std::optional<QueuedItem> take(Moment now);
  void done(const QueuedItem& item, Moment now);
  void again(QueuedItem item, Moment not_before);

  struct Waiter {
    OutboxQueue& queue;
    std::function<bool()> ready;  // called under the queue's lock
    Moment deadline;
    bool satisfied = true;
    std::coroutine_handle<> handle = nullptr;
    base::Executor* executor = nullptr;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting);
    [[nodiscard]] bool await_resume() const noexcept { return satisfied; }  // false: the time was over
  };
  // Waits until what is queued now for the table is applied.
  [[nodiscard]] Waiter caught_up(TableId table, std::chrono::milliseconds at_most);
  // Waits until the item has few rows left to be applied, so that whoever applies them gets through.
  [[nodiscard]] Waiter item_room(std::string_view row_key, std::chrono::milliseconds at_most);
  // Waits until there is room in memory.
  [[nodiscard]] Waiter room(std::chrono::milliseconds at_most);

  // Who applies rows. Without one nobody waits, and whoever must have them applied does it.
  void set_worker(std::function<void()> wake);
  [[nodiscard]] bool has_worker() const;
  // For the worker: lets those go on whose time is over; when to come again, at the latest.
  [[nodiscard]] Moment tick(Moment now);
  void release_waiters();

  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::map<TableId, std::size_t> rows_by_table() const;

 private:
  struct Slot {
    QueuedItem waiting;
    std::size_t rows = 0;  // with those that are being applied
    bool busy = false;     // somebody applies some
    bool listed = false;   // in ready_ or later_
  };
  void list(const std::string& row_key, Slot& slot);
  void wake_satisfied();
  static void resume(Waiter& waiter, bool satisfied);
  void call_worker();

  OutboxMarks& marks_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::unordered_map<std::string, Slot> slots_;
  std::deque<std::string> ready_;
  std::multimap<Moment, std::string> later_;
  std::map<TableId, std::set<std::uint64_t>> pending_;  // sequence numbers
  std::uint64_t sequence_ = 0;
  std::size_t rows_ = 0;
  std::vector<Waiter*> waiters_;
  std::function<void()> wake_;
};

}  // namespace stator::engine
