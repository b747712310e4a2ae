#include "engine/update_time_to_live.h"

#include <fmt/format.h>

#include "engine/delete_table.h"

namespace stator::engine {
namespace {

Result<void> check_settled(const Engine& engine, const Table& table) {
  if (table.status(engine.clock.now_ms()) == TableStatus::creating) {
    // In words of its own: other operations put the name behind.
    return fail(ErrorCode::table_in_use,
                fmt::format("Attempt to change a resource which is still in use: Table {} is being created", table.name));
  }
  return check_changeable_beside_others(engine, table);
}

Result<void> apply(const Engine& engine, Table& table, std::string_view attribute, bool enabled) {
  TRY_VOID(check_settled(engine, table));
  const bool is_on = !table.ttl.attribute.empty();
  if (is_on && table.ttl.attribute != attribute) {
    return invalid(fmt::format("TimeToLive is active on a different AttributeName: current AttributeName is {}",
                               table.ttl.attribute));
  }
  if (is_on && enabled) return invalid("TimeToLive is already enabled");
  if (!is_on && !enabled) return invalid("TimeToLive is already disabled");
  if (table.ttl.state == TtlState::building || table.ttl.state == TtlState::erasing) {
    // The order by expiry is still being made or taken down; the service would refuse for an hour.
    return invalid("Time to live has been modified multiple times within a fixed interval");
  }
  table.ttl.attribute = enabled ? std::string(attribute) : std::string();
  table.ttl.state = enabled ? TtlState::building : TtlState::erasing;
  table.ttl.changed_ms = engine.clock.now_ms();
  return {};
}

}  // namespace

base::Task<Result<TablePtr>> update_time_to_live(Engine& engine, std::string_view name,
                                                 std::string_view attribute, bool enabled) {
  const auto change = [&engine, attribute, enabled](Table& table) {
    return apply(engine, table, attribute, enabled);
  };
  Result<TablePtr> updated = co_await engine.catalog.update(std::string(name), change);
  CO_TRY_VOID(updated);
  engine.background.notify();
  co_return updated;
}

}  // namespace stator::engine
