// The load generator's command line.
#pragma once

#include <cstdint>
#include <string>

#include "bench/load/load_loop.h"
#include "bench/load/signer.h"

namespace stator::bench {

struct Options {
  std::string workload;
  LoopOptions loop;
  Credentials credentials;
  std::uint64_t items = 0;
  std::uint64_t prepared = 0;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;    // The item that the print_ workloads print.
  std::string table;          // The item table.
  std::uint64_t expires = 0;  // What fill_expiring writes: a time in seconds.
};

// Throws UsageError.
Options ParseOptions(int argc, const char* const* argv);

// Text for a person that names every flag.
std::string UsageText();

}  // namespace stator::bench
