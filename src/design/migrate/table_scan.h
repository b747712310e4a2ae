#pragma once

#include <functional>
#include <string>

#include "design/migrate/migration.h"
#include "design/migrate/session.h"

namespace stator::design {

// Called for each page, by several threads at once.
using PageVisitor = std::function<Result<void>(const client::Json& items, Session& session)>;

// Every item of a table, consistently read by parallel segments, with a progress bar that says `what`. The first error
// ends it.
[[nodiscard]] Result<void> scan_table(Migration& migration, const std::string& table, const std::string& what,
                                      const PageVisitor& page);

}  // namespace stator::design
