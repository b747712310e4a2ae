#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "capacity/place.h"
#include "capacity/reason.h"
#include "capacity/units.h"

namespace stator::capacity {

// What a resource's meters say at one moment. Counters only go up; a metric is the difference of two snapshots.
struct SideSnapshot {
  HalfUnits consumed = 0;                               // exact
  std::uint64_t requests = 0;                           // let in
  std::array<std::uint64_t, kLimits> refused{};         // throttled, by limit (enforce)
  std::array<std::uint64_t, kLimits> would_throttle{};  // let in, beyond a limit (observe)
  double burst = 0;  // units left to spend at once; below zero is debt; 0 without a limit

  [[nodiscard]] std::uint64_t throttles() const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kLimits; ++i) sum += refused[i] + would_throttle[i];
    return sum;
  }
};

struct PartitionSnapshot {
  struct Side {
    HalfUnits consumed = 0;  // since the partition was made
    HalfUnits lent = 0;      // of that, adaptive capacity: beyond the partition's even share, by the minute
    std::uint64_t throttles = 0;
  };
  PlaceRange range;
  std::array<Side, kDirections> sides;
  int hot_minutes = 0;
};

struct ResourceSnapshot {
  ResourceKind kind = ResourceKind::table;
  BillingMode billing = BillingMode::on_demand;
  Throughput provisioned;
  Throughput warm;
  Throughput previous_peak;  // on-demand mode serves twice this at once
  std::array<SideSnapshot, kDirections> sides;
  int partition_count = 0;
  std::uint64_t splits = 0;                   // for heat
  std::uint64_t isolations = 0;               // of a hot key or item
  std::vector<PartitionSnapshot> partitions;  // in the order of their ranges

  [[nodiscard]] const SideSnapshot& side(Direction direction) const noexcept {
    return sides[static_cast<std::size_t>(direction)];
  }
};

}  // namespace stator::capacity
