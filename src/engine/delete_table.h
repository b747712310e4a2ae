#pragma once

#include "engine/describe_table.h"

namespace stator::engine {

// The table as it was, DELETING.
[[nodiscard]] base::Task<Result<TableReport>> delete_table(Engine& engine, std::string_view name);

// ResourceInUse while a table is not ACTIVE.
[[nodiscard]] Result<void> check_changeable(const Engine& engine, const Table& table);
// The same for changes that may go beside others: an UPDATING table takes them, too.
[[nodiscard]] Result<void> check_changeable_beside_others(const Engine& engine, const Table& table);

}  // namespace stator::engine
