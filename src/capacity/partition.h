#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "capacity/bucket.h"
#include "capacity/heat_sketch.h"
#include "capacity/place.h"
#include "capacity/tuning.h"
#include "capacity/units.h"

namespace stator::capacity {

struct Partition;

// A partition that was split stays where it is and sends requests on to its halves; nothing is ever taken away, so
// that a request needs no lock to find its way.
struct Split {
  Place from = 0;  // the first place of `high`
  Partition* low = nullptr;
  Partition* high = nullptr;
};

// One direction of a partition. What a request touches is in one cache line.
struct alignas(64) PartitionSide {
  Bucket ceiling;
  std::atomic<HalfUnits> demand{0};   // all that was asked for
  std::atomic<HalfUnits> refused{0};  // of that, what was refused; demand - refused was consumed
  std::atomic<std::uint64_t> throttles{0};
  std::atomic<std::uint32_t> samples{0};  // wraps; picks one request in sixteen
  // Only under the resource's lock:
  HalfUnits demand_before = 0;  // at the start of the minute
  HalfUnits refused_before = 0;
  HalfUnits lent = 0;  // consumed beyond the partition's share of the table, minute by minute
};

struct Partition {
  Partition(PlaceRange covered, const Tuning& tuning, Ticks now) noexcept;

  PlaceRange range;
  std::atomic<const Split*> split{nullptr};
  std::array<PartitionSide, kDirections> sides;
  // Made when the partition is hot for the first time: most never are, and a request on those has nothing to sample.
  std::atomic<HeatSketch*> heat{nullptr};
  // Only under the resource's lock:
  std::unique_ptr<HeatSketch> heat_owner;
  int hot_minutes = 0;

  [[nodiscard]] PartitionSide& side(Direction direction) noexcept {
    return sides[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] const PartitionSide& side(Direction direction) const noexcept {
    return sides[static_cast<std::size_t>(direction)];
  }

  // Counts what is asked for, whether or not it is let in.
  void ask(Direction direction, HalfUnits cost, Place place, std::string_view sort_key) noexcept {
    PartitionSide& asked = side(direction);
    asked.demand.fetch_add(cost, std::memory_order_relaxed);
    HeatSketch* const sketch = heat.load(std::memory_order_acquire);
    if (sketch == nullptr) [[likely]]
      return;
    if ((asked.samples.fetch_add(1, std::memory_order_relaxed) & 15) == 0) {
      const bool write = direction == Direction::write;
      sketch->sample(place, write ? cost * 3 : cost, write, sort_key);  // ceilings are 3,000 and 1,000
    }
  }
  HeatSketch& start_sampling() {
    if (!heat_owner) {
      heat_owner = std::make_unique<HeatSketch>();
      heat.store(heat_owner.get(), std::memory_order_release);
    }
    return *heat_owner;
  }
};

// The partitions of one table or index and the way from a place to its partition. `find` may be called by many
// threads; the others by one at a time (the resource's lock).
class PartitionMap {
 public:
  PartitionMap(int count, const Tuning& tuning, Ticks now);

  [[nodiscard]] Partition& find(Place place) const noexcept {
    // The first partitions are equal ranges of the hash: found by multiplication.
    const auto index = static_cast<std::size_t>(static_cast<Place>(key_hash(place)) * first_count_ >> 64);
    Partition* partition = first_[index];
    while (const Split* split = partition->split.load(std::memory_order_acquire))
      partition = place < split->from ? split->low : split->high;
    return *partition;
  }

  // Those that hold keys now.
  [[nodiscard]] std::vector<Partition*> leaves() const;
  [[nodiscard]] int leaf_count() const noexcept { return leaf_count_; }

  // Splits all that can be split in the middle of their hashes, until there are at least `count`: the load of a table
  // that grows stays even. False when partitions_max stands in the way.
  bool grow(int count, Ticks now);
  // Splits one so that `from` starts the upper half. False when `from` is not inside of it.
  bool split(Partition& partition, Place from, Ticks now);
  // Gives the item (or, with `whole_key`, all items of its partition key) a partition of its own.
  bool isolate(Partition& partition, Place place, bool whole_key, Ticks now);

 private:
  Partition* make(PlaceRange range, Ticks now);

  Tuning tuning_;
  std::vector<std::unique_ptr<Partition>> all_;
  std::vector<std::unique_ptr<Split>> splits_;
  std::vector<Partition*> first_;
  std::uint64_t first_count_;
  int leaf_count_ = 0;
};

}  // namespace stator::capacity
