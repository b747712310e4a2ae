#include "capacity/heat_sketch.h"

#include <algorithm>
#include <cstring>

namespace stator::capacity {
namespace {

constexpr std::uint64_t kSamplesMin = 16;
constexpr std::uint32_t kOrderedMin = 8;  // comparisons until an order is believed

// Only for the few instructions of a sample; whoever finds it taken goes on without.
class TryLock {
 public:
  explicit TryLock(std::atomic_flag& flag) noexcept
      : flag_(flag), held_(!flag.test_and_set(std::memory_order_acquire)) {}
  ~TryLock() {
    if (held_) flag_.clear(std::memory_order_release);
  }
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  explicit operator bool() const noexcept { return held_; }

 private:
  std::atomic_flag& flag_;
  bool held_;
};

}  // namespace

void HeatSketch::add(Slot& slot, Place place, std::int64_t weight, bool write, std::string_view sort_key) noexcept {
  slot.weight += weight;
  if (slot.item_weight == 0) slot.item = item_hash(place);
  slot.item_weight = slot.item == item_hash(place) ? slot.item_weight + weight
                                                   : std::max<std::int64_t>(slot.item_weight - weight, 0);
  if (!write || sort_key.empty()) return;
  const std::string_view before(slot.sort.data(), slot.sort_bytes);
  const std::string_view start = sort_key.substr(0, kSortBytes);
  if (!before.empty()) {
    const int order = start.compare(before);
    if (order > 0) ++slot.ascents;
    if (order < 0) ++slot.descents;
  }
  slot.sort_bytes = static_cast<std::uint8_t>(start.size());
  std::memcpy(slot.sort.data(), start.data(), start.size());
}

void HeatSketch::decay(std::int64_t weight) noexcept {
  for (Slot& slot : slots_) {
    slot.weight -= weight;
    slot.item_weight = std::min(slot.item_weight, std::max<std::int64_t>(slot.weight, 0));
    if (slot.weight <= 0) slot = Slot{};
  }
}

void HeatSketch::sample(Place place, std::int64_t weight, bool write, std::string_view sort_key) noexcept {
  const TryLock lock(busy_);
  if (!lock) return;
  total_ += weight;
  // A deterministic reservoir: after it is full each new sample takes the place of one chosen by a hash of its
  // number.
  const std::uint64_t number = samples_++;
  const std::uint64_t chosen = number < kPlaces ? number : (number * 0x9e3779b97f4a7c15ULL >> 32) % (number + 1);
  if (chosen < kPlaces) places_[chosen] = place;

  Slot* free = nullptr;
  for (Slot& slot : slots_) {
    if (slot.weight > 0 && slot.key == key_hash(place)) return add(slot, place, weight, write, sort_key);
    if (slot.weight == 0) free = &slot;
  }
  if (free != nullptr) {
    free->key = key_hash(place);
    return add(*free, place, weight, write, sort_key);
  }
  decay(weight);
}

HeatSketch::Verdict HeatSketch::judge(const Tuning& tuning) noexcept {
  const TryLock lock(busy_);
  Verdict verdict;
  if (!lock || samples_ < kSamplesMin) return verdict;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(samples_, kPlaces));
  std::array<Place, kPlaces> sorted = places_;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count / 2),
                   sorted.begin() + static_cast<std::ptrdiff_t>(count));
  verdict.middle = sorted[count / 2];
  verdict.cause = HeatCause::many_keys;

  const Slot& top = *std::max_element(slots_.begin(), slots_.end(),
                                      [](const Slot& a, const Slot& b) { return a.weight < b.weight; });
  if (static_cast<double>(top.weight) < tuning.dominance * static_cast<double>(total_)) return verdict;
  verdict.hottest = make_place(top.key, top.item);
  const std::uint32_t ordered = top.ascents + top.descents;
  if (static_cast<double>(top.item_weight) >= tuning.dominance * static_cast<double>(total_)) {
    verdict.cause = HeatCause::single_item;
  } else if (ordered >= kOrderedMin && top.ascents >= tuning.ascending * ordered) {
    verdict.cause = HeatCause::ascending;
  } else {
    verdict.cause = HeatCause::collection;
  }
  return verdict;
}

void HeatSketch::clear() noexcept {
  const TryLock lock(busy_);
  if (!lock) return;
  slots_ = {};
  total_ = 0;
  samples_ = 0;
}

}  // namespace stator::capacity
