#include "design/cost/cost.h"

#include <algorithm>
#include <cmath>

#include "design/shape.h"

namespace stator::design {

namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;
constexpr double kSecondsPerHour = 3600;

void add_storage(const Model& model, CostReport& report) {
  for (TargetCost& target : report.targets) {
    for (const Entity& entity : model.entities) {
      const double share = target.index == nullptr ? 1 : index_share(model, entity, *target.index);
      const double items = item_count(model, entity) * share;
      if (items == 0) continue;
      const double bytes = target.index == nullptr ? item_bytes(model, entity).typical
                                                   : index_item_bytes(model, entity, *target.index).typical;
      target.items += items;
      target.bytes += items * (bytes + kStorageOverheadBytes);
    }
    report.storage_bytes += target.bytes;
  }
}

TargetCost& target_of(CostReport& report, const Index* index) {
  const auto found = std::find_if(report.targets.begin(), report.targets.end(),
                                  [&](const TargetCost& target) { return target.index == index; });
  return found == report.targets.end() ? report.targets.front() : *found;
}

void add_pattern(const Model& model, const Pattern& pattern, const Prices& prices, CostReport& report) {
  PatternCost cost;
  cost.units = pattern_units(model, pattern);
  cost.read_average = pattern.rate.average * cost.units.read;
  cost.write_average = pattern.rate.average * cost.units.write;
  cost.on_demand = on_demand_month(cost.read_average, prices.on_demand_read_per_million, prices) +
                   on_demand_month(cost.write_average, prices.on_demand_write_per_million, prices);
  for (const UnitsAt& part : cost.units.parts) {
    Demand& demand = target_of(report, part.index).demand;
    demand.read_average += part.read * pattern.rate.average;
    demand.read_peak += part.read * pattern.rate.peak;
    demand.write_average += part.write * pattern.rate.average;
    demand.write_peak += part.write * pattern.rate.peak;
  }
  report.patterns.push_back(std::move(cost));
}

// Whole units, one at least: what can be bought.
double buyable(double units) { return std::max(1.0, std::ceil(units - 1e-9)); }

Plan on_demand_plan(const CostReport& report, const Prices& prices) {
  Plan plan{"on-demand"};
  for (const TargetCost& target : report.targets) {
    plan.reads += on_demand_month(target.demand.read_average, prices.on_demand_read_per_million, prices);
    plan.writes += on_demand_month(target.demand.write_average, prices.on_demand_write_per_million, prices);
  }
  return plan;
}

Plan provisioned_plan(const CostReport& report, const Prices& prices, double target_utilization, bool at_peak) {
  Plan plan{at_peak ? "provisioned for the peak" : "provisioned, auto scaling"};
  for (const TargetCost& target : report.targets) {
    const Demand& demand = target.demand;
    const double reads = at_peak ? demand.read_peak : demand.read_average / target_utilization;
    const double writes = at_peak ? demand.write_peak : demand.write_average / target_utilization;
    plan.reads += provisioned_month(buyable(reads), prices.read_unit_hour, prices);
    plan.writes += provisioned_month(buyable(writes), prices.write_unit_hour, prices);
  }
  return plan;
}

// Whole blocks are reserved for what auto scaling provisions on average; the rest is bought by the hour.
Plan reserved_plan(const CostReport& report, const Prices& prices, double target_utilization,
                   const ReservedPrices& terms) {
  Plan plan{"reserved " + terms.term + ", rest auto scaling"};
  double reads = 0;
  double writes = 0;
  for (const TargetCost& target : report.targets) {
    reads += buyable(target.demand.read_average / target_utilization);
    writes += buyable(target.demand.write_average / target_utilization);
  }
  const auto cost = [&](double units, double upfront, double hour, double unit_hour) {
    const double reserved = std::floor(units / terms.block);
    plan.upfront += reserved * upfront / terms.months;
    return reserved * (upfront / terms.months + hour * prices.hours_per_month) +
           provisioned_month(units - reserved * terms.block, unit_hour, prices);
  };
  plan.reads = cost(reads, terms.read_upfront, terms.read_hour, prices.read_unit_hour);
  plan.writes = cost(writes, terms.write_upfront, terms.write_hour, prices.write_unit_hour);
  return plan;
}

double amplification_of(const CostReport& report) {
  double all = 0;
  double table = 0;
  for (const PatternCost& cost : report.patterns) {
    all += cost.write_average;
    table += cost.units.table_write * cost.units.pattern->rate.average;
  }
  return table > 0 ? all / table : 1;
}

}  // namespace

double on_demand_month(double units_per_second, double per_million, const Prices& prices) {
  return units_per_second * kSecondsPerHour * prices.hours_per_month / 1e6 * per_million;
}

double provisioned_month(double units, double unit_hour, const Prices& prices) {
  return units * unit_hour * prices.hours_per_month;
}

CostReport cost_of(const Model& model, const Prices& prices, const CostOptions& options) {
  CostReport report;
  report.targets.emplace_back();
  for (const Index& index : model.indexes) report.targets.push_back({&index});
  for (const Pattern& pattern : model.patterns) add_pattern(model, pattern, prices, report);
  add_storage(model, report);
  report.storage = std::max(0.0, report.storage_bytes / kGigabyte - prices.free_gigabytes) * prices.gigabyte_month;
  // A local index stores items, but what reads and writes it is in the table's units.
  CostReport billed = report;
  std::erase_if(billed.targets, [](const TargetCost& target) {
    return target.index != nullptr && target.index->kind == IndexKind::local;
  });
  report.plans.push_back(on_demand_plan(billed, prices));
  report.plans.push_back(provisioned_plan(billed, prices, options.target_utilization, true));
  report.plans.push_back(provisioned_plan(billed, prices, options.target_utilization, false));
  for (const ReservedPrices& terms : prices.reserved) {
    report.plans.push_back(reserved_plan(billed, prices, options.target_utilization, terms));
  }
  const auto by_total = [](const Plan& a, const Plan& b) { return a.total() < b.total(); };
  report.cheapest = static_cast<std::size_t>(std::min_element(report.plans.begin(), report.plans.end(), by_total) -
                                             report.plans.begin());
  const auto by_cost = [](const PatternCost& a, const PatternCost& b) { return a.on_demand < b.on_demand; };
  report.dearest_pattern = static_cast<std::size_t>(
      std::max_element(report.patterns.begin(), report.patterns.end(), by_cost) - report.patterns.begin());
  report.amplification = amplification_of(report);
  const auto break_even = [](double unit_hour, double per_million) {
    const double used_hour = per_million / 1e6 * kSecondsPerHour;  // one unit each second for an hour
    return used_hour > 0 ? unit_hour / used_hour : 0;
  };
  report.break_even_write = break_even(prices.write_unit_hour, prices.on_demand_write_per_million);
  report.break_even_read = break_even(prices.read_unit_hour, prices.on_demand_read_per_million);
  return report;
}

}  // namespace stator::design
