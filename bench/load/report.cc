#include "bench/load/report.h"

#include <fmt/format.h>

#include <iterator>

namespace stator::bench {
namespace {

std::string JsonString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      fmt::format_to(std::back_inserter(quoted), "\\u{:04x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + "\"";
}

double Microseconds(double nanoseconds) { return nanoseconds / 1000.0; }

double Quantile(const LoopResult& result, double fraction) {
  return Microseconds(static_cast<double>(result.latency.Quantile(fraction)));
}

}  // namespace

bool IsValid(const LoopResult& result) {
  return result.latency.count() > 0 && result.errors == 0 && result.disconnects == 0 &&
         result.unanswered == 0;
}

std::string ReportJson(std::string_view workload, const LoopResult& result) {
  const double seconds = result.seconds > 0 ? result.seconds : 1e-9;
  return fmt::format(
      R"({{"workload":{},"valid":{},"requests":{},"seconds":{:.6f},"requests_per_second":{:.1f},)"
      R"("bytes_per_second":{:.1f},"mean_us":{:.2f},"p50_us":{:.2f},"p99_us":{:.2f},)"
      R"("p999_us":{:.2f},"max_us":{:.2f},"generator_busy":{:.4f},"errors":{},)"
      R"("disconnects":{},"unanswered":{},"first_error":{}}})",
      JsonString(workload), IsValid(result), result.latency.count(), result.seconds,
      static_cast<double>(result.latency.count()) / seconds,
      static_cast<double>(result.bytes) / seconds, Microseconds(result.latency.Mean()),
      Quantile(result, 0.5), Quantile(result, 0.99), Quantile(result, 0.999),
      Microseconds(static_cast<double>(result.latency.max())), 1.0 - result.idle_seconds / seconds,
      result.errors, result.disconnects, result.unanswered, JsonString(result.first_error));
}

}  // namespace stator::bench
