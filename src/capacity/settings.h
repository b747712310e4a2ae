#pragma once

#include <cstdint>

#include "capacity/reason.h"
#include "capacity/tuning.h"
#include "capacity/units.h"

namespace stator::capacity {

// What an owner has set for a table or an index. A plain value: the engine keeps it in the table's description.
struct Settings {
  BillingMode billing = BillingMode::on_demand;
  Throughput provisioned{};    // provisioned mode
  Throughput max_on_demand{};  // on-demand mode; 0: none set
  Throughput warm{};           // set by the owner; 0: none set
  std::uint64_t size_bytes = 0;
  // Item collections of a table with local secondary indexes stay in one partition.
  bool has_local_indexes = false;
};

// ceil(read / 3,000 + write / 1,000): how many partitions provisioned throughput needs.
[[nodiscard]] int partitions_for_provisioned(const Throughput& provisioned, const Tuning& tuning) noexcept;
// The larger of the two directions: 4 for a new table's 12,000 and 4,000.
[[nodiscard]] int partitions_for_on_demand(const Throughput& capable, const Tuning& tuning) noexcept;
// One for each 10 GB.
[[nodiscard]] int partitions_for_size(std::uint64_t bytes) noexcept;

// What a table or index begins with: for what it is provisioned with or what a new on-demand table can do, and for its size.
[[nodiscard]] int partitions_at_birth(const Settings& settings, const Tuning& tuning) noexcept;

// The traffic that on-demand mode has seen. It serves twice the previous peak at once; traffic above that peak
// becomes the previous peak half an hour after it began. Never goes down.
class PeakTracker {
 public:
  explicit PeakTracker(Throughput previous) noexcept : previous_(previous) {}

  // One minute's average in units per second. Returns true when the previous peak has gone up.
  bool minute(std::int64_t minute_number, double read_rate, double write_rate, const Tuning& tuning) noexcept;

  [[nodiscard]] Throughput previous() const noexcept { return previous_; }
  void raise(Throughput at_least) noexcept;

 private:
  struct Above {
    std::int64_t since = -1;  // minute; -1: not above
    double highest = 0;
  };
  bool minute_of(std::int64_t minute_number, double rate, std::int64_t& previous, Above& above, int wait) noexcept;

  Throughput previous_;
  Above read_;
  Above write_;
};

}  // namespace stator::capacity
