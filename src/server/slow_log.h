#pragma once

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "api/json.h"
#include "base/clock.h"
#include "metrics/usage.h"

namespace stator::server {

// Requests that took long, one JSON line each (docs/monitoring.md): operation, table, capacity, shape; never a value. A request
// leaves its line in memory; whoever flushes, about once a second, writes it, so that no reactor waits for a terminal.
class SlowLog {
 public:
  // Requests of at least `slow_ms` are logged; 0: none is.
  SlowLog(std::int64_t slow_ms, const base::Clock& clock, std::FILE* to = stderr)
      : slow_us_(slow_ms * 1000), clock_(clock), to_(to) {}

  [[nodiscard]] bool is_slow(std::int64_t latency_us) const noexcept { return slow_us_ > 0 && latency_us >= slow_us_; }
  // `error` is empty for a request that succeeded.
  void add(std::string_view operation, api::Json body, const metrics::RequestUsage& usage, std::int64_t latency_us,
           std::string_view error);
  void flush();

 private:
  static constexpr std::size_t kPendingBytesMax = std::size_t{1024} * 1024;

  const std::int64_t slow_us_;
  const base::Clock& clock_;
  std::FILE* const to_;
  std::mutex mutex_;
  std::string pending_;      // guarded by mutex_
  std::uint64_t lost_ = 0;   // guarded by mutex_
};

}  // namespace stator::server
