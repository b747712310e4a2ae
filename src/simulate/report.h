#pragma once

#include <string>
#include <vector>

#include "design/cost/prices.h"
#include "simulate/provision.h"
#include "simulate/run.h"

namespace stator::simulate {

// What became of the traffic when the keys that were too hot were written in n shards.
struct ShardResult {
  int shards = 1;
  std::uint64_t requests = 0;
  std::uint64_t throttled = 0;
  std::uint64_t throttled_by_key_range = 0;
  capacity::HalfUnits read_units = 0;  // consumed by all readers: what the shards cost them
};
[[nodiscard]] ShardResult shard_result(const Outcome& outcome, int shards);

struct Report {
  std::string title;
  Outcome outcome;
  bool shards_asked = false;
  std::vector<ShardResult> shards;  // empty: not asked for, or no key is hot
  std::size_t sharded_keys = 0;
  design::Prices prices;
  std::size_t keys_shown = 20;
};

// Throttled keys, the most throttled first.
[[nodiscard]] std::vector<const KeyStory*> worst_keys(const Outcome& outcome, std::size_t most);
// The limit that stood most often in a key's way.
[[nodiscard]] capacity::Limit main_limit(const KeyStory& story) noexcept;
// Throttles of a target by direction and limit.
[[nodiscard]] std::uint64_t throttles_of(const TargetOutcome& target, capacity::Direction direction,
                                         capacity::Limit limit) noexcept;
[[nodiscard]] std::string_view direction_text(capacity::Direction direction) noexcept;  // "reads", "writes"

[[nodiscard]] std::string report_text(const Report& report);
[[nodiscard]] std::string report_json(const Report& report);
[[nodiscard]] std::string report_svg(const Report& report);

}  // namespace stator::simulate
