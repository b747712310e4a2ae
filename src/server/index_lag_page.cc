#include "server/index_lag_page.h"

#include <fmt/format.h>

#include <iterator>

#include "server/metric_head.h"

namespace stator::server {
namespace {

using engine::OutboxLag;

void append_histogram(std::string& out, const std::string& labels, const OutboxLag::Histogram& histogram) {
  const auto to = std::back_inserter(out);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < OutboxLag::kBoundsMs.size(); ++i) {
    below += histogram.counts[i];
    fmt::format_to(to, "stator_index_lag_seconds_bucket{{{},le=\"{}\"}} {}\n", labels,
                   static_cast<double>(OutboxLag::kBoundsMs[i]) / 1000, below);
  }
  fmt::format_to(to, "stator_index_lag_seconds_bucket{{{},le=\"+Inf\"}} {}\n", labels, histogram.count);
  fmt::format_to(to, "stator_index_lag_seconds_sum{{{}}} {}\n", labels, static_cast<double>(histogram.sum_us) / 1e6);
  fmt::format_to(to, "stator_index_lag_seconds_count{{{}}} {}\n", labels, histogram.count);
}

}  // namespace

std::string index_lag_text(const engine::Engine& engine) {
  if (engine.outbox == nullptr) return {};
  std::string out;
  const auto lag = engine.outbox->lag().snapshot();
  const auto rows = engine.outbox->queue().rows_by_table();
  const auto tables = engine.catalog.tables();  // names have no character that needs an escape
  append_head(out, "stator_index_lag_seconds", "histogram",
              "Time from the commit of an item until a global index knows of it.");
  for (const auto& [name, table] : *tables) {
    for (const engine::Index& index : table->indexes) {
      const auto found = lag.find({table->id, index.id});
      if (found == lag.end()) continue;
      append_histogram(out, fmt::format("table=\"{}\",index=\"{}\"", name, index.name), found->second);
    }
  }
  append_head(out, "stator_index_outbox_rows", "gauge", "Writes of this node that a global index does not know of yet.");
  for (const auto& [name, table] : *tables) {
    if (table->indexes.empty()) continue;
    const auto found = rows.find(table->id);
    fmt::format_to(std::back_inserter(out), "stator_index_outbox_rows{{table=\"{}\"}} {}\n", name,
                   found != rows.end() ? found->second : 0);
  }
  append_head(out, "stator_index_unswept_tables", "gauge",
              "Tables in which nodes that are gone may have left such writes, and which are this node's to look through.");
  fmt::format_to(std::back_inserter(out), "stator_index_unswept_tables {}\n", engine.outbox->unswept_tables().load());
  append_head(out, "stator_index_damaged_rows_total", "counter",
              "Index writes that were set aside because something they need is damaged; the log names each.");
  fmt::format_to(std::back_inserter(out), "stator_index_damaged_rows_total {}\n", engine.outbox->damage().count());
  return out;
}

}  // namespace stator::server
