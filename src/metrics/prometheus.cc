#include "metrics/prometheus.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace stator::metrics {
namespace {

constexpr std::size_t kSeriesPerPiece = 32;
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

void append_counter(std::string& out, const SeriesKey& key, std::int64_t sum, const Definition*& shown) {
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

}  // namespace

bool PrometheusText::append(std::string& to) {
  const Totals totals = collector_.totals_after(last_operation_, last_counter_, kSeriesPerPiece);
  for (const auto& [key, total] : totals.operations) {
    if (shown_ == nullptr) {
      to +=
          "# HELP stator_request_duration_seconds Time from the request to the answer, of successful requests.\n"
          "# TYPE stator_request_duration_seconds histogram\n";
      shown_ = &definition(key.metric);
    }
    append_histogram(to, key, total);
    last_operation_ = key;
  }
  for (const auto& [key, sum] : totals.counters) {  // in the order of metrics
    append_counter(to, key, sum, shown_);
    last_counter_ = key;
  }
  return !totals.operations.empty() || !totals.counters.empty();
}

}  // namespace stator::metrics
