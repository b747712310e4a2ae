#include "server/capacity_page.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "server/metric_head.h"

namespace stator::server {
namespace {

using capacity::Direction;
using capacity::ResourceSnapshot;
using capacity::SideSnapshot;

struct CapacityMetric {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  // One of the two: a value, or counts by reason.
  double (*value)(const ResourceSnapshot&) = nullptr;
  std::uint64_t (*throttles)(const SideSnapshot&, std::size_t limit) = nullptr;
};

constexpr std::array kCapacityMetrics = {
    CapacityMetric{.name = "stator_throttles_total",
                   .type = "counter",
                   .help = "Requests that were throttled, by reason.",
                   .throttles = [](const SideSnapshot& side, std::size_t limit) { return side.refused[limit]; }},
    CapacityMetric{.name = "stator_would_throttle_total",
                   .type = "counter",
                   .help = "Requests that were let in and would have been throttled with --capacity=enforce, by reason.",
                   .throttles = [](const SideSnapshot& side, std::size_t limit) { return side.would_throttle[limit]; }},
    CapacityMetric{.name = "stator_metered_read_units_total",
                   .type = "counter",
                   .help = "Read units that the capacity model has metered.",
                   .value = [](const ResourceSnapshot& of) { return static_cast<double>(of.side(Direction::read).consumed) / 2; }},
    CapacityMetric{.name = "stator_metered_write_units_total",
                   .type = "counter",
                   .help = "Write units that the capacity model has metered.",
                   .value = [](const ResourceSnapshot& of) { return static_cast<double>(of.side(Direction::write).consumed) / 2; }},
    CapacityMetric{.name = "stator_partitions",
                   .type = "gauge",
                   .help = "Simulated partitions.",
                   .value = [](const ResourceSnapshot& of) { return static_cast<double>(of.partition_count); }},
    CapacityMetric{.name = "stator_heat_splits_total",
                   .type = "counter",
                   .help = "Partitions that were split because of their load.",
                   .value = [](const ResourceSnapshot& of) { return static_cast<double>(of.splits); }},
    CapacityMetric{.name = "stator_isolations_total",
                   .type = "counter",
                   .help = "Hot keys that got a partition of their own.",
                   .value = [](const ResourceSnapshot& of) { return static_cast<double>(of.isolations); }},
    CapacityMetric{.name = "stator_burst_read_units",
                   .type = "gauge",
                   .help = "Read units left to spend at once; below zero is debt.",
                   .value = [](const ResourceSnapshot& of) { return of.side(Direction::read).burst; }},
    CapacityMetric{.name = "stator_burst_write_units",
                   .type = "gauge",
                   .help = "Write units left to spend at once; below zero is debt.",
                   .value = [](const ResourceSnapshot& of) { return of.side(Direction::write).burst; }},
};

bool was_metered(const ResourceSnapshot& resource) {
  for (const SideSnapshot& side : resource.sides) {
    if (side.consumed != 0 || side.requests != 0 || side.throttles() != 0) return true;
  }
  return false;
}

void append_throttles(std::string& out, const CapacityMetric& metric, std::string_view labels,
                      const ResourceSnapshot& resource) {
  for (const Direction direction : {Direction::read, Direction::write}) {
    for (const capacity::Limit limit : capacity::kAllLimits) {
      const std::uint64_t count = metric.throttles(resource.side(direction), static_cast<std::size_t>(limit));
      if (count == 0) continue;
      fmt::format_to(std::back_inserter(out), "{}{{{},reason=\"{}\"}} {}\n", metric.name, labels,
                     capacity::reason_name({resource.kind, direction, limit}), count);
    }
  }
}

void append_resource(std::string& out, const CapacityMetric& metric, std::string_view labels,
                     const ResourceSnapshot& resource) {
  if (!was_metered(resource)) return;
  if (metric.throttles != nullptr) return append_throttles(out, metric, labels, resource);
  fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", metric.name, labels, metric.value(resource));
}

}  // namespace

bool CapacityPage::append(std::string& to) {
  if (metric_ == kCapacityMetrics.size()) return false;
  const CapacityMetric& metric = kCapacityMetrics[metric_];
  const auto table = admission_.snapshot_from(table_id_);
  if (!table) {
    ++metric_;
    table_id_ = 0;
    has_head_ = false;
    return metric_ < kCapacityMetrics.size();
  }
  ++table_id_;
  std::string lines;  // names have no character that needs an escape
  append_resource(lines, metric, fmt::format("table=\"{}\"", table->table_name), table->table);
  for (const auto& [name, index] : table->indexes) {
    append_resource(lines, metric, fmt::format("table=\"{}\",index=\"{}\"", table->table_name, name), index);
  }
  if (lines.empty()) return true;
  if (!has_head_) append_head(to, metric.name, metric.type, metric.help);
  has_head_ = true;
  to += lines;
  return true;
}

}  // namespace stator::server
