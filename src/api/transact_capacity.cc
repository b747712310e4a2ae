#include "api/transact_capacity.h"

namespace stator::api {

void TransactCapacity::add(const engine::ConsumedCapacity& consumed) {
  for (engine::ConsumedCapacity& table : tables_) {
    if (table.table->id != consumed.table->id) continue;
    table.table_cost += consumed.table_cost;
    for (const auto& [index, cost] : consumed.indexes) table.add_index(*index, cost);
    return;
  }
  tables_.push_back(consumed);
}

void TransactCapacity::write(JsonWriter& out, ReturnCapacity wanted, UnitKind kind) const {
  if (wanted == ReturnCapacity::none) return;
  out.key("ConsumedCapacity").begin_array();
  for (const engine::ConsumedCapacity& table : tables_) write_capacity_object(out, table, wanted, kind);
  out.end_array();
}

}  // namespace stator::api
