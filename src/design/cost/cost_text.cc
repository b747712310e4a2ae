#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "design/cost/cost.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string target_name(const Index* index) { return index == nullptr ? "table" : index->name; }

std::string patterns_text(const CostReport& report) {
  double sum = 0;
  for (const PatternCost& cost : report.patterns) sum += cost.on_demand;
  TextTable table({{"pattern"},
                   {"call"},
                   {"calls/s", Align::right},
                   {"item", Align::right},
                   {"items", Align::right},
                   {"RCU", Align::right},
                   {"WCU", Align::right},
                   {"of it indexes", Align::right},
                   {"RCU/s", Align::right},
                   {"WCU/s", Align::right},
                   {"month", Align::right},
                   {"share", Align::right}});
  for (const PatternCost& cost : report.patterns) {
    const PatternUnits& units = cost.units;
    const Pattern& pattern = *units.pattern;
    std::string call = units.resolution.call;
    if (units.resolution.index != nullptr) call += " " + units.resolution.index->name;
    if (units.resolution.calls > 1) call += " x " + rounded(units.resolution.calls);
    double items = units.resolution.items_average;
    if (!pattern.actions.empty()) {
      items = 0;
      for (const Action& action : pattern.actions) items += action.count;
    }
    const auto or_blank = [](double value, std::string text) { return value > 0 ? text : std::string(); };
    table.add({pattern.name, call, rounded(pattern.rate.average), bytes_text(units.item_bytes), rounded(items),
               or_blank(units.read, figure(units.read, 1)), or_blank(units.write, figure(units.write, 2)),
               or_blank(units.write - units.table_write, figure(units.write - units.table_write, 2)),
               or_blank(cost.read_average, rounded(cost.read_average)),
               or_blank(cost.write_average, rounded(cost.write_average)), money(cost.on_demand),
               sum > 0 ? percent(cost.on_demand / sum) : ""});
  }
  return table.text("  ");
}

std::string targets_text(const CostReport& report) {
  TextTable table({{"where"},
                   {"items", Align::right},
                   {"stored", Align::right},
                   {"RCU/s", Align::right},
                   {"peak", Align::right},
                   {"WCU/s", Align::right},
                   {"peak", Align::right}});
  for (const TargetCost& target : report.targets) {
    const Demand& demand = target.demand;
    table.add({target_name(target.index), figure(target.items), bytes_text(target.bytes), rounded(demand.read_average),
               rounded(demand.read_peak), rounded(demand.write_average), rounded(demand.write_peak)});
  }
  return table.text("  ");
}

std::string plans_text(const CostReport& report) {
  TextTable table({{"plan"},
                   {"reads", Align::right},
                   {"writes", Align::right},
                   {"storage", Align::right},
                   {"month", Align::right},
                   {""}});
  for (std::size_t at = 0; at < report.plans.size(); ++at) {
    const Plan& plan = report.plans[at];
    table.add({plan.name, money(plan.reads), money(plan.writes), money(report.storage),
               money(plan.total() + report.storage), at == report.cheapest ? "<- cheapest" : ""});
  }
  return table.text("  ");
}

// Peak over average of everything that is read and written, in money at peak.
std::string break_even_text(const CostReport& report, double target_utilization) {
  Demand sum;
  for (const TargetCost& target : report.targets) {
    sum.read_average += target.demand.read_average;
    sum.read_peak += target.demand.read_peak;
    sum.write_average += target.demand.write_average;
    sum.write_peak += target.demand.write_peak;
  }
  std::string out = fmt::format(
      "Break-even: provisioned units cost less than on-demand as soon as {} of the write units and {} of the read "
      "units\n"
      "are used on average: bought for the peak alone that is a peak of {} times the average; at {} utilisation, {} "
      "times.\n",
      percent(report.break_even_write), percent(report.break_even_read), rounded(1 / report.break_even_write),
      percent(target_utilization), rounded(target_utilization / report.break_even_write));
  const auto ratio = [](double peak, double average) {
    return average > 0 ? rounded(peak / average) : std::string("-");
  };
  out += fmt::format("Here the peak is {} times the average for writes and {} times for reads.\n",
                     ratio(sum.write_peak, sum.write_average), ratio(sum.read_peak, sum.read_average));
  return out;
}

}  // namespace

std::string cost_text(const Model& model, const CostReport& report, const Prices& prices, const CostOptions& options) {
  std::string out = fmt::format("{}: cost of a month ({}, prices of \"{}\", {} hours)\n\n", model.name, prices.currency,
                                prices.name, figure(prices.hours_per_month));
  out += "Access patterns, on-demand\n" + patterns_text(report) + "\n";
  if (!report.patterns.empty()) {
    const PatternCost& dearest = report.patterns[report.dearest_pattern];
    out += fmt::format("Most expensive: {} ({} a month).\n", dearest.units.pattern->name, money(dearest.on_demand));
  }
  out += fmt::format("Index writes: {} units are written for each unit that the table itself takes.\n\n",
                     figure(report.amplification, 2));
  out += "Table and indexes (units per second; storage with 100 bytes that the service adds to each item)\n" +
         targets_text(report) + "\n";
  out += fmt::format("Plans (auto scaling at {} utilisation; storage beyond {} free GB)\n",
                     percent(options.target_utilization), figure(prices.free_gigabytes)) +
         plans_text(report) + "\n";
  out += break_even_text(report, options.target_utilization);
  return out;
}

std::string cost_json(const Model& model, const CostReport& report, const Prices& prices, const CostOptions& options) {
  OrderedJson out;
  out["model"] = model.name;
  out["prices"] = prices.name;
  out["currency"] = prices.currency;
  out["targetUtilization"] = options.target_utilization;
  out["patterns"] = OrderedJson::array();
  for (const PatternCost& cost : report.patterns) {
    out["patterns"].push_back(
        {{"name", cost.units.pattern->name},
         {"call", cost.units.resolution.call},
         {"index", cost.units.resolution.index == nullptr ? "" : cost.units.resolution.index->name},
         {"calls", cost.units.resolution.calls},
         {"readUnits", cost.units.read},
         {"writeUnits", cost.units.write},
         {"amplification", cost.units.amplification()},
         {"readUnitsPerSecond", cost.read_average},
         {"writeUnitsPerSecond", cost.write_average},
         {"onDemandMonth", cost.on_demand}});
  }
  out["targets"] = OrderedJson::array();
  for (const TargetCost& target : report.targets) {
    out["targets"].push_back({{"name", target_name(target.index)},
                              {"items", target.items},
                              {"bytes", target.bytes},
                              {"readUnitsPerSecond", target.demand.read_average},
                              {"readPeak", target.demand.read_peak},
                              {"writeUnitsPerSecond", target.demand.write_average},
                              {"writePeak", target.demand.write_peak}});
  }
  out["storageMonth"] = report.storage;
  out["plans"] = OrderedJson::array();
  for (const Plan& plan : report.plans) {
    out["plans"].push_back({{"name", plan.name},
                            {"reads", plan.reads},
                            {"writes", plan.writes},
                            {"upfrontPerMonth", plan.upfront},
                            {"month", plan.total() + report.storage}});
  }
  out["cheapest"] = report.plans[report.cheapest].name;
  if (!report.patterns.empty())
    out["mostExpensivePattern"] = report.patterns[report.dearest_pattern].units.pattern->name;
  out["breakEven"] = {{"writeUtilization", report.break_even_write}, {"readUtilization", report.break_even_read}};
  return out.dump(2) + "\n";
}

}  // namespace stator::design
