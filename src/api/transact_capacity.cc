#include "api/transact_capacity.h"

namespace stator::api {

TransactCapacity::TableCapacity& TransactCapacity::of_table(const engine::TablePtr& table) {
  for (TableCapacity& known : tables_) {
    if (known.consumed.table->id == table->id) return known;
  }
  tables_.emplace_back().consumed.table = table;
  return tables_.back();
}

void TransactCapacity::add(const engine::ConsumedCapacity& consumed) {
  engine::ConsumedCapacity& sum = of_table(consumed.table).consumed;
  sum.table_cost += consumed.table_cost;
  for (const auto& [index, cost] : consumed.indexes) sum.add_index(*index, cost);
}

void TransactCapacity::add_refused(const engine::ConsumedCapacity& consumed) {
  of_table(consumed.table).refused_cost += consumed.total();
}

void TransactCapacity::write(JsonWriter& out, ReturnCapacity wanted, UnitKind kind) const {
  if (wanted == ReturnCapacity::none) return;
  out.key("ConsumedCapacity").begin_array();
  for (const TableCapacity& table : tables_) {
    write_capacity_object(out, table.consumed, wanted, kind, table.refused_cost);
  }
  out.end_array();
}

}  // namespace stator::api
