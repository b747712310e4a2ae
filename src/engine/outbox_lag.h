#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "engine/table.h"

namespace stator::engine {

// How long the rows of each index took from the commit of the item's change until they were right. Any thread.
class OutboxLag {
 public:
  // Upper bounds of the buckets; the last one has none.
  static constexpr std::array<std::int64_t, 17> kBoundsMs = {1,   2,    4,    8,    16,    32,    64,    128,   256,
                                                             512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  struct Histogram {
    std::array<std::uint64_t, kBoundsMs.size() + 1> counts{};
    std::uint64_t count = 0;
    std::int64_t sum_us = 0;
  };
  using Place = std::pair<TableId, IndexId>;

  void record(TableId table, IndexId index, std::int64_t lag_us) {
    std::size_t bucket = 0;
    while (bucket < kBoundsMs.size() && lag_us > kBoundsMs[bucket] * 1000) ++bucket;
    const std::lock_guard lock(mutex_);
    Histogram& histogram = histograms_[{table, index}];
    ++histogram.counts[bucket];
    ++histogram.count;
    histogram.sum_us += lag_us;
  }
  void forget(TableId table) {
    const std::lock_guard lock(mutex_);
    histograms_.erase(histograms_.lower_bound({table, 0}), histograms_.upper_bound({table, 255}));
  }
  [[nodiscard]] std::map<Place, Histogram> snapshot() const {
    const std::lock_guard lock(mutex_);
    return histograms_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<Place, Histogram> histograms_;  // guarded by mutex_
};

}  // namespace stator::engine
