#include "simulate/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "capacity/place.h"

namespace stator::simulate {
namespace {

std::uint64_t mix(std::uint64_t value) noexcept {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

// Keys of one template are the same keys in every stream that uses it.
std::uint64_t hash_of_key(const KeyChoice& keys, std::uint64_t number, std::uint64_t shard) noexcept {
  return mix(capacity::hash_bytes(keys.label) + number * 0x9e3779b97f4a7c15ULL + shard * 0xd1342543de82ef95ULL);
}

// Key and shard in one number, for key_name.
constexpr std::uint64_t kShardBits = 12;

}  // namespace

SyntheticSource::SyntheticSource(Workload workload) : workload_(std::move(workload)) {
  for (const Stream& stream : workload_.streams) {
    first_tags_.push_back(static_cast<std::uint32_t>(touches_.size()));
    for (const Touch& each : stream.touches) touches_.push_back(&each);
  }
  sums_.resize(workload_.streams.size());
  (void)rewind();
}

Result<void> SyntheticSource::rewind() {
  state_ = workload_.seed;
  second_ = -1;
  at_s_ = 1;
  written_ = 0;
  return {};
}

std::uint64_t SyntheticSource::random() noexcept { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

double SyntheticSource::random_share() noexcept { return static_cast<double>((random() >> 11) + 1) * 0x1.0p-53; }

bool SyntheticSource::start_second() {
  if (++second_ >= workload_.duration_s) return false;
  double sum = 0;
  for (std::size_t i = 0; i < workload_.streams.size(); ++i) {
    const Stream& stream = workload_.streams[i];
    sum += rate_at(workload_.profile, stream.average, stream.peak, workload_.start_s + second_);
    sums_[i] = sum;
  }
  at_s_ = 0;
  return true;
}

Result<bool> SyntheticSource::next(Request& request) {
  // The gap to the next request is exponential; past the end of the second it is drawn anew at the next second's
  // rate, which a process without memory allows.
  for (;;) {
    const double rate = sums_.empty() ? 0 : sums_.back();
    at_s_ += second_ >= 0 && rate > 0 ? -std::log(random_share()) / rate : 1;
    if (at_s_ < 1) break;
    if (!start_second()) return false;
  }
  const double chosen = random_share() * sums_.back();
  const auto stream = static_cast<std::size_t>(std::lower_bound(sums_.begin(), sums_.end(), chosen) - sums_.begin());
  request.time_us = second_ * 1'000'000 + static_cast<std::int64_t>(at_s_ * 1e6);
  request.parts.clear();
  ++written_;
  for (int i = 0; i < 8; ++i) sort_key_[i] = static_cast<char>(written_ >> (56 - 8 * i));
  const std::vector<Touch>& touches = workload_.streams[stream].touches;
  for (std::uint32_t i = 0; i < touches.size(); ++i) touch(touches[i], first_tags_[stream] + i, request);
  return true;
}

void SyntheticSource::touch(const Touch& touch, std::uint32_t tag, Request& request) {
  if (touch.probability < 1 && random_share() > touch.probability) return;
  const KeyChoice& keys = touch.keys;
  std::uint64_t number = 0;
  if (keys.distinct > 1 && random_share() > keys.hottest_share)
    number = 1 + static_cast<std::uint64_t>(random_share() * (keys.distinct - 1) * (1 - 0x1.0p-52));
  std::uint64_t shard = 0;
  if (keys.shards > 1) shard = random() % static_cast<std::uint64_t>(keys.shards);

  Part& part = request.parts.emplace_back();
  part.target = touch.target;
  part.direction = touch.direction;
  part.cost = touch.cost;
  part.whole_collection = touch.whole_collection;
  part.key_hash = hash_of_key(keys, number, shard);
  part.key_number = number << kShardBits | shard;
  part.tag = tag;
  if (touch.items == ItemChoice::single) return;
  part.item_hash = random();
  if (touch.items == ItemChoice::ascending) part.sort_key = {sort_key_, sizeof sort_key_};
}

std::string SyntheticSource::key_name(const Part& part) const {
  const KeyChoice& keys = touches_[part.tag]->keys;
  const std::uint64_t number = part.key_number >> kShardBits;
  const std::uint64_t shard = part.key_number & ((1U << kShardBits) - 1);
  std::string name = keys.label;
  if (keys.distinct > 1) name += number == 0 ? " (the busiest)" : fmt::format(" (key {})", number);
  if (keys.shards > 1) name += fmt::format(", shard {}", shard);
  return name;
}

}  // namespace stator::simulate
