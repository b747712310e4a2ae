#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "capacity/place.h"
#include "capacity/tuning.h"

namespace stator::capacity {

// What the demand on a hot partition is made of, and so what can be done about it.
enum class HeatCause : std::uint8_t {
  unknown,      // too few samples
  many_keys,    // a split between keys helps
  collection,   // one partition key, many items in no order: a split inside its collection helps
  ascending,    // one partition key whose sort keys only go up: the newest end stays hot whatever is split
  single_item,  // one item: it can have a partition of its own, and no more than that
};

// A sample of one partition's demand in the current minute: the heaviest partition keys (Misra-Gries with four
// slots), the heaviest item of each, whether its sort keys ascend, and places to find the middle from. It sees one
// request in sixteen (partition.h) and gives way when another thread is in it, so that it costs the request path next
// to nothing.
class HeatSketch {
 public:
  // `weight` is the cost, made comparable between reads and writes. `sort_key` orders as the service orders, or is
  // empty when there is none or the caller does not know it.
  void sample(Place place, std::int64_t weight, bool write, std::string_view sort_key) noexcept;

  struct Verdict {
    HeatCause cause = HeatCause::unknown;
    Place hottest = 0;  // the key or item that dominates; its item half counts for single_item alone
    Place middle = 0;   // half of the demand lies below it
  };
  [[nodiscard]] Verdict judge(const Tuning& tuning) noexcept;
  void clear() noexcept;

 private:
  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kPlaces = 63;  // odd, so that there is a middle
  static constexpr std::size_t kSortBytes = 48;

  struct Slot {
    std::uint64_t key = 0;
    std::int64_t weight = 0;
    std::uint64_t item = 0;  // candidate for the majority of the slot's weight
    std::int64_t item_weight = 0;
    std::uint32_t ascents = 0;
    std::uint32_t descents = 0;
    std::uint8_t sort_bytes = 0;
    std::array<char, kSortBytes> sort{};  // start of the last written sort key
  };

  void add(Slot& slot, Place place, std::int64_t weight, bool write, std::string_view sort_key) noexcept;
  void decay(std::int64_t weight) noexcept;

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::array<Slot, kSlots> slots_{};
  std::int64_t total_ = 0;
  std::uint64_t samples_ = 0;
  std::array<Place, kPlaces> places_{};
};

}  // namespace stator::capacity
