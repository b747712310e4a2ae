#include "engine/outbox_queue.h"

#include <algorithm>
#include <iterator>

#include "engine/row_key.h"

namespace stator::engine {
namespace {

constexpr std::size_t kRowsMax = 20'000;
constexpr std::size_t kItemRowsMax = 16;
constexpr std::chrono::milliseconds kLook{20};  // between two looks at deadlines
constexpr std::chrono::milliseconds kIdle{1000};

}  // namespace

void OutboxQueue::add(std::string_view row_key, QueuedRow row) {
  const TableId table = table_id_of(row_key);
  marks_.enter(table);
  {
    const std::lock_guard lock(mutex_);
    std::string key(row_key);
    Slot& slot = slots_[key];
    slot.waiting.table = table;
    slot.waiting.row_key = key;
    row.sequence = ++sequence_;
    pending_[table].insert(row.sequence);
    slot.waiting.rows.push_back(std::move(row));
    ++slot.rows;
    ++rows_;
    list(key, slot);
  }
  call_worker();
}

void OutboxQueue::list(const std::string& row_key, Slot& slot) {
  if (slot.busy || slot.listed || slot.waiting.rows.empty()) return;
  slot.listed = true;
  ready_.push_back(row_key);
}

std::optional<QueuedItem> OutboxQueue::take(Moment now) {
  const std::lock_guard lock(mutex_);
  while (!later_.empty() && later_.begin()->first <= now) {
    ready_.push_back(std::move(later_.begin()->second));
    later_.erase(later_.begin());
  }
  if (ready_.empty()) return std::nullopt;
  Slot& slot = slots_.at(ready_.front());
  ready_.pop_front();
  slot.listed = false;
  slot.busy = true;
  QueuedItem item = std::move(slot.waiting);
  slot.waiting = QueuedItem{item.table, item.row_key, {}, 0};
  return item;
}

void OutboxQueue::done(const QueuedItem& item, Moment now) {
  {
    const std::lock_guard lock(mutex_);
    Slot& slot = slots_.at(item.row_key);
    std::set<std::uint64_t>& pending = pending_.at(item.table);
    for (const QueuedRow& row : item.rows) pending.erase(row.sequence);
    if (pending.empty()) pending_.erase(item.table);
    rows_ -= item.rows.size();
    slot.rows -= item.rows.size();
    slot.busy = false;
    list(item.row_key, slot);
    if (slot.rows == 0) slots_.erase(item.row_key);
    wake_satisfied();
  }
  for (std::size_t i = 0; i < item.rows.size(); ++i) marks_.leave(item.table, now);
}

void OutboxQueue::again(QueuedItem item, Moment not_before) {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_.at(item.row_key);
  std::move(slot.waiting.rows.begin(), slot.waiting.rows.end(), std::back_inserter(item.rows));
  ++item.failures;
  slot.busy = false;
  slot.listed = true;
  later_.emplace(not_before, item.row_key);
  slot.waiting = std::move(item);
}

bool OutboxQueue::Waiter::await_suspend(std::coroutine_handle<> awaiting) {
  const std::lock_guard lock(queue.mutex_);
  executor = base::Executor::current();
  if (ready() || executor == nullptr || !queue.wake_) return false;
  handle = awaiting;
  queue.waiters_.push_back(this);
  return true;
}

// The coroutine may run, on its own thread, as soon as it is posted: the waiter is not touched any more.
void OutboxQueue::resume(Waiter& waiter, bool satisfied) {
  waiter.satisfied = satisfied;
  waiter.executor->post(waiter.handle);
}

void OutboxQueue::wake_satisfied() {
  std::erase_if(waiters_, [](Waiter* waiter) {
    if (!waiter->ready()) return false;
    resume(*waiter, true);
    return true;
  });
}

OutboxQueue::Waiter OutboxQueue::caught_up(TableId table, std::chrono::milliseconds at_most) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t last = sequence_;
  const auto ready = [this, table, last] {
    const auto found = pending_.find(table);
    return found == pending_.end() || *found->second.begin() > last;
  };
  return {*this, ready, std::chrono::steady_clock::now() + at_most};
}

OutboxQueue::Waiter OutboxQueue::item_room(std::string_view row_key, std::chrono::milliseconds at_most) {
  const auto ready = [this, key = std::string(row_key)] {
    const auto found = slots_.find(key);
    return found == slots_.end() || found->second.rows < kItemRowsMax;
  };
  return {*this, ready, std::chrono::steady_clock::now() + at_most};
}

OutboxQueue::Waiter OutboxQueue::room(std::chrono::milliseconds at_most) {
  return {*this, [this] { return rows_ < kRowsMax; }, std::chrono::steady_clock::now() + at_most};
}

void OutboxQueue::set_worker(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

bool OutboxQueue::has_worker() const {
  const std::lock_guard lock(mutex_);
  return wake_ != nullptr;
}

void OutboxQueue::call_worker() {
  const std::lock_guard lock(mutex_);
  if (wake_) wake_();
}

OutboxQueue::Moment OutboxQueue::tick(Moment now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiters_, [&](Waiter* waiter) {
    if (waiter->deadline > now) return false;
    resume(*waiter, false);
    return true;
  });
  Moment next = now + (waiters_.empty() ? kIdle : kLook);
  if (!later_.empty()) next = std::min(next, later_.begin()->first);
  return next;
}

void OutboxQueue::release_waiters() {
  const std::lock_guard lock(mutex_);
  for (Waiter* waiter : waiters_) resume(*waiter, false);
  waiters_.clear();
}

std::size_t OutboxQueue::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

std::map<TableId, std::size_t> OutboxQueue::rows_by_table() const {
  const std::lock_guard lock(mutex_);
  std::map<TableId, std::size_t> counts;
  for (const auto& [table, pending] : pending_) counts.emplace(table, pending.size());
  return counts;
}

}  // namespace stator::engine
