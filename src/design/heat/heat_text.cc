#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "design/heat/heat.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kBarCells = 20;

// Eighths of a block; an arrow at the end where the load goes past the ceiling.
std::string bar(double share) {
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double cells = std::min(share, 1.0) * static_cast<double>(kBarCells);
  const auto full = static_cast<std::size_t>(cells);
  auto eighths = static_cast<std::size_t>((cells - static_cast<double>(full)) * 8);
  if (share > 0 && full == 0 && eighths == 0) eighths = 1;
  std::string out;
  for (std::size_t cell = 0; cell < full; ++cell) out += "█";
  out += kEighths[eighths];
  for (std::size_t width = full + (eighths > 0 ? 1 : 0); width < kBarCells; ++width) out += "·";
  return out + (share > 1 ? "▶" : " ");
}

std::string where(const KeyHeat& key) { return key.index == nullptr ? "table" : key.index->name; }

std::string_view state(Verdict verdict) {
  switch (verdict) {
    case Verdict::hot:
      return "HOT";
    case Verdict::warm:
      return "warm";
    case Verdict::cool:
      break;
  }
  return "cool";
}

std::string sources_text(const KeyHeat& key, bool writes) {
  std::string out;
  for (const HeatSource& source : key.sources) {
    const double units = writes ? source.write : source.read;
    if (units <= 0) continue;
    out += fmt::format("{}{} {} ({} of its calls)", out.empty() ? "" : ", ", source.pattern->name, rounded(units),
                       percent(source.share));
  }
  return out;
}

std::string rates_at(const KeyHeat& key, double factor, bool writes) {
  std::string out;
  for (const HeatSource& source : key.sources) {
    if ((writes ? source.write : source.read) <= 0) continue;
    out += fmt::format("{}{} at {}/s", out.empty() ? "" : " + ", source.pattern->name,
                       rounded(source.pattern->rate.peak * factor));
  }
  return out;
}

void add_detail(const KeyHeat& key, const HeatOptions& options, std::string& out) {
  const bool by_writes = key.write_peak / options.write_ceiling >= key.read_peak / options.read_ceiling;
  out += fmt::format("\n{} {}: {}\n", where(key), key.key, state(key.verdict));
  if (key.constant) out += "  Every item has this one key, so the whole load of its patterns meets it.\n";
  if (key.write_peak > 0)
    out += fmt::format("  writes {} WCU/s: {}\n", rounded(key.write_peak), sources_text(key, true));
  if (key.read_peak > 0) out += fmt::format("  reads {} RCU/s: {}\n", rounded(key.read_peak), sources_text(key, false));
  if (key.hot_at) {
    out += fmt::format("  Hot from {} times the declared peak on: {} {}/s with {}.\n", rounded(*key.hot_at),
                       rounded(by_writes ? options.write_ceiling : options.read_ceiling), by_writes ? "WCU" : "RCU",
                       rates_at(key, *key.hot_at, by_writes));
  }
  if (key.burst_s) {
    out += fmt::format(
        "  A partition has {} WCU and {} RCU of the provisioned units. Saved-up capacity carries the peak for {} s; "
        "then\n"
        "  adaptive capacity raises the partition, at most to its ceiling and to what the other partitions leave "
        "unused.\n",
        rounded(*key.write_allotment), rounded(*key.read_allotment), rounded(*key.burst_s));
  }
  if (key.local_index) {
    out += "  The table has a local index: a collection is never split over partitions, so this ceiling is final.\n";
  } else if (key.ascending && by_writes && key.write_peak > 0) {
    out +=
        "  Adaptive capacity can give the key a partition of its own, no more: its sort keys grow with time, so a "
        "split\n"
        "  inside the key would leave all new items on one side.\n";
  } else if (key.verdict == Verdict::hot) {
    out +=
        "  Adaptive capacity can give the key a partition of its own, and split it by sort key after minutes of "
        "throttling.\n";
  }
  if (key.proposed_shards > 1) {
    out += fmt::format("  Cure for the writes: {} shards, such as {}#0 .. {}#{}, each with {} WCU/s at peak.\n",
                       key.proposed_shards, key.key, key.key, key.proposed_shards - 1,
                       rounded(key.write_peak * key.shards / key.proposed_shards));
  }
  if (key.proposed_copies > 1) {
    out += fmt::format(
        "  Cure for the reads: {} copies under keys with a number, of which a reader takes one (every write then costs "
        "{} times\n"
        "  as much), or a cache. Shards would not help: whoever needs all rows asks every shard.\n",
        key.proposed_copies, key.proposed_copies);
  }
  for (const KeyHeat::ReadPrice& reader : key.readers) {
    out += fmt::format("  {} {} shards {} reads with {} calls instead of {} and pays {} RCU instead of {}.\n",
                       key.proposed_shards > 1 ? "Over" : "Divided into", rounded(reader.calls_after),
                       reader.pattern->name, rounded(reader.calls_after), rounded(reader.calls_before),
                       figure(reader.units_after, 1), figure(reader.units_before, 1));
  }
}

}  // namespace

std::string heat_text(const Model& model, const HeatReport& report, const HeatOptions& options) {
  std::string out =
      fmt::format("{}: load on the busiest partition key at peak, of {} WCU/s and {} RCU/s that a partition gives\n\n",
                  model.name, figure(options.write_ceiling), figure(options.read_ceiling));
  TextTable table({{"where"},
                   {"partition key"},
                   {"writes"},
                   {"WCU/s", Align::right},
                   {"reads"},
                   {"RCU/s", Align::right},
                   {"state"}});
  for (const KeyHeat& key : report.keys) {
    table.add({where(key), key.key, bar(key.write_peak / options.write_ceiling), rounded(key.write_peak),
               bar(key.read_peak / options.read_ceiling), rounded(key.read_peak), std::string(state(key.verdict))});
  }
  out += table.text("  ");
  for (const KeyHeat& key : report.keys) {
    if (key.verdict != Verdict::cool || key.constant || key.burst_s) add_detail(key, options, out);
  }
  out += report.any_hot() ? "\nHot keys will be throttled at the declared peak.\n"
                          : "\nNo key is hot at the declared peak.\n";
  return out;
}

std::string heat_json(const Model& model, const HeatReport& report, const HeatOptions& options) {
  OrderedJson out;
  out["model"] = model.name;
  out["ceilings"] = {{"writeUnits", options.write_ceiling}, {"readUnits", options.read_ceiling}};
  out["hot"] = report.any_hot();
  out["keys"] = OrderedJson::array();
  for (const KeyHeat& key : report.keys) {
    OrderedJson entry = {{"where", where(key)},
                  {"partitionKey", key.key},
                  {"entities", key.entities},
                  {"state", state(key.verdict)},
                  {"writeUnitsPeak", key.write_peak},
                  {"writeUnitsAverage", key.write_average},
                  {"readUnitsPeak", key.read_peak},
                  {"readUnitsAverage", key.read_average},
                  {"shards", key.shards}};
    if (key.hot_at) entry["hotAtTimesThePeak"] = *key.hot_at;
    if (key.burst_s) entry["burstSeconds"] = *key.burst_s;
    if (key.proposed_shards > 1) entry["proposedShards"] = key.proposed_shards;
    if (key.proposed_copies > 1) entry["proposedCopies"] = key.proposed_copies;
    entry["sources"] = OrderedJson::array();
    for (const HeatSource& source : key.sources) {
      entry["sources"].push_back({{"pattern", source.pattern->name},
                                  {"share", source.share},
                                  {"writeUnits", source.write},
                                  {"readUnits", source.read}});
    }
    for (const KeyHeat::ReadPrice& reader : key.readers) {
      entry["readersAfterSharding"].push_back({{"pattern", reader.pattern->name},
                                               {"callsBefore", reader.calls_before},
                                               {"callsAfter", reader.calls_after},
                                               {"readUnitsBefore", reader.units_before},
                                               {"readUnitsAfter", reader.units_after}});
    }
    out["keys"].push_back(std::move(entry));
  }
  return out.dump(2) + "\n";
}

}  // namespace stator::design
