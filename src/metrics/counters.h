#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "metrics/operation.h"
#include "metrics/point.h"

// Counters that one thread writes and the collector reads. The writer uses plain loads and stores (no locked instruction,
// no fence): nobody else writes, and a reader that sees a value late sees it next time.
namespace stator::metrics {

// Counts up. The collector takes what was added since it last looked.
class Counter {
 public:
  void add(std::int64_t value) noexcept {
    now_.store(now_.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t take() noexcept {
    const std::int64_t now = now_.load(std::memory_order_relaxed);
    return now - std::exchange(taken_, now);
  }
  // Whether there is something that was not taken. For the owner, while the collector does not look.
  [[nodiscard]] bool pending() const noexcept { return now_.load(std::memory_order_relaxed) != taken_; }

 private:
  std::atomic<std::int64_t> now_{0};
  std::int64_t taken_ = 0;  // the collector's
};

// Count, sum, least and greatest of values.
class Distribution {
 public:
  void add(std::int64_t value) noexcept {
    const std::int64_t count = begun_.load(std::memory_order_relaxed) + 1;
    begun_.store(count, std::memory_order_relaxed);
    sum_.store(sum_.load(std::memory_order_relaxed) + value, std::memory_order_release);
    if (value < min_.load(std::memory_order_relaxed)) min_.store(value, std::memory_order_relaxed);
    if (value > max_.load(std::memory_order_relaxed)) max_.store(value, std::memory_order_relaxed);
    done_.store(count, std::memory_order_release);
  }
  [[nodiscard]] Point take() noexcept {
    const auto [count, sum] = read();
    Point point;
    point.count = count - std::exchange(taken_count_, count);
    point.sum = sum - std::exchange(taken_sum_, sum);
    if (point.count == 0) return point;
    point.min = min_.exchange(kNone, std::memory_order_relaxed);
    point.max = max_.exchange(-kNone, std::memory_order_relaxed);
    // A value that came while this was read may be in the sum and not in the limits, or the other way round.
    const std::int64_t average = point.sum / point.count;
    point.min = std::min(point.min, average);
    point.max = std::max(point.max, average);
    return point;
  }
  [[nodiscard]] bool pending() const noexcept { return done_.load(std::memory_order_relaxed) != taken_count_; }

 private:
  // A count and the sum of exactly that many values: a reader that falls between the two stores of a writer tries again.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> read() const noexcept {
    for (;;) {
      const std::int64_t done = done_.load(std::memory_order_acquire);
      const std::int64_t sum = sum_.load(std::memory_order_acquire);
      if (begun_.load(std::memory_order_relaxed) == done) return {done, sum};
      std::this_thread::yield();
    }
  }

  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> begun_{0};  // values whose addition was begun, and those whose addition is done
  std::atomic<std::int64_t> done_{0};
  std::atomic<std::int64_t> sum_{0};
  std::atomic<std::int64_t> min_{kNone};
  std::atomic<std::int64_t> max_{-kNone};
  std::int64_t taken_count_ = 0;  // the collector's
  std::int64_t taken_sum_ = 0;
};

// A table or one of its global indexes.
struct CapacityCounters {
  std::array<Distribution, 2> consumed;                                  // by Units
  std::array<std::array<Counter, kThrottleReasonCount>, 2> throttled;    // by Units and reason

  [[nodiscard]] bool pending() const noexcept {
    bool any = consumed[0].pending() || consumed[1].pending();
    for (const auto& units : throttled) {
      for (const Counter& counter : units) any |= counter.pending();
    }
    return any;
  }
};

struct OperationCounters {
  Distribution latency_us;
  std::array<std::atomic<std::uint32_t>, kBucketCount> latency_buckets{};
  Distribution returned_items;
  Counter throttled_requests;
  Counter system_errors;

  [[nodiscard]] bool pending() const noexcept {
    return latency_us.pending() || returned_items.pending() || throttled_requests.pending() || system_errors.pending();
  }
  void add_latency(std::int64_t latency) noexcept {
    latency_us.add(latency);
    // The collector sets buckets back to zero, so this one is a locked addition.
    latency_buckets[bucket_of(static_cast<std::uint64_t>(latency))].fetch_add(1, std::memory_order_relaxed);
  }
};

// What one stream gave out to readers.
struct StreamCounters {
  std::string label;
  Distribution bytes;
  Distribution records;
  Distribution age_ms;

  [[nodiscard]] bool pending() const noexcept { return bytes.pending() || records.pending() || age_ms.pending(); }
};

// All counters of one table on one thread. Parts are made when first used; the pointers to them are written by the owner
// under the recorder's structure lock.
struct TableCounters {
  struct OfIndex {
    std::uint8_t id = 0;
    std::string name;
    CapacityCounters counters;
  };

  std::uint32_t table_id = 0;
  std::string name;
  CapacityCounters capacity;
  std::vector<std::unique_ptr<OfIndex>> indexes;
  std::array<std::unique_ptr<OperationCounters>, kOperationCount> operations;
  std::vector<std::unique_ptr<StreamCounters>> streams;
  Counter conditional_check_failed;
  Counter transaction_conflict;
  Counter ttl_deleted_items;
  // The collector's, under the shape lock.
  std::int64_t used_ms = 0;  // when it last found something; 0: not looked at yet
  bool idle = false;         // nothing for long, or the table is gone: the owner may free it
  // The owner's: requests under way that have a reference.
  int holders = 0;

  // Whether something was counted that the collector has not taken.
  [[nodiscard]] bool pending() const noexcept {
    bool any = capacity.pending() || conditional_check_failed.pending() || transaction_conflict.pending() || ttl_deleted_items.pending();
    for (const auto& index : indexes) any |= index->counters.pending();
    for (const auto& operation : operations) any |= operation != nullptr && operation->pending();
    for (const auto& stream : streams) any |= stream->pending();
    return any;
  }
};

}  // namespace stator::metrics
