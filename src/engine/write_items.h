#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/item_write.h"

namespace stator::engine {

// One write of several. No two may be on one item.
struct PlannedWrite {
  WriteTable table;
  KeyValues key;
  const ItemDecision* decision;
  bool check_only = false;  // ConditionCheck: the decision may refuse, the item stays as it is
};

struct MultiWrite {
  std::span<const PlannedWrite> writes;
  // Adds rows of the engine's own to the same commit, such as an idempotency token. What each write costs is known by then.
  std::function<void(std::span<const WriteOutcome>, store::Batch&)> add_rows = nullptr;
  // A row of the engine's own on which all of it rests. Where it has changed, the answer is `conflict`, whatever the items say.
  std::optional<store::Guard> premise = std::nullopt;
  bool collection_metrics = false;
  bool transactional = false;  // the table's part costs twice, and a throttled item refuses; else it is left out
};

// The result of a multi-item write: outcomes if it was done, else why each item refused (nothing for the innocent).
struct MultiWriteResult {
  std::vector<WriteOutcome> outcomes;
  std::vector<std::optional<Error>> refusals;
  std::vector<std::optional<Error>> left_out;  // throttled, of a write that is not transactional; empty: none
  [[nodiscard]] bool done() const { return refusals.empty(); }
};

// Reads all items, decides on each, and commits all of it in one step or nothing. Serializable: every item that was looked
// at is guarded. Used by BatchWriteItem and TransactWriteItems.
[[nodiscard]] base::Task<Result<MultiWriteResult>> write_items(Engine& engine, const MultiWrite& request,
                                                               base::Arena& arena);

}  // namespace stator::engine
