#include "simulate/provision.h"

#include <algorithm>

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::HalfUnits;

bool holds(std::span<const HalfUnits> demand, std::int64_t units_per_second, std::int64_t burst_seconds) {
  const HalfUnits rate = 2 * units_per_second;
  const HalfUnits depth = rate * burst_seconds;
  HalfUnits balance = 0;
  for (const HalfUnits asked : demand) {
    balance = std::min(balance + rate - asked, depth);  // a full bucket that is drawn from loses nothing
    if (balance < 0) return false;
  }
  return true;
}

double sum_units(const std::vector<HalfUnits>& series) {
  double sum = 0;
  for (const HalfUnits each : series) sum += static_cast<double>(each) / 2;
  return sum;
}

}  // namespace

std::int64_t minimum_provisioned(std::span<const HalfUnits> demand_per_second, std::int64_t burst_seconds) {
  const HalfUnits peak =
      demand_per_second.empty() ? 0 : *std::max_element(demand_per_second.begin(), demand_per_second.end());
  std::int64_t low = 1;
  std::int64_t high = std::max<std::int64_t>(1, (peak + 1) / 2);  // enough in every single second
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    holds(demand_per_second, middle, burst_seconds) ? high = middle : low = middle + 1;
  }
  return low;
}

Need need_of(const Series& series) {
  Need need;
  if (series.demand.empty()) return need;
  need.average = sum_units(series.demand) / static_cast<double>(series.demand.size());
  need.peak_second = static_cast<double>(*std::max_element(series.demand.begin(), series.demand.end())) / 2;
  need.with_burst = minimum_provisioned(series.demand, capacity::kBurstSeconds);
  need.without_burst = minimum_provisioned(series.demand, 0);
  return need;
}

Cost monthly_cost(const TargetOutcome& target, double seconds, const design::Prices& prices) {
  const double months = seconds / 3600 / prices.hours_per_month;
  const auto million = [&](Direction direction) { return sum_units(target.of(direction).demand) / months / 1e6; };
  const Need read = need_of(target.of(Direction::read));
  const Need write = need_of(target.of(Direction::write));
  const auto hourly = [&](std::int64_t read_units, std::int64_t write_units) {
    return (static_cast<double>(read_units) * prices.read_unit_hour +
            static_cast<double>(write_units) * prices.write_unit_hour) *
           prices.hours_per_month;
  };
  return {.on_demand = million(Direction::read) * prices.on_demand_read_per_million +
                       million(Direction::write) * prices.on_demand_write_per_million,
          .provisioned = hourly(read.without_burst, write.without_burst),
          .provisioned_with_burst = hourly(read.with_burst, write.with_burst)};
}

}  // namespace stator::simulate
