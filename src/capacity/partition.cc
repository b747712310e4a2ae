#include "capacity/partition.h"

#include <algorithm>

namespace stator::capacity {
namespace {

// The first hash whose find() gives partition `index` of `count`: the smallest h with h * count / 2^64 >= index.
std::uint64_t first_hash(std::uint64_t index, std::uint64_t count) noexcept {
  const Place scaled = make_place(index, 0);
  return static_cast<std::uint64_t>((scaled + count - 1) / count);
}

}  // namespace

Partition::Partition(PlaceRange covered, const Tuning& tuning, Ticks now) noexcept : range(covered) {
  for (const Direction direction : {Direction::read, Direction::write}) {
    Bucket& ceiling = side(direction).ceiling;
    ceiling.configure(tuning.partition_ceiling.of(direction), 1, now);
    ceiling.fill(1, now);
  }
}

PartitionMap::PartitionMap(int count, const Tuning& tuning, Ticks now)
    : tuning_(tuning), first_count_(static_cast<std::uint64_t>(std::clamp(count, 1, tuning.partitions_max))) {
  for (std::uint64_t i = 0; i < first_count_; ++i) {
    PlaceRange range;
    range.first = make_place(first_hash(i, first_count_), 0);
    if (i + 1 < first_count_) range.last = make_place(first_hash(i + 1, first_count_), 0) - 1;
    first_.push_back(make(range, now));
  }
  leaf_count_ = static_cast<int>(first_count_);
}

Partition* PartitionMap::make(PlaceRange range, Ticks now) {
  return all_.emplace_back(std::make_unique<Partition>(range, tuning_, now)).get();
}

std::vector<Partition*> PartitionMap::leaves() const {
  std::vector<Partition*> result;
  result.reserve(static_cast<std::size_t>(leaf_count_));
  for (const auto& partition : all_)
    if (partition->split.load(std::memory_order_relaxed) == nullptr) result.push_back(partition.get());
  std::sort(result.begin(), result.end(),
            [](const Partition* a, const Partition* b) { return a->range.first < b->range.first; });
  return result;
}

bool PartitionMap::split(Partition& partition, Place from, Ticks now) {
  if (from <= partition.range.first || from > partition.range.last) return false;
  if (leaf_count_ >= tuning_.partitions_max) return false;
  auto division = std::make_unique<Split>();
  division->from = from;
  division->low = make({partition.range.first, from - 1}, now);
  division->high = make({from, partition.range.last}, now);
  partition.split.store(splits_.emplace_back(std::move(division)).get(), std::memory_order_release);
  ++leaf_count_;
  return true;
}

bool PartitionMap::grow(int count, Ticks now) {
  while (leaf_count_ < count) {
    const int before = leaf_count_;
    for (Partition* partition : leaves()) {
      const std::uint64_t first = key_hash(partition->range.first);
      const std::uint64_t last = key_hash(partition->range.last);
      if (last - first < 2) continue;  // one key: growth cannot divide it
      split(*partition, make_place(first + (last - first) / 2 + 1, 0), now);
    }
    if (leaf_count_ == before) return false;
  }
  return true;
}

bool PartitionMap::isolate(Partition& partition, Place place, bool whole_key, Ticks now) {
  const Place first = whole_key ? make_place(key_hash(place), 0) : place;
  const Place last = whole_key ? make_place(key_hash(place), UINT64_MAX) : place;
  const int before = leaf_count_;
  Partition* holder = &partition;
  if (first > holder->range.first && split(*holder, first, now)) holder = &find(first);
  if (last < holder->range.last) split(*holder, last + 1, now);
  return leaf_count_ > before;
}

}  // namespace stator::capacity
