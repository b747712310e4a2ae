#include "api/transact_capacity.h"

namespace stator::api {

TransactCapacity::TableCapacity& TransactCapacity::of_table(const engine::TablePtr& table) {
  for (TableCapacity& known : tables_) {
    if (known.consumed.table->id == table->id) return known;
  }
  tables_.emplace_back().consumed.table = table;
  return tables_.back();
}

void TransactCapacity::add(const engine::ConsumedCapacity& consumed, std::string_view given_name) {
  TableCapacity& of = of_table(consumed.table);
  if (of.given_name.empty()) of.given_name = given_name;
  engine::ConsumedCapacity& sum = of.consumed;
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
    const std::string_view name = table.given_name.empty() ? table.consumed.table->name : table.given_name;
    write_capacity_object(out, table.consumed, name, wanted, kind, table.refused_cost);
  }
  out.end_array();
}

}  // namespace stator::api
