#pragma once

#include "api/call.h"
#include "engine/capacity.h"
#include "partiql/bind.h"

namespace stator::api {

// Notes what an operation consumed, for the meters. Local indexes are paid from the table's capacity, global ones from
// their own.
inline void note_consumed(const Call& call, const engine::ConsumedCapacity& consumed, metrics::Units units) {
  if (call.usage == nullptr || !consumed.table) return;
  metrics::TableCounters& table = call.usage->touch({consumed.table->id, consumed.table->name});
  engine::HalfUnits of_table = consumed.table_cost;
  for (const auto& [index, cost] : consumed.indexes) {
    if (index->kind == engine::IndexKind::local) {
      of_table += cost;
    } else {
      call.usage->consumed(table, {index->id, index->name}, units, cost);
    }
  }
  if (of_table > 0) call.usage->consumed(table, units, of_table);
}

// What a statement of PartiQL is paid in.
[[nodiscard]] inline metrics::Units units_of(const partiql::BoundStatement& statement) {
  return statement.kind == partiql::StatementKind::select ? metrics::Units::read : metrics::Units::write;
}

// A part of the request was throttled, and the rest was done.
inline void note_throttled(const Call& call, bool throttled) {
  if (call.usage != nullptr) call.usage->throttled = throttled;
}

// A Query or Scan returned items.
inline void note_returned(const Call& call, std::int64_t items) {
  if (call.usage != nullptr) call.usage->returned_items = items;
}

}  // namespace stator::api
