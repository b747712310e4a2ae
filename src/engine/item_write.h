#pragma once

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "base/task.h"
#include "engine/capacity.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "engine/row_key.h"
#include "item/stored_item.h"

namespace stator::engine {

// What a write makes of an item. Pure: no I/O, no clock, no counters, because it runs again on fresh data after a
// conflict. Implemented by PutItem, UpdateItem and DeleteItem.
class ItemDecision {
 public:
  virtual ~ItemDecision() = default;
  // The stored bytes of the item after the write (in the arena), or nothing where there shall be none.
  // An error (condition failed, operand of a wrong type) leaves everything as it was.
  [[nodiscard]] virtual Result<std::optional<std::string_view>> decide(const item::StoredItem* before,
                                                                       base::Arena& arena) const = 0;
};

struct WriteOutcome {
  store::Bytes before_bytes;  // keeps `before` alive
  std::optional<item::StoredItem> before;
  std::optional<item::StoredItem> after;
  ConsumedCapacity consumed;
  std::optional<CollectionMetrics> collection;
};

// Reads the item, decides, commits row and index rows in one step, and starts again when another writer was faster.
// `decision` must live until the answer.
[[nodiscard]] base::Task<Result<WriteOutcome>> write_item(Engine& engine, TablePtr table, KeyValues key,
                                                          const ItemDecision& decision,
                                                          bool collection_metrics, base::Arena& arena);

}  // namespace stator::engine
