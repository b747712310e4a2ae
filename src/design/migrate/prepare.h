#pragma once

#include <string>
#include <vector>

#include "design/migrate/migration.h"

namespace stator::design {

// Everything that the other steps need: the new table or the new indexes, and the streams. What is there already is
// left alone, so it can be called again. The result says what was done, a line each.
[[nodiscard]] Result<std::vector<std::string>> prepare(Migration& migration);

// The end: what only the old design needed goes, what the new table was spared while it was filled comes. Errors: not
// validated (unless forced).
[[nodiscard]] Result<std::vector<std::string>> finish(Migration& migration);

}  // namespace stator::design
