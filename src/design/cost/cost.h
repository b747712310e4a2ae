#pragma once

#include <string>
#include <vector>

#include "design/cost/pattern_units.h"
#include "design/cost/prices.h"

// What a design costs in a month, in each way that capacity can be bought.
namespace stator::design {

struct CostOptions {
  double target_utilization = 0.7;  // of provisioned units, by auto scaling
};

// Units per second.
struct Demand {
  double read_average = 0, read_peak = 0;
  double write_average = 0, write_peak = 0;
};

struct PatternCost {
  PatternUnits units;
  double read_average = 0;  // units per second
  double write_average = 0;
  double on_demand = 0;  // money in a month
};

struct TargetCost {
  const Index* index = nullptr;  // null: the table
  Demand demand;
  double items = 0;
  double bytes = 0;  // with what the service adds to each item
};

struct Plan {
  std::string name;
  double reads = 0;  // money in a month
  double writes = 0;
  double upfront = 0;  // of it: paid in advance, per month of the term
  [[nodiscard]] double total() const { return reads + writes; }
};

struct CostReport {
  std::vector<PatternCost> patterns;
  std::vector<TargetCost> targets;  // the table first
  double storage_bytes = 0;
  double storage = 0;               // money in a month, without what is free
  std::vector<Plan> plans;          // on-demand, provisioned for the peak, auto scaling, reserved terms
  std::size_t cheapest = 0;         // among plans
  std::size_t dearest_pattern = 0;  // among patterns
  double amplification = 1;         // units written in all for one unit written to the table
  // Share of the provisioned units that must be used on average for provisioned to cost as much as on-demand.
  double break_even_write = 0;
  double break_even_read = 0;
};

// The service adds 100 bytes to each item of the table and of each index.
inline constexpr double kStorageOverheadBytes = 100;

[[nodiscard]] CostReport cost_of(const Model& model, const Prices& prices, const CostOptions& options);

// Money in a month for a steady rate of units per second.
[[nodiscard]] double on_demand_month(double units_per_second, double per_million, const Prices& prices);
[[nodiscard]] double provisioned_month(double units, double unit_hour, const Prices& prices);

[[nodiscard]] std::string cost_text(const Model& model, const CostReport& report, const Prices& prices,
                                    const CostOptions& options);
[[nodiscard]] std::string cost_json(const Model& model, const CostReport& report, const Prices& prices,
                                    const CostOptions& options);

}  // namespace stator::design
