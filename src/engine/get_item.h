#pragma once

#include "base/arena.h"
#include "base/task.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "item/stored_item.h"

namespace stator::engine {

struct GetItemRequest {
  std::string_view table_name;
  item::Attributes key;
  ExpressionSource<expr::Projection> projection;
  ExpressionParameters parameters;
  bool consistent = false;
};

struct GetItemResult {
  store::Bytes bytes;  // keeps `item` alive
  std::optional<item::StoredItem> item;
  std::optional<expr::Projection> projection;
  ConsumedCapacity consumed;
};

[[nodiscard]] base::Task<Result<GetItemResult>> get_item(Engine& engine, const GetItemRequest& request,
                                                         base::Arena& arena);

}  // namespace stator::engine
