#include <nlohmann/json.hpp>

#include "capacity/reason.h"
#include "simulate/report.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::HalfUnits;
using Json = nlohmann::ordered_json;

double units(HalfUnits half_units) { return static_cast<double>(half_units) / 2; }

// Sums by the minute: a day is 1,440 figures.
template <class T>
Json by_minute(const std::vector<T>& seconds, double scale) {
  Json result = Json::array();
  for (std::size_t start = 0; start < seconds.size(); start += 60) {
    double sum = 0;
    for (std::size_t i = start; i < std::min(start + 60, seconds.size()); ++i) sum += static_cast<double>(seconds[i]);
    result.push_back(sum * scale);
  }
  return result;
}

Json side_json(const TargetOutcome& target, Direction direction) {
  const Series& series = target.of(direction);
  const Need need = need_of(series);
  const capacity::SideSnapshot& end = target.end.side(direction);
  Json throttles = Json::object();
  for (const capacity::Limit limit : capacity::kAllLimits)
    if (const std::uint64_t count = throttles_of(target, direction, limit); count > 0)
      throttles[std::string(capacity::reason_name({target.end.kind, direction, limit}))] = count;
  return {{"requests", end.requests},
          {"consumedUnits", units(end.consumed)},
          {"throttles", throttles},
          {"averageUnitsPerSecond", need.average},
          {"peakUnitsPerSecond", need.peak_second},
          {"leastProvisioned", need.without_burst},
          {"leastProvisionedWithBurst", need.with_burst},
          {"perMinute",
           {{"demandUnits", by_minute(series.demand, 0.5)},
            {"consumedUnits", by_minute(series.consumed, 0.5)},
            {"throttledRequests", by_minute(series.throttled, 1)}}}};
}

Json target_json(const TargetOutcome& target, const Report& report) {
  const capacity::Settings& settings = target.target.settings;
  const bool provisioned = settings.billing == capacity::BillingMode::provisioned;
  Json result{{"table", target.target.table}};
  if (!target.target.index.empty()) result["index"] = target.target.index;
  result["billingMode"] = provisioned ? "PROVISIONED" : "PAY_PER_REQUEST";
  if (provisioned)
    result["provisioned"] = {{"read", settings.provisioned.read}, {"write", settings.provisioned.write}};
  result["partitions"] = target.end.partition_count;
  result["heatSplits"] = target.end.splits;
  result["isolations"] = target.end.isolations;
  result["warmThroughput"] = {{"read", target.end.warm.read}, {"write", target.end.warm.write}};
  result["reads"] = side_json(target, Direction::read);
  result["writes"] = side_json(target, Direction::write);
  const Cost cost = monthly_cost(target, report.outcome.seconds(), report.prices);
  result["monthlyCost"] = {{"onDemand", cost.on_demand},
                           {"provisioned", cost.provisioned},
                           {"provisionedWithBurst", cost.provisioned_with_burst}};
  return result;
}

Json key_json(const KeyStory& key, const Report& report) {
  const TargetOutcome& target = report.outcome.targets[key.target];
  Json throttles = Json::object();
  const Direction direction = key.peak_second[1] > 0 ? Direction::write : Direction::read;
  for (const capacity::Limit limit : capacity::kAllLimits)
    if (const std::uint64_t count = key.throttles[static_cast<std::size_t>(limit)]; count > 0)
      throttles[std::string(capacity::reason_name({target.end.kind, direction, limit}))] = count;
  return {{"key", key.name},
          {"resource", target.target.name()},
          {"throttled", key.throttled()},
          {"throttles", throttles},
          {"requests", key.requests},
          {"peakReadUnits", units(key.peak_second[0])},
          {"peakWriteUnits", units(key.peak_second[1])},
          {"firstSecond", static_cast<double>(key.first_us - report.outcome.start_us) / 1e6},
          {"lastSecond", static_cast<double>(key.last_us - report.outcome.start_us) / 1e6}};
}

}  // namespace

std::string report_json(const Report& report) {
  const Outcome& outcome = report.outcome;
  Json result{{"title", report.title},
              {"seconds", outcome.seconds()},
              {"requests", outcome.requests},
              {"throttled", outcome.throttled},
              {"currency", report.prices.currency}};
  result["resources"] = Json::array();
  for (const TargetOutcome& target : outcome.targets) result["resources"].push_back(target_json(target, report));
  result["throttledKeys"] = Json::array();
  for (const KeyStory* key : worst_keys(outcome, report.keys_shown))
    result["throttledKeys"].push_back(key_json(*key, report));
  if (!report.shards.empty()) {
    result["shards"] = Json::array();
    for (const ShardResult& each : report.shards)
      result["shards"].push_back({{"shards", each.shards},
                                  {"throttled", each.throttled},
                                  {"throttledByKeyRange", each.throttled_by_key_range},
                                  {"readUnits", units(each.read_units)}});
  }
  // Keys may hold any bytes; a report has to be valid JSON all the same.
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stator::simulate
