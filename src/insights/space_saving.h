#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::insights {

// Finds the heaviest of many keys in fixed space (Metwally, Agrawal, El Abbadi: "Efficient computation of frequent and top-k
// elements in data streams"): a key that is not among the counters takes over the smallest one with its count.
//
// With k counters and a total weight of N: a shown weight is never too small and too great by N / k at most, and every key
// heavier than N / k is shown. One thread at a time.
class SpaceSaving {
 public:
  struct Entry {
    std::string key;           // shortened to kKeyBytesShown; told apart by all of it
    std::uint64_t weight = 0;  // an upper bound
    std::uint64_t error = 0;   // weight - error is a lower bound
  };
  static constexpr std::size_t kKeyBytesShown = 128;

  explicit SpaceSaving(std::size_t counters) : counters_max_(counters) {}

  void add(std::string_view key, std::uint64_t weight) {
    total_ += weight;
    const std::uint64_t hash = std::hash<std::string_view>{}(key);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (hashes_[i] != hash) continue;
      entries_[i].weight += weight;
      return;
    }
    if (entries_.size() < counters_max_) {
      hashes_.push_back(hash);
      entries_.push_back({std::string(key.substr(0, kKeyBytesShown)), weight, 0});
      return;
    }
    const auto least = std::min_element(entries_.begin(), entries_.end(),
                                        [](const Entry& a, const Entry& b) { return a.weight < b.weight; });
    hashes_[static_cast<std::size_t>(least - entries_.begin())] = hash;
    least->error = least->weight;
    least->weight += weight;
    least->key = key.substr(0, kKeyBytesShown);
  }

  // The heaviest, heaviest first.
  [[nodiscard]] std::vector<Entry> top(std::size_t count) const {
    std::vector<Entry> sorted = entries_;
    std::sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) { return a.weight > b.weight; });
    if (sorted.size() > count) sorted.resize(count);
    return sorted;
  }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] std::uint64_t error_max() const noexcept { return total_ / counters_max_; }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  void clear() {
    hashes_.clear();
    entries_.clear();
    total_ = 0;
  }

 private:
  std::size_t counters_max_;
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> hashes_;  // beside the entries: looking for a key reads nothing else
  std::vector<Entry> entries_;
};

}  // namespace stator::insights
