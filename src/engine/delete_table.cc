#include "engine/delete_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::engine {

Result<void> check_changeable(const Engine& engine, const Table& table) {
  const TableStatus status = table.status(engine.clock.now_ms());
  if (status == TableStatus::active) return {};
  const std::string_view what = status == TableStatus::creating   ? "created"
                                : status == TableStatus::updating ? "updated"
                                                                  : "deleted";
  return fail(ErrorCode::table_in_use,
              fmt::format("Attempt to change a resource which is still in use: Table is being {}: {}", what,
                          table.name));
}

base::Task<Result<TableReport>> delete_table(Engine& engine, std::string_view name) {
  CO_TRY(const TablePtr table, engine.catalog.find(name));
  const bool settled = std::all_of(table->indexes.begin(), table->indexes.end(),
                                   [](const Index& index) { return index.state == IndexState::active; });
  if (!settled) {
    co_return fail(ErrorCode::table_in_use,
                   "Attempt to change a resource which is still in use: Cannot delete table while indexes are being "
                   "created, updated, or deleted.");
  }
  CO_TRY_VOID(check_changeable(engine, *table));
  if (table->deletion_protection) {
    co_return invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
                      "protection first.");
  }
  Result<TableReport> report = co_await report_table(engine, table, TableStatus::deleting);
  CO_TRY_VOID(report);
  const Result<TablePtr> dropped =
      co_await engine.catalog.drop(std::string(name), engine.options.transition_ms);
  CO_TRY_VOID(dropped);
  co_return report;
}

}  // namespace stator::engine
