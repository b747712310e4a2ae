#include "metrics/prometheus.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace stator::metrics {
namespace {

// Bounds in microseconds; each is where a bucket of the recorded histogram begins, so that the counts are exact.
constexpr std::array<std::uint64_t, 16> kBoundsUs = {64,     128,    256,    512,     1024,    2048,    4096,    8192,
                                                     16384, 32768, 65536, 131072, 262144, 1048576, 4194304, 16777216};

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out.push_back('\\');
    if (c == '\n') {
      out += "\\n";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      if (!out.empty()) out.push_back('_');
      out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string_view label_of(std::string_view dimension) {
  if (dimension == "TableName") return "table";
  if (dimension == "GlobalSecondaryIndexName") return "index";
  if (dimension == "Operation" || dimension == "DelegatedOperation") return "operation";
  return "stream";
}

std::string labels(const SeriesKey& key) {
  std::string out;
  for (const auto& [name, value] : dimensions_of(key)) {
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", label_of(name), escape(value));
  }
  return out;
}

void append_histogram(std::string& out, const SeriesKey& key, const Totals::OfOperation& total) {
  const std::string names = labels(key);
  for (const std::uint64_t bound : kBoundsUs) {
    std::uint64_t below = 0;
    for (const auto& [bucket, count] : total.latency.entries()) {
      if (bucket_begin(bucket) < bound) below += count;
    }
    out += fmt::format("stator_request_duration_seconds_bucket{{{},le=\"{}\"}} {}\n", names,
                       static_cast<double>(bound) / 1e6, below);
  }
  out += fmt::format("stator_request_duration_seconds_bucket{{{},le=\"+Inf\"}} {}\n", names, total.requests);
  out += fmt::format("stator_request_duration_seconds_sum{{{}}} {}\n", names,
                     static_cast<double>(total.latency_us) / 1e6);
  out += fmt::format("stator_request_duration_seconds_count{{{}}} {}\n", names, total.requests);
}

}  // namespace

std::string prometheus_text(const Totals& totals) {
  std::string out;
  if (!totals.operations.empty()) {
    out +=
        "# HELP stator_request_duration_seconds Time from the request to the answer, of successful requests.\n"
        "# TYPE stator_request_duration_seconds histogram\n";
  }
  for (const auto& [key, total] : totals.operations) append_histogram(out, key, total);
  const Definition* shown = nullptr;
  for (const auto& [key, sum] : totals.counters) {  // in the order of metrics
    const Definition& metric = definition(key.metric);
    const std::string name = fmt::format("stator_{}_total", snake_case(metric.name));
    if (shown != &metric) {
      out += fmt::format("# HELP {} The sum of {} of {}.\n# TYPE {} counter\n", name, metric.name, kNamespace, name);
      shown = &metric;
    }
    const std::string names = labels(key);
    out += name;
    if (!names.empty()) out += fmt::format("{{{}}}", names);
    out += fmt::format(" {}\n", static_cast<double>(sum) * metric.scale);
  }
  return out;
}

}  // namespace stator::metrics
