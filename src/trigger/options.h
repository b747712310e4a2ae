#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/options.h"
#include "trigger/delivery.h"

namespace stator::trigger {

// The settings of `stator trigger`, named after those of a Lambda event source mapping.
struct Options {
  client::Options connection;
  std::string table;
  std::string program;  // either this
  std::string url;      // or that
  std::string starting_position = "TRIM_HORIZON";
  std::size_t batch_size = 100;
  double batching_window_s = 0;
  std::vector<std::string> filters;
  RetryPolicy retry;
  std::size_t parallelization_factor = 1;
  std::string on_failure;  // file; empty: records that are given up are dropped
  std::string checkpoint;  // file; empty: stator-trigger-TABLE.json
  double timeout_s = 60;
  std::int64_t poll_ms = 100;
  bool quiet = false;
};

}  // namespace stator::trigger
