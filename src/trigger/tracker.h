#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace stator::trigger {

// Which records of a shard are dealt with, where several lanes deal with them out of order. The position that may be
// stored is that of the last record before which nothing is left open. May be used by many threads.
class Tracker {
 public:
  // The next record in the order of the shard. `done` where nobody needs to see it. The ticket is for `done`.
  std::uint64_t add(std::string sequence_number, bool done) {
    const std::lock_guard lock(mutex_);
    records_.push_back({std::move(sequence_number), done});
    return first_ + records_.size() - 1;
  }

  void done(std::uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    records_[ticket - first_].done = true;
  }

  // The sequence number up to which all is done, if that has moved since the last call.
  [[nodiscard]] std::optional<std::string> advance() {
    const std::lock_guard lock(mutex_);
    std::optional<std::string> position;
    while (!records_.empty() && records_.front().done) {
      position = std::move(records_.front().sequence_number);
      records_.pop_front();
      ++first_;
    }
    return position;
  }

  [[nodiscard]] bool empty() const {
    const std::lock_guard lock(mutex_);
    return records_.empty();
  }

 private:
  struct Entry {
    std::string sequence_number;
    bool done;
  };
  mutable std::mutex mutex_;
  std::deque<Entry> records_;
  std::uint64_t first_ = 0;  // the ticket of the front
};

}  // namespace stator::trigger
