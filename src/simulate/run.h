#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "capacity/snapshot.h"
#include "capacity/tuning.h"
#include "simulate/key_table.h"
#include "simulate/request.h"

namespace stator::simulate {

// One direction of a target over time, second by second from the first request on.
struct Series {
  std::vector<capacity::HalfUnits> demand;    // asked for
  std::vector<capacity::HalfUnits> consumed;  // let in
  std::vector<std::uint32_t> throttled;       // requests, by limits of this target
};

struct TargetOutcome {
  Target target;
  std::array<Series, capacity::kDirections> series;
  capacity::ResourceSnapshot end;  // with partitions

  [[nodiscard]] const Series& of(capacity::Direction direction) const noexcept {
    return series[static_cast<std::size_t>(direction)];
  }
};

struct Outcome {
  std::vector<TargetOutcome> targets;
  KeyTable keys;
  std::uint64_t requests = 0;
  std::uint64_t throttled = 0;
  std::int64_t start_us = 0;
  std::int64_t end_us = 0;

  [[nodiscard]] double seconds() const noexcept;  // whole seconds, at least one
};

// Partition keys that are written in shards: to each a number is appended, chosen by a hash of the item.
struct Sharding {
  int count = 1;
  std::unordered_set<std::uint64_t> keys;  // shard_id() of target and key

  [[nodiscard]] static std::uint64_t shard_id(std::uint32_t target, std::uint64_t key_hash) noexcept;
};
// Whether a key is hot itself: in some second it was asked for half of a partition's ceiling. The other keys that are
// throttled at a ceiling share a partition with a hot one, and have room when that is gone.
[[nodiscard]] bool is_hot(const KeyStory& story, const capacity::Tuning& tuning) noexcept;
// The hot keys that ran into the ceiling of a partition.
[[nodiscard]] Sharding shard_hot_keys(const Outcome& outcome, int count, const capacity::Tuning& tuning = {});

struct RunOptions {
  capacity::Tuning tuning;
  const Sharding* sharding = nullptr;
  std::int64_t seconds_max = 400 * 86'400;  // of simulated time; a trace with broken times must not eat the memory
};

// Plays all requests against the capacity model in mode enforce. A throttled request is gone: it is not tried again.
[[nodiscard]] Result<Outcome> run(Source& source, const RunOptions& options);

}  // namespace stator::simulate
