#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "capacity/reason.h"
#include "design/report/text_table.h"
#include "simulate/report.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::Limit;
using design::Align;
using design::figure;
using design::TextTable;

constexpr std::array kBoth{Direction::read, Direction::write};

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{} s", figure(seconds));
  if (seconds < 7200) return fmt::format("{} min", figure(seconds / 60, 1));
  return fmt::format("{} h", figure(seconds / 3600, 1));
}

std::string unit_text(capacity::HalfUnits half_units) { return figure(static_cast<double>(half_units) / 2, 1); }
std::string count(std::uint64_t number) { return figure(static_cast<double>(number)); }

std::string mode_text(const TargetOutcome& target) {
  const capacity::Settings& settings = target.target.settings;
  if (settings.billing == capacity::BillingMode::on_demand) return "on-demand";
  return fmt::format("{} RCU, {} WCU", figure(static_cast<double>(settings.provisioned.read)),
                     figure(static_cast<double>(settings.provisioned.write)));
}

std::string targets_text(const Report& report) {
  TextTable table({{"table or index"},
                   {"capacity"},
                   {"partitions", Align::right},
                   {"heat splits", Align::right},
                   {"isolated", Align::right},
                   {"read units", Align::right},
                   {"write units", Align::right},
                   {"throttled", Align::right}});
  for (const TargetOutcome& target : report.outcome.targets) {
    table.add({target.target.name(), mode_text(target), figure(target.end.partition_count), count(target.end.splits),
               count(target.end.isolations), unit_text(target.end.side(Direction::read).consumed),
               unit_text(target.end.side(Direction::write).consumed),
               count(target.end.side(Direction::read).throttles() + target.end.side(Direction::write).throttles())});
  }
  return table.text("  ");
}

std::string reasons_text(const Report& report) {
  TextTable table({{"reason"}, {"table or index"}, {"requests", Align::right}});
  for (const TargetOutcome& target : report.outcome.targets)
    for (const Direction direction : kBoth)
      for (const Limit limit : capacity::kAllLimits) {
        const std::uint64_t throttles = throttles_of(target, direction, limit);
        if (throttles == 0) continue;
        table.add({std::string(capacity::reason_name({target.end.kind, direction, limit})), target.target.name(),
                   count(throttles)});
      }
  return table.text("  ");
}

std::string keys_text(const Report& report) {
  TextTable table({{"partition key"},
                   {"table or index"},
                   {"limit"},
                   {"throttled", Align::right},
                   {"of its requests", Align::right},
                   {"peak second", Align::right}});
  constexpr std::array<std::string_view, capacity::kLimits> kLimitTexts{
      "provisioned throughput", "key range (partition)", "account", "on-demand maximum"};
  for (const KeyStory* key : worst_keys(report.outcome, report.keys_shown)) {
    const auto& [read, write] = key->peak_second;
    const std::string peak = write > 0 ? unit_text(write) + " WCU" : unit_text(read) + " RCU";
    const double share =
        key->requests == 0 ? 0 : static_cast<double>(key->throttled()) / static_cast<double>(key->requests);
    table.add({key->name, report.outcome.targets[key->target].target.name(),
               std::string(kLimitTexts[static_cast<std::size_t>(main_limit(*key))]), count(key->throttled()),
               design::percent(share), peak});
  }
  std::string text = table.text("  ");
  const std::vector<KeyStory>& stories = report.outcome.keys.stories();
  if (stories.size() > report.keys_shown)
    text += fmt::format("  and {} more keys\n", count(stories.size() - report.keys_shown));
  const auto beside = std::count_if(stories.begin(), stories.end(), [](const KeyStory& story) {
    return main_limit(story) == Limit::key_range && !is_hot(story, {});
  });
  if (beside > 0)
    text += fmt::format("  {} of the keys are not hot themselves: they share a partition with one that is.\n",
                        count(static_cast<std::uint64_t>(beside)));
  return text;
}

std::string needs_text(const Report& report) {
  TextTable table({{"table or index"},
                   {"direction"},
                   {"average", Align::right},
                   {"peak second", Align::right},
                   {"least, with burst", Align::right},
                   {"least, without", Align::right}});
  for (const TargetOutcome& target : report.outcome.targets)
    for (const Direction direction : kBoth) {
      const Need need = need_of(target.of(direction));
      if (need.peak_second == 0) continue;
      table.add({target.target.name(), std::string(direction_text(direction)), figure(need.average, 1),
                 figure(need.peak_second, 1), figure(static_cast<double>(need.with_burst)),
                 figure(static_cast<double>(need.without_burst))});
    }
  return table.text("  ");
}

std::string costs_text(const Report& report) {
  TextTable table(
      {{"table or index"}, {"on-demand", Align::right}, {"provisioned", Align::right}, {"with burst", Align::right}});
  Cost sum;
  for (const TargetOutcome& target : report.outcome.targets) {
    const Cost cost = monthly_cost(target, report.outcome.seconds(), report.prices);
    table.add({target.target.name(), design::money(cost.on_demand), design::money(cost.provisioned),
               design::money(cost.provisioned_with_burst)});
    sum.on_demand += cost.on_demand;
    sum.provisioned += cost.provisioned;
    sum.provisioned_with_burst += cost.provisioned_with_burst;
  }
  if (report.outcome.targets.size() > 1) {
    table.add_rule();
    table.add({"all", design::money(sum.on_demand), design::money(sum.provisioned),
               design::money(sum.provisioned_with_burst)});
  }
  return table.text("  ");
}

std::string shards_text(const Report& report) {
  TextTable table({{"shards", Align::right},
                   {"throttled", Align::right},
                   {"by key range", Align::right},
                   {"read units of all readers", Align::right}});
  for (const ShardResult& each : report.shards)
    table.add(
        {figure(each.shards), count(each.throttled), count(each.throttled_by_key_range), unit_text(each.read_units)});
  return table.text("  ");
}

}  // namespace

std::string report_text(const Report& report) {
  const Outcome& outcome = report.outcome;
  const double share =
      outcome.requests == 0 ? 0 : static_cast<double>(outcome.throttled) / static_cast<double>(outcome.requests);
  std::string out = fmt::format("{}: {} of traffic, {} requests, {} throttled ({})\n\n{}", report.title,
                                duration_text(outcome.seconds()), count(outcome.requests), count(outcome.throttled),
                                design::percent(share), targets_text(report));
  if (outcome.throttled > 0) {
    out += fmt::format("\nThrottles by reason\n{}", reasons_text(report));
    out += fmt::format("\nThrottled keys\n{}", keys_text(report));
  }
  out += fmt::format("\nProvisioned capacity that the traffic needs, in units per second\n{}", needs_text(report));
  out += "  No capacity of the table lifts the ceiling of one partition: 3,000 RCU, 1,000 WCU.\n";
  out += fmt::format("\nCost of a month like this, in {} (prices: {}), without storage\n{}", report.prices.currency,
                     report.prices.name, costs_text(report));
  if (!report.shards.empty())
    out += fmt::format("\nWrite shards for the hot keys ({})\n{}", count(report.sharded_keys), shards_text(report));
  if (report.shards_asked && report.shards.empty()) out += "\nNo key is hot: write shards would change nothing.\n";
  return out;
}

}  // namespace stator::simulate
