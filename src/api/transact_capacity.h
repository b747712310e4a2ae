#pragma once

#include <vector>

#include "api/answers.h"

namespace stator::api {

// Capacity of a transaction or of a batch of statements: summed up per table, with the kind of units named.
class TransactCapacity {
 public:
  // A table is named as where it was named first; by its name where nothing is given.
  void add(const engine::ConsumedCapacity& consumed, std::string_view given_name = {});
  // Of a write that was refused when it had been looked at: it is part of the sum, and of nothing else.
  void add_refused(const engine::ConsumedCapacity& consumed);
  // "ConsumedCapacity": [...], if asked for.
  void write(JsonWriter& out, ReturnCapacity wanted, UnitKind kind) const;

 private:
  struct TableCapacity {
    engine::ConsumedCapacity consumed;
    std::string_view given_name;
    engine::HalfUnits refused_cost = 0;
  };
  [[nodiscard]] TableCapacity& of_table(const engine::TablePtr& table);

  std::vector<TableCapacity> tables_;
};

}  // namespace stator::api
