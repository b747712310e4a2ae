#include "top/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace stator::top {
namespace {

constexpr std::size_t kNameWidth = 28;
constexpr std::size_t kKeyWidth = 40;
constexpr std::size_t kReasonsShown = 8;

// Names and keys come from users: nothing in them may move the cursor or break the line.
std::string shown(std::string_view text, std::size_t width) {
  std::string out;
  for (const char c : text.substr(0, width)) {
    const auto code = static_cast<unsigned char>(c);
    out.push_back(code < 0x20 || code == 0x7f ? '?' : c);
  }
  if (text.size() > width) out.replace(width - 2, 2, "..");
  return out;
}

struct Row {
  const std::pair<std::string, std::string>* name;
  const TableActivity* activity;
  double weight;  // of the table, so that indexes stay with theirs
};

std::vector<Row> rows_of(const Activity& activity) {
  std::map<std::string, double> weights;
  for (const auto& [name, of] : activity) {
    weights[name.first] += of.requests_per_s + of.read_units_per_s + of.write_units_per_s;
  }
  std::vector<Row> rows;
  for (const auto& [name, of] : activity) rows.push_back({&name, &of, weights[name.first]});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.weight != b.weight ? a.weight > b.weight : *a.name < *b.name;
  });
  return rows;
}

void append_table(std::string& out, const Row& row) {
  const auto& [table, index] = *row.name;
  const TableActivity& of = *row.activity;
  const std::string name = index.empty() ? shown(table, kNameWidth) : fmt::format("  {}", shown(index, kNameWidth - 2));
  const std::string requests = index.empty() ? fmt::format("{:.1f}", of.requests_per_s) : "";
  const std::string p50 = index.empty() ? fmt::format("{:.2f}", of.p50_ms) : "";
  const std::string p99 = index.empty() ? fmt::format("{:.2f}", of.p99_ms) : "";
  fmt::format_to(std::back_inserter(out), "{:<28} {:>9} {:>8} {:>8} {:>9.1f} {:>9.1f} {:>8.1f} {:>8.1f} {:>6}\n", name,
                 requests, p50, p99, of.read_units_per_s, of.write_units_per_s, of.throttles_per_s,
                 of.would_throttle_per_s, of.partitions);
  for (const auto& [operation, activity] : of.operations) {
    if (activity.requests_per_s == 0) continue;
    fmt::format_to(std::back_inserter(out), "  {:<26} {:>9.1f} {:>8.2f} {:>8.2f}\n", operation,
                   activity.requests_per_s, activity.p50_ms, activity.p99_ms);
  }
}

void append_reasons(std::string& out, const Activity& activity) {
  std::vector<std::pair<std::uint64_t, std::string>> reasons;
  for (const auto& [name, of] : activity) {
    const std::string resource = name.second.empty() ? name.first : name.first + "/" + name.second;
    for (const auto& [reason, count] : of.reasons) {
      reasons.emplace_back(count, fmt::format("{:<40} {}", reason, shown(resource, kKeyWidth)));
    }
  }
  if (reasons.empty()) return;
  std::sort(reasons.rbegin(), reasons.rend());
  if (reasons.size() > kReasonsShown) reasons.resize(kReasonsShown);
  out += "\nTHROTTLES, ALSO THOSE ONLY OBSERVED, SINCE THE START\n";
  for (const auto& [count, text] : reasons) fmt::format_to(std::back_inserter(out), "{:>9}  {}\n", count, text);
}

void append_keys(std::string& out, std::span<const HotKey> keys) {
  out += "\nHOT KEYS, LAST MINUTES\n";
  if (keys.empty()) {
    out += "none; they are ranked while Contributor Insights is enabled for a table:\n"
           "  aws dynamodb update-contributor-insights --table-name NAME --contributor-insights-action ENABLE\n";
    return;
  }
  for (const HotKey& key : keys) {
    const std::string resource = key.index.empty() ? key.table : key.table + "/" + key.index;
    fmt::format_to(std::back_inserter(out), "{:>9.1f} {:<9} {:<28} {}\n", key.value,
                   key.throttled ? "throttles" : "units", shown(resource, kNameWidth), shown(key.key, kKeyWidth));
  }
}

}  // namespace

std::string draw_frame(const Activity& activity, std::span<const HotKey> hot_keys, const FrameOptions& options) {
  std::string out = fmt::format("stator top  {}  {}\n\n", options.endpoint, options.time);
  fmt::format_to(std::back_inserter(out), "{:<28} {:>9} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>6}\n", "TABLE",
                 "REQ/S", "P50 MS", "P99 MS", "READ U/S", "WRITE U/S", "THROT/S", "WOULD/S", "PARTS");
  const std::vector<Row> rows = rows_of(activity);
  for (std::size_t i = 0; i < std::min(rows.size(), options.rows); ++i) append_table(out, rows[i]);
  if (rows.empty()) out += "no table has been used since the server was started\n";
  if (rows.size() > options.rows) fmt::format_to(std::back_inserter(out), "... and {} more\n", rows.size() - options.rows);
  append_reasons(out, activity);
  append_keys(out, hot_keys);
  return out;
}

}  // namespace stator::top
