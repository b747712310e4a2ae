#include "simulate/report.h"

#include <algorithm>
#include <numeric>

namespace stator::simulate {

using capacity::Direction;
using capacity::Limit;

ShardResult shard_result(const Outcome& outcome, int shards) {
  ShardResult result{.shards = shards, .requests = outcome.requests, .throttled = outcome.throttled};
  for (const TargetOutcome& target : outcome.targets) {
    for (const Direction direction : {Direction::read, Direction::write})
      result.throttled_by_key_range += throttles_of(target, direction, Limit::key_range);
    const std::vector<capacity::HalfUnits>& reads = target.of(Direction::read).consumed;
    result.read_units += std::accumulate(reads.begin(), reads.end(), capacity::HalfUnits{0});
  }
  return result;
}

std::vector<const KeyStory*> worst_keys(const Outcome& outcome, std::size_t most) {
  std::vector<const KeyStory*> keys;
  for (const KeyStory& story : outcome.keys.stories()) keys.push_back(&story);
  std::stable_sort(keys.begin(), keys.end(),
                   [](const KeyStory* a, const KeyStory* b) { return a->throttled() > b->throttled(); });
  if (keys.size() > most) keys.resize(most);
  return keys;
}

Limit main_limit(const KeyStory& story) noexcept {
  const auto most = std::max_element(story.throttles.begin(), story.throttles.end());
  return capacity::kAllLimits[static_cast<std::size_t>(most - story.throttles.begin())];
}

std::uint64_t throttles_of(const TargetOutcome& target, Direction direction, Limit limit) noexcept {
  return target.end.side(direction).refused[static_cast<std::size_t>(limit)];
}

std::string_view direction_text(Direction direction) noexcept {
  return direction == Direction::read ? "reads" : "writes";
}

}  // namespace stator::simulate
