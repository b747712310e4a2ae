#pragma once

#include <map>

#include "design/migrate/migration.h"

namespace stator::design {

struct Difference {
  std::string kind;  // missing, different, extra, inconsistent
  std::string entity;
  std::string key;   // of the target, or of the source where the target has none
  std::string text;  // what differs
};

struct EntityCounts {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
};

struct ValidationReport {
  std::map<std::string, EntityCounts> entities;
  std::uint64_t compared = 0;
  std::uint64_t looked_again = 0;  // differed at first, and agreed when looked at again
  std::uint64_t unknown = 0;       // items of no entity, which were left alone
  std::uint64_t found = 0;         // differences, those that are not listed included
  std::vector<Difference> differences;
  bool uncounted = false;  // what only the target has could not be told apart for some entity, but by counts
  double read_units = 0;

  [[nodiscard]] bool holds() const { return found == 0; }
};

// Compares every item of the sources, transformed anew, with what the target has, looks for items that only the target
// has, and checks each item of the target by the new model alone. What differs is looked at again for a while, because
// a running application and the stream behind it are never at the same point. A validation that holds is noted for
// finish.
[[nodiscard]] Result<ValidationReport> validate(Migration& migration);

[[nodiscard]] std::string validation_text(const ValidationReport& report);
[[nodiscard]] client::Json validation_json(const ValidationReport& report);

}  // namespace stator::design
