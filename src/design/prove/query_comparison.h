#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/client.h"
#include "design/prove/lookup.h"
#include "design/prove/outcome.h"

namespace stator::design {

// What the calls of one lookup by Query gave, pages and shards together.
struct QueryAnswer {
  std::vector<client::Json> items;      // in the order in which they came, over all calls
  std::vector<std::size_t> partitions;  // of each item: which of the lookup's partition keys it was found under
  std::uint64_t count = 0;
  std::uint64_t scanned = 0;
  double units = 0;
  double expected_units = 0;
  double calls = 0;
  bool more_pages = false;
};

// A lookup as failures name it: its keys.
[[nodiscard]] std::string lookup_text(const Lookup& lookup);

// Compares the answer with the items that the lookup expects: counts, units, pages, items and their order. What differs
// is a failure of the outcome.
void compare_query(const Model& model, const Lookup& lookup, const QueryAnswer& answer, Outcome& outcome);

}  // namespace stator::design
