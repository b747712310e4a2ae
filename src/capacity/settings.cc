#include "capacity/settings.h"

#include <algorithm>
#include <cmath>

namespace stator::capacity {

int partitions_for_provisioned(const Throughput& provisioned, const Tuning& tuning) noexcept {
  // In whole numbers: 3,000 / 3,000 + 1,000 / 1,000 must not become 2.0000000000000004.
  const std::int64_t read_ceiling = tuning.partition_ceiling.read;
  const std::int64_t write_ceiling = tuning.partition_ceiling.write;
  // Beyond this there are partitions_max of them in any case, and the products below stay in range.
  const std::int64_t most = std::max(read_ceiling, write_ceiling) * tuning.partitions_max;
  const std::int64_t read = std::clamp<std::int64_t>(provisioned.read, 0, most);
  const std::int64_t write = std::clamp<std::int64_t>(provisioned.write, 0, most);
  const std::int64_t whole = read_ceiling * write_ceiling;
  const std::int64_t count = (read * write_ceiling + write * read_ceiling + whole - 1) / whole;
  return static_cast<int>(std::clamp<std::int64_t>(count, 1, tuning.partitions_max));
}

int partitions_for_on_demand(const Throughput& capable, const Tuning& tuning) noexcept {
  const auto needed = [](std::int64_t units, std::int64_t ceiling) { return (units + ceiling - 1) / ceiling; };
  const std::int64_t count = std::max(needed(capable.read, tuning.partition_ceiling.read),
                                      needed(capable.write, tuning.partition_ceiling.write));
  return static_cast<int>(std::clamp<std::int64_t>(count, 1, tuning.partitions_max));
}

int partitions_for_size(std::uint64_t bytes) noexcept {
  return static_cast<int>(std::max<std::uint64_t>(1, (bytes + kPartitionBytes - 1) / kPartitionBytes));
}

int partitions_at_birth(const Settings& settings, const Tuning& tuning) noexcept {
  const bool provisioned = settings.billing == BillingMode::provisioned;
  int count = std::max(partitions_for_size(settings.size_bytes), partitions_for_on_demand(settings.warm, tuning));
  count = std::max(count, provisioned ? partitions_for_provisioned(settings.provisioned, tuning)
                                      : partitions_for_on_demand(kOnDemandAtBirth, tuning));
  return count;
}

bool PeakTracker::minute_of(std::int64_t minute_number, double rate, std::int64_t& previous, Above& above,
                            int wait) noexcept {
  if (rate > static_cast<double>(previous)) {
    if (above.since < 0) above.since = minute_number;
    above.highest = std::max(above.highest, rate);
  }
  if (above.since < 0 || minute_number - above.since < wait) return false;
  previous = static_cast<std::int64_t>(std::ceil(above.highest));
  above = {};
  return true;
}

bool PeakTracker::minute(std::int64_t minute_number, double read_rate, double write_rate,
                         const Tuning& tuning) noexcept {
  const bool read_up = minute_of(minute_number, read_rate, previous_.read, read_, tuning.peak_minutes);
  const bool write_up = minute_of(minute_number, write_rate, previous_.write, write_, tuning.peak_minutes);
  return read_up || write_up;
}

void PeakTracker::raise(Throughput at_least) noexcept {
  previous_.read = std::max(previous_.read, at_least.read);
  previous_.write = std::max(previous_.write, at_least.write);
}

}  // namespace stator::capacity
