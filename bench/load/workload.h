// The kinds of load that can be put on a server.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bench/load/load_loop.h"
#include "bench/load/options.h"
#include "bench/load/request_source.h"

namespace stator::bench {

struct Workload {
  std::unique_ptr<RequestSource> source;
  LoadLoop::MakeParser make_parser;
  bool fills = false;  // It writes the data set once, and is incomplete if time runs out.
};

// The names of all workloads, for a person.
std::string WorkloadNames();

// Makes the workload that options.workload names; its requests are ready when this returns.
// Throws UsageError when there is no such workload.
Workload MakeWorkload(const Options& options);

// For the workloads print_item, print_row and print_redis: the item at options.index as it
// is filled in. nullopt for any other workload.
std::optional<std::string> PrintedItem(const Options& options);

}  // namespace stator::bench
