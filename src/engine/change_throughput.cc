#include "engine/change_throughput.h"

#include <fmt/format.h>

#include <algorithm>

#include "capacity/change_limits.h"

namespace stator::engine {
namespace {

// Units of an index whose table goes to on-demand mode, which counts as a decrease.
void drop_units(Throughput& throughput, std::int64_t now_ms) {
  const capacity::DecreaseBudget budget{.last_decrease_ms = throughput.last_decrease_ms,
                                        .last_increase_ms = throughput.last_increase_ms,
                                        .decreases = static_cast<int>(throughput.decreases_today)};
  throughput.decreases_today = budget.decreases_today(now_ms) + 1;
  throughput.last_decrease_ms = now_ms;
  throughput.read_units = throughput.write_units = 0;
}

// A switch to on-demand mode: four in a day.
Result<void> note_switch(Table& table, const ChangeTime& at) {
  capacity::ModeSwitches switches;
  const std::size_t known = std::min(table.on_demand_switches_ms.size(), switches.to_on_demand_ms.size());
  std::copy_n(table.on_demand_switches_ms.begin(), known, switches.to_on_demand_ms.begin());
  const Result<void> noted = switches.switch_to_on_demand(at.now_ms);
  if (!noted && at.limited) return noted;
  table.on_demand_switches_ms.assign(switches.to_on_demand_ms.begin(), switches.to_on_demand_ms.end());
  return {};
}

}  // namespace

Result<void> set_throughput(Throughput& throughput, const ThroughputInput& wanted, const ChangeTime& at) {
  capacity::DecreaseBudget budget{.last_decrease_ms = throughput.last_decrease_ms,
                                  .last_increase_ms = throughput.last_increase_ms,
                                  .decreases = static_cast<int>(throughput.decreases_today)};
  const bool less = wanted.read_units < throughput.read_units || wanted.write_units < throughput.write_units;
  const bool more = wanted.read_units > throughput.read_units || wanted.write_units > throughput.write_units;
  if (at.limited) {
    TRY_VOID(budget.change({.read = throughput.read_units, .write = throughput.write_units},
                           {.read = wanted.read_units, .write = wanted.write_units}, at.now_ms));
  }
  if (more) throughput.last_increase_ms = at.now_ms;
  if (less) {
    throughput.decreases_today = at.limited ? budget.decreases : budget.decreases_today(at.now_ms) + 1;
    throughput.last_decrease_ms = at.now_ms;
  }
  throughput.read_units = wanted.read_units;
  throughput.write_units = wanted.write_units;
  return {};
}

Result<void> check_throughput_changes(const Throughput& now, const ThroughputInput& wanted, std::string_view what) {
  if (now.read_units != wanted.read_units || now.write_units != wanted.write_units) return {};
  return invalid(fmt::format(
      "The provisioned throughput for {0}{1} will not change. The requested value equals the current value. Current "
      "ReadCapacityUnits provisioned for {1}: {2}. Requested ReadCapacityUnits: {3}. Current WriteCapacityUnits "
      "provisioned for {1}: {4}. Requested WriteCapacityUnits: {5}. Refer to the Amazon DynamoDB Developer Guide for "
      "current limits and how to request higher limits.",
      what.starts_with("index") ? "the " : "", what, now.read_units, wanted.read_units, now.write_units,
      wanted.write_units));
}

Result<void> change_billing(Table& table, std::optional<BillingMode> wanted, const std::optional<ThroughputInput>& throughput,
                            const ChangeTime& at) {
  const BillingMode before = table.billing;
  const BillingMode after = wanted.value_or(before);
  if (after == BillingMode::on_demand) {
    if (throughput) TRY_VOID(check_throughput(after, throughput));
    if (before != after) {
      TRY_VOID(note_switch(table, at));
      table.throughput.read_units = table.throughput.write_units = 0;
      table.throughput.last_decrease_ms = at.now_ms;
      for (Index& index : table.indexes) {
        if (index.kind == IndexKind::global) drop_units(index.throughput, at.now_ms);
      }
      table.on_demand_since_ms = at.now_ms;
    }
  } else {
    if (throughput) {
      if (before == after) TRY_VOID(check_throughput_changes(table.throughput, *throughput, "the table"));
      TRY_VOID(set_throughput(table.throughput, *throughput, at));
    }
  }
  if (before != after) {
    table.billing_mode_set = true;
    table.on_demand = UnitPair();
    for (Index& index : table.indexes) index.on_demand = UnitPair();
  }
  table.billing = after;
  return {};
}

}  // namespace stator::engine
