#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

#include "capacity/bucket.h"
#include "capacity/partition.h"
#include "capacity/reason.h"
#include "capacity/settings.h"
#include "capacity/snapshot.h"

namespace stator::capacity {

// observe: count what would have been throttled and let it pass. enforce: refuse it.
enum class Mode : std::uint8_t { observe, enforce };
inline constexpr std::size_t kModes = 2;

// The capacity of one table or one global secondary index: its limits, its partitions, its meters. (A local index has
// no capacity of its own: it draws on its table's.) `refusal`, `settle` and `tick` are the request path and may be
// called by many threads at once without a lock; the others take a lock and may be called by many threads too.
class Resource {
 public:
  Resource(ResourceKind kind, const Settings& settings, const Tuning& tuning, Ticks now);

  // The owner has changed something. Partitions are only ever added.
  void apply(const Settings& settings, Ticks now);
  void set_size(std::uint64_t bytes, Ticks now);

  // The limit that a request runs into now, if any; changes nothing.
  [[nodiscard]] std::optional<Limit> refusal(Direction direction, Place place, Ticks now) const noexcept {
    const Side& side = sides_[static_cast<std::size_t>(direction)];
    if (!side.limit.open(now)) [[unlikely]]
      return billing() == BillingMode::provisioned ? Limit::provisioned : Limit::max_on_demand;
    if (!side.account.open(now)) [[unlikely]]
      return Limit::account;
    if (!partitions_.find(place).side(direction).ceiling.open(now)) [[unlikely]]
      return Limit::key_range;
    return std::nullopt;
  }

  // The places of the partition that holds a place.
  [[nodiscard]] PlaceRange partition_of(Place place) const noexcept { return partitions_.find(place).range; }

  enum class Outcome : std::uint8_t {
    admitted,   // within all limits: metered and charged
    overdrawn,  // beyond a limit, let in all the same (observe): metered, and charged to nobody
    refused,    // not done: neither
  };
  void settle(Direction direction, HalfUnits cost, Place place, std::string_view sort_key, Outcome outcome,
              Ticks now) noexcept;
  // Takes back what `settle` has metered, for a request that was let in and then not done. `overdrawn`: it was charged to
  // nobody.
  void give_back(Direction direction, HalfUnits cost, Place place, bool overdrawn, Ticks now) noexcept;
  // Counts a throttle of this resource.
  void note_throttle(Direction direction, Limit limit, Mode mode, Place place) noexcept;

  // Once a minute some request does the housekeeping: heat, splits, on-demand growth.
  void tick(Ticks now) noexcept {
    if (now >= next_minute_.load(std::memory_order_relaxed)) [[unlikely]]
      end_minute(now);
  }

  [[nodiscard]] ResourceKind kind() const noexcept { return kind_; }
  [[nodiscard]] BillingMode billing() const noexcept { return billing_.load(std::memory_order_relaxed); }
  // What the resource can serve at once: reported as WarmThroughput.
  [[nodiscard]] Throughput warm() const;
  // `with_partitions` false leaves the list of partitions empty and is cheap.
  [[nodiscard]] ResourceSnapshot snapshot(Ticks now, bool with_partitions) const;

 private:
  // What a request touches is in one cache line; the counters of throttles in the next.
  struct alignas(64) Side {
    Bucket limit;    // provisioned units with their burst, or the owner's on-demand maximum
    Bucket account;  // the account's quota, on-demand mode
    std::atomic<HalfUnits> consumed{0};
    std::atomic<std::uint64_t> requests{0};
    std::array<std::array<std::atomic<std::uint64_t>, kLimits>, kModes> throttles{};
    HalfUnits consumed_before = 0;  // at the start of the minute
  };

  // All of these under the lock.
  void configure(Ticks now);
  [[nodiscard]] Throughput capable() const noexcept;
  [[nodiscard]] int partitions_needed() const noexcept;
  void end_minute(Ticks now) noexcept;
  void cool_or_heat(Partition& partition, Ticks now);
  void relieve(Partition& partition, Ticks now);

  const ResourceKind kind_;
  const Tuning tuning_;
  std::atomic<BillingMode> billing_;
  std::array<Side, kDirections> sides_;
  std::atomic<Ticks> next_minute_;
  PartitionMap partitions_;

  mutable std::mutex mutex_;
  Settings settings_;            // guarded by mutex_, as are all below
  Throughput provisioned_peak_;  // the most that was ever provisioned
  bool ever_on_demand_;
  PeakTracker peaks_;
  std::uint64_t splits_ = 0;
  std::uint64_t isolations_ = 0;
};

}  // namespace stator::capacity
