#pragma once

#include "design/migrate/migration.h"

namespace stator::design {

struct BackfillReport {
  std::uint64_t scanned = 0;  // over all calls of the step
  std::uint64_t written = 0;
  std::uint64_t unchanged = 0;  // as they should be already
  std::uint64_t left_out = 0;   // of entities that the new model does not have
  std::uint64_t unknown = 0;    // of no entity
  std::uint64_t raced = 0;      // changed while they were copied, and looked at again
  double read_units = 0;        // of this call
  double write_units = 0;
  std::uint64_t throttled = 0;
  double seconds = 0;
};

// Brings every item that is there now to the new model: each source by parallel segments, from the place that the state
// file names, which is moved on after each page. A page may be done twice, which changes nothing. Errors: an item that
// cannot be migrated; a signal (is_interrupted).
[[nodiscard]] Result<BackfillReport> backfill(Migration& migration);

}  // namespace stator::design
