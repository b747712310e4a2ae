#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "client/options.h"
#include "design/generate/generator.h"
#include "design/prove/lookup.h"

namespace stator::design {

struct LoadOptions {
  std::string table;
  int connections = 4;
  bool send = true;  // false: the items are there already; they are only made again, for the ledger
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;  // by one thread at a time
};

// Writes every generated item with BatchWriteItem, over several connections, and shows each to the ledger. What the
// server leaves unprocessed is sent again. The first error ends it.
[[nodiscard]] Result<void> load_items(const Generator& generator, Ledger& ledger, const client::Options& connection,
                                      const LoadOptions& options);

}  // namespace stator::design
