#include "engine/delete_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/online_index.h"

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

Result<void> check_changeable_beside_others(const Engine& engine, const Table& table) {
  if (table.status(engine.clock.now_ms()) == TableStatus::updating) return {};
  return check_changeable(engine, table);
}

base::Task<Result<TableReport>> delete_table(Engine& engine, std::string_view name) {
  CO_TRY(const TablePtr table, engine.catalog.find(name));
  if (changing_index(*table) != nullptr) {
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
