#include "simulate/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "capacity/admission.h"
#include "capacity/resource.h"

namespace stator::simulate {
namespace {

using capacity::Charge;
using capacity::Decision;
using capacity::Direction;
using capacity::HalfUnits;

constexpr std::int64_t kSecond_us = 1'000'000;

std::uint64_t shard_hash(std::uint64_t key_hash, std::uint64_t shard) noexcept {
  std::uint64_t hash = key_hash + (shard + 1) * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

// The run under way.
class Runner {
 public:
  Runner(Source& source, const RunOptions& options) : source_(source), options_(options) {}

  Result<Outcome> play() {
    TRY_VOID(source_.rewind());
    Request request;
    for (;;) {
      TRY(const bool more, source_.next(request));
      if (!more) break;
      TRY_VOID(take(request));
    }
    return finish();
  }

 private:
  Result<void> take(Request& request) {
    if (outcome_.requests == 0) outcome_.start_us = request.time_us;
    outcome_.end_us = request.time_us;
    const std::int64_t elapsed_us = request.time_us - outcome_.start_us;
    if (elapsed_us / kSecond_us >= options_.seconds_max)
      return invalid(fmt::format("the requests span more than {} days; are the times in seconds?",
                                 options_.seconds_max / 86'400));
    make_targets(elapsed_us);
    if (options_.sharding != nullptr) spread_over_shards(request.parts);

    const capacity::Ticks now = (kSecond_us + elapsed_us) * capacity::kTicksPerMicrosecond;
    charges_.clear();
    for (const Part& part : request.parts)
      charges_.push_back({resources_[part.target].get(), part.direction, part.cost,
                          capacity::make_place(part.key_hash, part.item_hash), part.sort_key});
    const Decision decision = capacity::admit(charges_, capacity::Mode::enforce, now);
    ++outcome_.requests;
    if (decision.throttled) note_throttle(request, decision, elapsed_us);
    record(request, decision, elapsed_us);
    return {};
  }

  void make_targets(std::int64_t elapsed_us) {
    const std::vector<Target>& targets = source_.targets();
    while (resources_.size() < targets.size()) {
      const Target& target = targets[resources_.size()];
      const auto kind = target.index.empty() ? capacity::ResourceKind::table : capacity::ResourceKind::index;
      resources_.push_back(std::make_unique<capacity::Resource>(
          kind, target.settings, options_.tuning, (kSecond_us + elapsed_us) * capacity::kTicksPerMicrosecond));
      outcome_.targets.push_back({.target = target, .series = {}, .end = {}});
    }
  }

  void spread_over_shards(std::vector<Part>& parts) {
    const Sharding& sharding = *options_.sharding;
    const auto count = static_cast<std::uint64_t>(sharding.count);
    const std::size_t given = parts.size();
    for (std::size_t i = 0; i < given; ++i) {
      if (!sharding.keys.contains(Sharding::shard_id(parts[i].target, parts[i].key_hash))) continue;
      const std::uint64_t key = parts[i].key_hash;
      if (!parts[i].whole_collection) {
        parts[i].key_hash = shard_hash(key, parts[i].item_hash % count);
        continue;
      }
      // A Query becomes one of each shard; none costs less than the smallest read.
      const HalfUnits each = std::max<HalfUnits>(1, (parts[i].cost + sharding.count - 1) / sharding.count);
      parts[i].cost = each;
      for (std::uint64_t shard = 1; shard < count; ++shard) {
        Part other = parts[i];
        other.key_hash = shard_hash(key, shard);
        parts.push_back(other);
      }
      parts[i].key_hash = shard_hash(key, 0);
    }
  }

  void note_throttle(const Request& request, const Decision& decision, std::int64_t elapsed_us) {
    ++outcome_.throttled;
    const auto culprit = std::find_if(request.parts.begin(), request.parts.end(), [&](const Part& part) {
      return resources_[part.target].get() == decision.resource && part.direction == decision.reason.direction;
    });
    outcome_.keys.throttle(*culprit, decision.reason.limit, request.time_us, source_);
    std::vector<std::uint32_t>& throttled = series(*culprit).throttled;
    const auto second = static_cast<std::size_t>(elapsed_us / kSecond_us);
    if (throttled.size() <= second) throttled.resize(second + 1);
    ++throttled[second];
  }

  void record(const Request& request, const Decision& decision, std::int64_t elapsed_us) {
    const auto second = static_cast<std::size_t>(elapsed_us / kSecond_us);
    for (const Part& part : request.parts) {
      Series& side = series(part);
      if (side.demand.size() <= second) {
        side.demand.resize(second + 1);
        side.consumed.resize(second + 1);
      }
      side.demand[second] += part.cost;
      if (decision.allowed) side.consumed[second] += part.cost;
      if (!outcome_.keys.empty()) outcome_.keys.ask(part, request.time_us);
    }
  }

  Series& series(const Part& part) {
    return outcome_.targets[part.target].series[static_cast<std::size_t>(part.direction)];
  }

  Outcome finish() {
    const auto length = static_cast<std::size_t>(outcome_.seconds());
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      TargetOutcome& target = outcome_.targets[i];
      const std::int64_t now_us = kSecond_us + outcome_.end_us - outcome_.start_us;
      target.end = resources_[i]->snapshot(now_us * capacity::kTicksPerMicrosecond, true);
      for (Series& side : target.series) {
        side.demand.resize(length);
        side.consumed.resize(length);
        side.throttled.resize(length);
      }
    }
    return std::move(outcome_);
  }

  Source& source_;
  const RunOptions& options_;
  std::vector<std::unique_ptr<capacity::Resource>> resources_;
  std::vector<Charge> charges_;
  Outcome outcome_;
};

}  // namespace

double Outcome::seconds() const noexcept { return static_cast<double>((end_us - start_us) / kSecond_us + 1); }

std::uint64_t Sharding::shard_id(std::uint32_t target, std::uint64_t key_hash) noexcept {
  return key_hash ^ (static_cast<std::uint64_t>(target) * 0x9e3779b97f4a7c15ULL);
}

bool is_hot(const KeyStory& story, const capacity::Tuning& tuning) noexcept {
  // Half of a ceiling in units is a ceiling in half units.
  return story.peak_second[static_cast<std::size_t>(Direction::read)] >= tuning.partition_ceiling.read ||
         story.peak_second[static_cast<std::size_t>(Direction::write)] >= tuning.partition_ceiling.write;
}

Sharding shard_hot_keys(const Outcome& outcome, int count, const capacity::Tuning& tuning) {
  Sharding sharding;
  sharding.count = count;
  for (const KeyStory& story : outcome.keys.stories())
    if (story.throttles[static_cast<std::size_t>(capacity::Limit::key_range)] > 0 && is_hot(story, tuning))
      sharding.keys.insert(Sharding::shard_id(story.target, story.key_hash));
  return sharding;
}

Result<Outcome> run(Source& source, const RunOptions& options) { return Runner(source, options).play(); }

}  // namespace stator::simulate
