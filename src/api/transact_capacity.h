#pragma once

#include <vector>

#include "api/answers.h"

namespace stator::api {

// Capacity of a transaction: summed up per table, with the kind of units named.
class TransactCapacity {
 public:
  void add(const engine::ConsumedCapacity& consumed);
  // "ConsumedCapacity": [...], if asked for.
  void write(JsonWriter& out, ReturnCapacity wanted, UnitKind kind) const;

 private:
  std::vector<engine::ConsumedCapacity> tables_;
};

}  // namespace stator::api
