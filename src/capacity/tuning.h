#pragma once

#include <cstdint>

#include "capacity/units.h"

namespace stator::capacity {

// The figures of the model. Those of units.h are documented by the service; the others are ours, chosen where the
// documentation gives none, and README.md says why.
struct Tuning {
  Throughput partition_ceiling = kPartitionCeiling;
  std::int64_t burst_seconds = kBurstSeconds;
  // Per table and per index, in on-demand mode; the account's quota.
  Throughput account_limit{.read = 40000, .write = 40000};
  // A partition is hot in a minute in which it was asked for this part of its ceiling, in one direction.
  double hot_fraction = 0.8;
  // After so many hot minutes in a row it is split, if a split can help.
  int hot_minutes = 10;
  // One key (or item) is the cause of the heat when it makes up this part of the demand.
  double dominance = 0.5;
  // A hot key's sort keys ascend when this part of its writes goes past the one before.
  double ascending = 0.9;
  // How long traffic must have been above the previous peak until on-demand mode counts it as the previous peak.
  int peak_minutes = 30;
  int partitions_max = 4096;
};

}  // namespace stator::capacity
