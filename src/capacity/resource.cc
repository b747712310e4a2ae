#include "capacity/resource.h"

#include <algorithm>

namespace stator::capacity {
namespace {

constexpr std::array<Direction, kDirections> kBoth{Direction::read, Direction::write};

Throughput highest(const Throughput& a, const Throughput& b) noexcept {
  return {.read = std::max(a.read, b.read), .write = std::max(a.write, b.write)};
}

}  // namespace

Resource::Resource(ResourceKind kind, const Settings& settings, const Tuning& tuning, Ticks now)
    : kind_(kind),
      tuning_(tuning),
      billing_(settings.billing),
      next_minute_((now / kTicksPerMinute + 1) * kTicksPerMinute),
      partitions_(partitions_at_birth(settings, tuning), tuning, now),
      settings_(settings),
      provisioned_peak_(settings.billing == BillingMode::provisioned ? settings.provisioned : Throughput{}),
      ever_on_demand_(settings.billing == BillingMode::on_demand),
      peaks_({.read = kOnDemandAtBirth.read / 2, .write = kOnDemandAtBirth.write / 2}) {
  configure(now);
  // Nothing has been saved up yet but the first second.
  for (Side& side : sides_) {
    side.limit.fill(1, now);
    side.account.fill(1, now);
  }
}

void Resource::configure(Ticks now) {
  const bool provisioned = settings_.billing == BillingMode::provisioned;
  billing_.store(settings_.billing, std::memory_order_relaxed);
  for (const Direction direction : kBoth) {
    Side& side = sides_[static_cast<std::size_t>(direction)];
    const std::int64_t rate = (provisioned ? settings_.provisioned : settings_.max_on_demand).of(direction);
    side.limit.configure(rate, tuning_.burst_seconds, now);
    side.account.configure(provisioned ? 0 : tuning_.account_limit.of(direction), 1, now);
  }
}

Throughput Resource::capable() const noexcept {
  Throughput result = highest(settings_.warm, provisioned_peak_);
  if (ever_on_demand_) {
    const Throughput previous = peaks_.previous();
    result = highest(result, highest(kOnDemandAtBirth, {.read = previous.read * 2, .write = previous.write * 2}));
  }
  return result;
}

int Resource::partitions_needed() const noexcept {
  int count = std::max(partitions_for_size(settings_.size_bytes), partitions_for_on_demand(capable(), tuning_));
  if (settings_.billing == BillingMode::provisioned)
    count = std::max(count, partitions_for_provisioned(settings_.provisioned, tuning_));
  return count;
}

void Resource::apply(const Settings& settings, Ticks now) {
  const std::scoped_lock lock(mutex_);
  // A warm throughput once set stays: it can only be raised.
  const Throughput warm = highest(settings_.warm, settings.warm);
  settings_ = settings;
  settings_.warm = warm;
  if (settings.billing == BillingMode::provisioned) {
    provisioned_peak_ = highest(provisioned_peak_, settings.provisioned);
  } else {
    ever_on_demand_ = true;
    // A table that was provisioned counts half of the most it had as its previous peak.
    peaks_.raise({.read = provisioned_peak_.read / 2, .write = provisioned_peak_.write / 2});
  }
  configure(now);
  partitions_.grow(partitions_needed(), now);
}

void Resource::set_size(std::uint64_t bytes, Ticks now) {
  const std::scoped_lock lock(mutex_);
  settings_.size_bytes = bytes;
  partitions_.grow(partitions_for_size(bytes), now);
}

void Resource::settle(Direction direction, HalfUnits cost, Place place, std::string_view sort_key, Outcome outcome,
                      Ticks now) noexcept {
  Partition& partition = partitions_.find(place);
  partition.ask(direction, cost, place, sort_key);
  if (outcome == Outcome::refused) {
    partition.side(direction).refused.fetch_add(cost, std::memory_order_relaxed);
    return;
  }
  Side& side = sides_[static_cast<std::size_t>(direction)];
  side.consumed.fetch_add(cost, std::memory_order_relaxed);
  side.requests.fetch_add(1, std::memory_order_relaxed);
  if (outcome == Outcome::overdrawn) return;
  side.limit.charge(now, cost);
  side.account.charge(now, cost);
  partition.side(direction).ceiling.charge(now, cost);
}

void Resource::give_back(Direction direction, HalfUnits cost, Place place, bool overdrawn, Ticks now) noexcept {
  Partition& partition = partitions_.find(place);
  partition.side(direction).demand.fetch_sub(cost, std::memory_order_relaxed);
  Side& side = sides_[static_cast<std::size_t>(direction)];
  side.consumed.fetch_sub(cost, std::memory_order_relaxed);
  side.requests.fetch_sub(1, std::memory_order_relaxed);
  if (overdrawn) return;
  side.limit.charge(now, -cost);
  side.account.charge(now, -cost);
  partition.side(direction).ceiling.charge(now, -cost);
}

void Resource::note_throttle(Direction direction, Limit limit, Mode mode, Place place) noexcept {
  Side& side = sides_[static_cast<std::size_t>(direction)];
  side.throttles[static_cast<std::size_t>(mode)][static_cast<std::size_t>(limit)].fetch_add(
      1, std::memory_order_relaxed);
  partitions_.find(place).side(direction).throttles.fetch_add(1, std::memory_order_relaxed);
}

void Resource::end_minute(Ticks now) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const Ticks end = next_minute_.load(std::memory_order_relaxed);
  if (!lock || now < end) return;  // another thread does or did it
  // All that was counted since the last time belongs to the minute that ended at `end`; minutes since then were idle.
  const std::int64_t minute_number = end / kTicksPerMinute - 1;
  const bool idle_since = now >= end + kTicksPerMinute;
  next_minute_.store((now / kTicksPerMinute + 1) * kTicksPerMinute, std::memory_order_relaxed);

  std::array<double, kDirections> rates{};
  for (std::size_t i = 0; i < kDirections; ++i) {
    const HalfUnits consumed = sides_[i].consumed.load(std::memory_order_relaxed);
    rates[i] = static_cast<double>(consumed - sides_[i].consumed_before) / 2 / 60;
    sides_[i].consumed_before = consumed;
  }
  for (Partition* partition : partitions_.leaves()) {
    cool_or_heat(*partition, now);
    if (idle_since) partition->hot_minutes = 0;
  }
  if (settings_.billing == BillingMode::on_demand && peaks_.minute(minute_number, rates[0], rates[1], tuning_))
    partitions_.grow(partitions_needed(), now);
}

void Resource::cool_or_heat(Partition& partition, Ticks now) {
  bool hot = false;
  for (const Direction direction : kBoth) {
    PartitionSide& side = partition.side(direction);
    const HalfUnits demand = side.demand.load(std::memory_order_relaxed);
    const HalfUnits refused = side.refused.load(std::memory_order_relaxed);
    const HalfUnits asked = demand - side.demand_before;
    const HalfUnits consumed = asked - (refused - side.refused_before);
    side.demand_before = demand;
    side.refused_before = refused;
    const double ceiling = 2.0 * 60 * static_cast<double>(tuning_.partition_ceiling.of(direction));
    hot = hot || static_cast<double>(asked) >= tuning_.hot_fraction * ceiling;
    if (settings_.billing == BillingMode::provisioned) {
      const HalfUnits share = 2 * 60 * settings_.provisioned.of(direction) / partitions_.leaf_count();
      side.lent += std::max<HalfUnits>(0, consumed - share);
    }
  }
  if (!hot) {
    partition.hot_minutes = 0;
    return;
  }
  if (++partition.hot_minutes >= tuning_.hot_minutes) relieve(partition, now);
  partition.start_sampling().clear();
}

void Resource::relieve(Partition& partition, Ticks now) {
  const HeatSketch::Verdict verdict = partition.start_sampling().judge(tuning_);
  const PlaceRange range = partition.range;
  const auto isolate = [&](bool whole_key) {
    if (whole_key ? range.one_key() : range.one_item()) return;  // alone already: nothing more can be done
    if (partitions_.isolate(partition, verdict.hottest, whole_key, now)) ++isolations_;
  };
  switch (verdict.cause) {
    case HeatCause::unknown: return;
    case HeatCause::single_item: return isolate(settings_.has_local_indexes);
    case HeatCause::ascending: return isolate(true);
    case HeatCause::collection:
      if (settings_.has_local_indexes) return isolate(true);
      if (partitions_.split(partition, verdict.middle, now)) ++splits_;
      return;
    case HeatCause::many_keys: {
      // Between keys, so that no collection is divided without need.
      const std::uint64_t key = key_hash(verdict.middle);
      const Place from = make_place(key == key_hash(range.first) && key != UINT64_MAX ? key + 1 : key, 0);
      if (partitions_.split(partition, from, now)) ++splits_;
      return;
    }
  }
}

Throughput Resource::warm() const {
  const std::scoped_lock lock(mutex_);
  return capable();
}

ResourceSnapshot Resource::snapshot(Ticks now, bool with_partitions) const {
  const std::scoped_lock lock(mutex_);
  ResourceSnapshot result;
  result.kind = kind_;
  result.billing = settings_.billing;
  result.provisioned = settings_.billing == BillingMode::provisioned ? settings_.provisioned : Throughput{};
  result.warm = capable();
  result.previous_peak = peaks_.previous();
  result.partition_count = partitions_.leaf_count();
  result.splits = splits_;
  result.isolations = isolations_;
  for (std::size_t i = 0; i < kDirections; ++i) {
    const Side& side = sides_[i];
    SideSnapshot& out = result.sides[i];
    out.consumed = side.consumed.load(std::memory_order_relaxed);
    out.requests = side.requests.load(std::memory_order_relaxed);
    out.burst = side.limit.balance(now);
    for (std::size_t limit = 0; limit < kLimits; ++limit) {
      out.would_throttle[limit] = side.throttles[static_cast<std::size_t>(Mode::observe)][limit].load();
      out.refused[limit] = side.throttles[static_cast<std::size_t>(Mode::enforce)][limit].load();
    }
  }
  if (!with_partitions) return result;
  for (const Partition* partition : partitions_.leaves()) {
    PartitionSnapshot& out = result.partitions.emplace_back();
    out.range = partition->range;
    out.hot_minutes = partition->hot_minutes;
    for (const Direction direction : kBoth) {
      const PartitionSide& side = partition->side(direction);
      out.sides[static_cast<std::size_t>(direction)] = {
          .consumed = side.demand.load(std::memory_order_relaxed) - side.refused.load(std::memory_order_relaxed),
          .lent = side.lent,
          .throttles = side.throttles.load(std::memory_order_relaxed)};
    }
  }
  return result;
}

}  // namespace stator::capacity
