#include "simulate/key_table.h"

#include <algorithm>

namespace stator::simulate {

std::uint64_t KeyStory::throttled() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : throttles) sum += each;
  return sum;
}

void KeyTable::throttle(const Part& part, capacity::Limit limit, std::int64_t time_us, const Source& source) {
  const std::uint64_t key = id(part.target, part.key_hash);
  auto found = places_.find(key);
  if (found == places_.end()) {
    if (stories_.size() >= kKeysMax) {
      ++others_;
      return;
    }
    found = places_.emplace(key, stories_.size()).first;
    KeyStory& story = stories_.emplace_back();
    story.target = part.target;
    story.key_hash = part.key_hash;
    story.name = source.key_name(part);
    story.first_us = time_us;
    seconds_.emplace_back();
  }
  KeyStory& story = stories_[found->second];
  ++story.throttles[static_cast<std::size_t>(limit)];
  story.last_us = time_us;
}

void KeyTable::count(std::size_t place, const Part& part, std::int64_t time_us) noexcept {
  KeyStory& story = stories_[place];
  Second& second = seconds_[place];
  ++story.requests;
  const std::int64_t number = time_us / 1'000'000;
  if (second.number != number) second = {.number = number, .demand = {}};
  const auto direction = static_cast<std::size_t>(part.direction);
  second.demand[direction] += part.cost;
  story.peak_second[direction] = std::max(story.peak_second[direction], second.demand[direction]);
}

}  // namespace stator::simulate
