#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/request.h"
#include "item/stored_item.h"

namespace stator::engine {

struct TransactGet {
  std::string_view table_name;
  item::Attributes key;
  ExpressionSource<expr::Projection> projection;
  ExpressionParameters parameters;
};

struct TransactGetItem {
  store::Bytes bytes;  // keeps `item` alive
  std::optional<item::StoredItem> item;
  std::optional<expr::Projection> projection;
  ConsumedCapacity consumed;
};

// All items as they were at one moment. A transaction that is changing one of them cancels the read.
[[nodiscard]] base::Task<Result<std::vector<TransactGetItem>>> transact_get_items(
    Engine& engine, std::span<const TransactGet> gets, base::Arena& arena);

}  // namespace stator::engine
