#pragma once

#include <atomic>
#include <cstddef>

namespace stator::net {

// The memory that answers take up together, from the moment that they are begun until their clients have taken them. Shared by all
// reactors. What is small by nature is counted only while it waits for its client; what may become large has its room reserved
// before it is begun.
class AnswerBudget {
 public:
  explicit AnswerBudget(std::size_t bytes_max) noexcept : bytes_max_(bytes_max) {}

  // Whether an answer of no great size may be begun.
  [[nodiscard]] bool has_room() const noexcept { return used_.load(std::memory_order_relaxed) < bytes_max_; }

  // Whether so much is free that nobody waits for answers to be taken.
  [[nodiscard]] bool is_half_free() const noexcept { return used_.load(std::memory_order_relaxed) < bytes_max_ / 2; }

  // Takes so much for an answer that may be large. The last quarter is left to smaller ones, and the last eighth to those that
  // reserve nothing, so that these go on while clients are slow to take larger ones. What finds nothing else there fits
  // always.
  [[nodiscard]] bool reserve(std::size_t bytes) noexcept {
    constexpr std::size_t kLargeBytes = 2 << 20;
    const std::size_t bytes_max = bytes_max_ - bytes_max_ / (bytes > kLargeBytes ? 4 : 8);
    std::size_t used = used_.load(std::memory_order_relaxed);
    do {
      if (used != 0 && used + bytes > bytes_max) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }

  // How many requests wait for room.
  void began_to_wait() noexcept { waiting_.fetch_add(1, std::memory_order_relaxed); }
  void ended_to_wait() noexcept { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.load(std::memory_order_relaxed); }

  // What was counted as `before` bytes is now `after` bytes.
  void change(std::size_t before, std::size_t after) noexcept {
    if (before != after) used_.fetch_add(after - before, std::memory_order_relaxed);  // wraps where it shrinks
  }

 private:
  const std::size_t bytes_max_;
  alignas(64) std::atomic<std::size_t> used_ = 0;
  std::atomic<std::size_t> waiting_ = 0;
};

}  // namespace stator::net
