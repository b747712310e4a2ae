#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "trigger/event.h"

namespace stator::trigger {

// How records are put together for one invocation.
struct BatchLimits {
  std::size_t records_max = 100;
  std::size_t bytes_max = 6 * 1000 * 1000;  // of an event, as in Lambda; a record that is larger goes alone
  std::chrono::milliseconds window{0};      // how long to wait for more after the first record
};

// Records that wait for one thread which takes them out in batches, in order. Bounded: who puts records in waits while
// it is full. One thread puts in, one takes out; any may close.
class Lane {
 public:
  explicit Lane(BatchLimits limits) : limits_(limits) {}

  // False where the lane was abandoned meanwhile.
  bool put(Record record) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return abandoned_ || !full(); });
    if (abandoned_) return false;
    bytes_ += record.text.size();
    records_.push_back({std::move(record), Clock::now()});
    changed_.notify_all();
    return true;
  }

  // Waits for a whole batch, for as long as the window allows. Empty: closed and used up, or abandoned.
  std::vector<Record> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return abandoned_ || closed_ || !records_.empty(); });
    if (abandoned_ || records_.empty()) return {};
    const auto deadline = records_.front().arrived + limits_.window;
    changed_.wait_until(lock, deadline, [this] { return abandoned_ || closed_ || enough(); });
    std::vector<Record> batch;
    std::size_t batch_bytes = 0;
    while (!abandoned_ && !records_.empty() && batch.size() < limits_.records_max) {
      const std::size_t size = records_.front().record.text.size() + 1;
      if (!batch.empty() && batch_bytes + size > limits_.bytes_max) break;
      batch_bytes += size;
      bytes_ -= size - 1;
      batch.push_back(std::move(records_.front().record));
      records_.pop_front();
    }
    changed_.notify_all();
    return batch;
  }

  // Nothing more will be put in.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // What is inside is no longer wanted.
  void abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Record record;
    Clock::time_point arrived;
  };
  [[nodiscard]] bool enough() const { return records_.size() >= limits_.records_max || bytes_ >= limits_.bytes_max; }
  // Two batches: the next one comes together while the function has the one before.
  [[nodiscard]] bool full() const {
    return records_.size() >= 2 * limits_.records_max || bytes_ >= 2 * limits_.bytes_max;
  }

  const BatchLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> records_;
  std::size_t bytes_ = 0;
  bool closed_ = false;
  bool abandoned_ = false;
};

}  // namespace stator::trigger
