#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/item_write.h"
#include "engine/write_plan.h"

// The steps of a write, shared by the writers of one item and of several. Private to the engine.
namespace stator::engine {

// Every conflict means that another writer got on, so this is a bound against our own mistakes only.
inline constexpr int kConflictsMax = 100'000;

// One item on its way through read, decide and plan.
struct Step {
  std::string_view row_key;
  store::Row row;
  std::optional<item::StoredItem> before;
  std::optional<item::StoredItem> after;
};

// Opens the row that was read.
[[nodiscard]] Result<void> open_row(Step& step);
[[nodiscard]] Result<void> decide(Step& step, const ItemDecision& decision, base::Arena& arena);
[[nodiscard]] ItemChange change_of(const Engine& engine, const Step& step, const Table& table,
                                   const KeyValues& key);

// A refusal may rest on a write that is not durable yet. It is given out only when that write is, or not at all: a commit
// of the guards alone waits for it.
[[nodiscard]] base::Task<Result<void>> settle_refusal(store::Store& store, std::span<const Step> steps);

// The growth of item collections, among these, must stay under the limit of tables with local indexes.
[[nodiscard]] base::Task<Result<void>> check_collections(Engine& engine, std::span<const store::Add> adds);

[[nodiscard]] base::Task<Result<CollectionMetrics>> read_collection(Engine& engine, const Table& table,
                                                                    KeyValues key, base::Arena& arena);

}  // namespace stator::engine
