#pragma once

#include <cstdint>
#include <span>

#include "capacity/units.h"
#include "design/cost/prices.h"
#include "simulate/run.h"

namespace stator::simulate {

// The fewest units per second with which a token bucket of `burst_seconds` never runs dry under this demand; at
// least 1.
[[nodiscard]] std::int64_t minimum_provisioned(std::span<const capacity::HalfUnits> demand_per_second,
                                               std::int64_t burst_seconds);

// What a target needs in one direction, in units per second.
struct Need {
  double average = 0;
  double peak_second = 0;
  std::int64_t with_burst = 1;  // the least that does, with 300 s of burst
  std::int64_t without_burst =
      1;  // enough for the highest second: burst is something that the service does not promise
};
[[nodiscard]] Need need_of(const Series& series);

// A month of the played traffic, if every hour were like the average of those played.
struct Cost {
  double on_demand = 0;
  double provisioned = 0;             // at Need::without_burst, day and night
  double provisioned_with_burst = 0;  // at Need::with_burst
};
[[nodiscard]] Cost monthly_cost(const TargetOutcome& target, double seconds, const design::Prices& prices);

}  // namespace stator::simulate
