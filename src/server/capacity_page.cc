#include "server/capacity_page.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>

#include "server/metric_head.h"

namespace stator::server {
namespace {

using capacity::Direction;
using capacity::ResourceSnapshot;
using capacity::SideSnapshot;

struct Named {
  std::string labels;  // names have no character that needs an escape
  const ResourceSnapshot* resource;
};

std::vector<Named> named(std::span<const capacity::TableCapacity::Snapshot> tables) {
  std::vector<Named> result;
  for (const auto& table : tables) {
    result.push_back({fmt::format("table=\"{}\"", table.table_name), &table.table});
    for (const auto& [name, index] : table.indexes) {
      result.push_back({fmt::format("table=\"{}\",index=\"{}\"", table.table_name, name), &index});
    }
  }
  return result;
}

using ThrottleCount = std::function<std::uint64_t(const SideSnapshot&, std::size_t)>;

void append_throttles(std::string& out, const std::vector<Named>& all, std::string_view name, std::string_view help,
                      const ThrottleCount& count) {
  append_head(out, name, "counter", help);
  for (const Named& one : all) {
    for (const Direction direction : {Direction::read, Direction::write}) {
      for (const capacity::Limit limit : capacity::kAllLimits) {
        const std::uint64_t value = count(one.resource->side(direction), static_cast<std::size_t>(limit));
        if (value == 0) continue;
        fmt::format_to(std::back_inserter(out), "{}{{{},reason=\"{}\"}} {}\n", name, one.labels,
                       capacity::reason_name({one.resource->kind, direction, limit}), value);
      }
    }
  }
}

void append_value(std::string& out, const std::vector<Named>& all, std::string_view name, std::string_view type,
                  std::string_view help, const std::function<double(const ResourceSnapshot&)>& value) {
  append_head(out, name, type, help);
  for (const Named& one : all) {
    fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", name, one.labels, value(*one.resource));
  }
}

}  // namespace

std::string capacity_text(std::span<const capacity::TableCapacity::Snapshot> tables) {
  std::string out;
  const std::vector<Named> all = named(tables);
  if (all.empty()) return out;
  append_throttles(out, all, "stator_throttles_total", "Requests that were throttled, by reason.",
                   [](const SideSnapshot& side, std::size_t limit) { return side.refused[limit]; });
  append_throttles(out, all, "stator_would_throttle_total",
                   "Requests that were let in and would have been throttled with --capacity=enforce, by reason.",
                   [](const SideSnapshot& side, std::size_t limit) { return side.would_throttle[limit]; });
  append_value(out, all, "stator_metered_read_units_total", "counter", "Read units that the capacity model has metered.",
               [](const ResourceSnapshot& of) { return static_cast<double>(of.side(Direction::read).consumed) / 2; });
  append_value(out, all, "stator_metered_write_units_total", "counter",
               "Write units that the capacity model has metered.",
               [](const ResourceSnapshot& of) { return static_cast<double>(of.side(Direction::write).consumed) / 2; });
  append_value(out, all, "stator_partitions", "gauge", "Simulated partitions.",
               [](const ResourceSnapshot& of) { return of.partition_count; });
  append_value(out, all, "stator_heat_splits_total", "counter", "Partitions that were split because of their load.",
               [](const ResourceSnapshot& of) { return static_cast<double>(of.splits); });
  append_value(out, all, "stator_isolations_total", "counter", "Hot keys that got a partition of their own.",
               [](const ResourceSnapshot& of) { return static_cast<double>(of.isolations); });
  append_value(out, all, "stator_burst_read_units", "gauge", "Read units left to spend at once; below zero is debt.",
               [](const ResourceSnapshot& of) { return of.side(Direction::read).burst; });
  append_value(out, all, "stator_burst_write_units", "gauge", "Write units left to spend at once; below zero is debt.",
               [](const ResourceSnapshot& of) { return of.side(Direction::write).burst; });
  return out;
}

}  // namespace stator::server
