#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "top/scrape.h"

namespace stator::top {

// Requests of one operation on one table between two looks.
struct OperationActivity {
  double requests_per_s = 0;
  double p50_ms = 0;
  double p99_ms = 0;
};

// One table, or one of its indexes.
struct TableActivity {
  double requests_per_s = 0;  // of a table: all operations
  double p50_ms = 0;
  double p99_ms = 0;
  double read_units_per_s = 0;
  double write_units_per_s = 0;
  double throttles_per_s = 0;
  double would_throttle_per_s = 0;
  std::uint64_t would_throttle = 0;  // since the server has started
  std::uint64_t throttles = 0;
  int partitions = 0;                              // 0: not metered
  std::map<std::string, std::uint64_t> reasons;    // of both kinds of throttles, since the start
  std::map<std::string, OperationActivity> operations;
};

// By table and index; the index is empty for the table itself.
using Activity = std::map<std::pair<std::string, std::string>, TableActivity>;

// What happened in `seconds` between two scrapes. Counters that went back (the server has started again) count from zero.
[[nodiscard]] Activity activity_between(std::span<const Sample> before, std::span<const Sample> after, double seconds);

}  // namespace stator::top
