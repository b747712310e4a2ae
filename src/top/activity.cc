#include "top/activity.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace stator::top {
namespace {

constexpr std::string_view kBucket = "stator_request_duration_seconds_bucket";

using Labels = std::map<std::string, std::string, std::less<>>;
using Counters = std::map<std::pair<std::string, Labels>, double>;

// Requests up to each bound in seconds, as Prometheus counts them: each bucket has those of all before it.
using Buckets = std::map<double, double>;

void add(Buckets& to, const Buckets& from) {
  for (const auto& [bound, count] : from) to[bound] += count;
}

double percentile_ms(const Buckets& buckets, double part) {
  if (buckets.empty() || buckets.rbegin()->second <= 0) return 0;
  const double wanted = part * buckets.rbegin()->second;
  double bound_before = 0;
  double count_before = 0;
  for (const auto& [bound, count] : buckets) {
    if (count >= wanted && count > count_before) {
      if (bound == std::numeric_limits<double>::infinity()) return bound_before * 1000;
      return (bound_before + (bound - bound_before) * (wanted - count_before) / (count - count_before)) * 1000;
    }
    bound_before = bound;
    count_before = count;
  }
  return bound_before * 1000;
}

double bound_of(std::string_view le) {
  return le == "+Inf" ? std::numeric_limits<double>::infinity() : std::strtod(std::string(le).c_str(), nullptr);
}

struct OfTable {
  std::map<std::string, Buckets> operations;
};

void finish(TableActivity& activity, const OfTable& latencies, double seconds) {
  Buckets all;
  for (const auto& [name, buckets] : latencies.operations) {
    add(all, buckets);
    OperationActivity& operation = activity.operations[name];
    operation.requests_per_s = buckets.rbegin()->second / seconds;
    operation.p50_ms = percentile_ms(buckets, 0.5);
    operation.p99_ms = percentile_ms(buckets, 0.99);
  }
  if (all.empty()) return;
  activity.requests_per_s = all.rbegin()->second / seconds;
  activity.p50_ms = percentile_ms(all, 0.5);
  activity.p99_ms = percentile_ms(all, 0.99);
}

}  // namespace

Activity activity_between(std::span<const Sample> before, std::span<const Sample> after, double seconds) {
  seconds = std::max(seconds, 1e-3);
  Counters earlier;
  for (const Sample& sample : before) earlier[{sample.name, sample.labels}] = sample.value;
  Activity result;
  std::map<std::pair<std::string, std::string>, OfTable> latencies;
  for (const Sample& sample : after) {
    if (sample.label("table").empty()) continue;
    const std::pair<std::string, std::string> key(sample.label("table"), sample.label("index"));
    const auto found = earlier.find({sample.name, sample.labels});
    const double base = found != earlier.end() && found->second <= sample.value ? found->second : 0;
    const double grown = sample.value - base;
    if (sample.name == kBucket) {
      latencies[key].operations[std::string(sample.label("operation"))][bound_of(sample.label("le"))] += grown;
    } else if (sample.name == "stator_consumed_read_capacity_units_total") {
      result[key].read_units_per_s += grown / seconds;
    } else if (sample.name == "stator_consumed_write_capacity_units_total") {
      result[key].write_units_per_s += grown / seconds;
    } else if (sample.name == "stator_throttles_total") {
      result[key].throttles_per_s += grown / seconds;
      result[key].throttles += static_cast<std::uint64_t>(sample.value);
      result[key].reasons[std::string(sample.label("reason"))] += static_cast<std::uint64_t>(sample.value);
    } else if (sample.name == "stator_would_throttle_total") {
      result[key].would_throttle_per_s += grown / seconds;
      result[key].would_throttle += static_cast<std::uint64_t>(sample.value);
      result[key].reasons[std::string(sample.label("reason"))] += static_cast<std::uint64_t>(sample.value);
    } else if (sample.name == "stator_partitions") {
      result[key].partitions = static_cast<int>(sample.value);
    }
  }
  for (const auto& [key, of_table] : latencies) finish(result[key], of_table, seconds);
  return result;
}

}  // namespace stator::top
