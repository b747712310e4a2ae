#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

namespace stator::store {

// The zeros behind the records of one log. One thread writes the log, another the zeros.
class LogZeros {
 public:
  explicit LogZeros(const std::string& path);
  ~LogZeros();
  LogZeros(const LogZeros&) = delete;
  LogZeros& operator=(const LogZeros&) = delete;

  // Calls write() to append `bytes` to the log, with care that no zeros are written over them.
  template <class Write>
  auto append(std::uint64_t bytes, Write write) {
    const std::uint64_t end = size_.load(std::memory_order_relaxed) + bytes;
    if (end <= zeros_end_.load(std::memory_order_acquire)) {
      auto written = write();
      size_.store(end, std::memory_order_release);
      return written;
    }
    // Behind the zeros, where more of them may be on their way.
    std::unique_lock lock(mutex_);
    rested_.wait(lock, [&] { return !growing_; });
    auto written = write();
    size_.store(end, std::memory_order_release);
    if (end > zeros_end_.load(std::memory_order_relaxed)) zeros_end_.store(end, std::memory_order_release);
    return written;
  }

  // Whether the log will soon be at the end of its zeros.
  [[nodiscard]] bool wants_more() const noexcept;
  // Writes and syncs more of them, piece by piece, until the log has enough. For the other thread.
  void grow();
  // After this no more are written. Returns when none are being written any more.
  void stop();

  [[nodiscard]] std::uint64_t size() const noexcept { return size_.load(std::memory_order_acquire); }

 private:
  bool begin_piece(std::uint64_t& from);
  void end_piece(std::uint64_t to);

  int file_ = -1;
  std::atomic<std::uint64_t> size_{0};       // of the log, records only
  std::atomic<std::uint64_t> zeros_end_{0};  // never less than size_
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable rested_;
  bool growing_ = false;  // guarded by mutex_: a piece from zeros_end_ on is being written
};

}  // namespace stator::store
