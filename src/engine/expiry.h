#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/task.h"
#include "engine/engine.h"
#include "engine/table.h"
#include "item/stored_item.h"
#include "store/store.h"

// Time to live: items by the time at which they expire. A row per item that has such a time, kept in step with the item in the
// same commit, so that the sweeper reads what is due and nothing else.
namespace stator::engine {

struct ItemChange;

// The second at which an item expires: its TTL attribute, if that is a number and not more than five years in the past
// (older ones are left alone, as the service does).
[[nodiscard]] std::optional<std::uint64_t> expiry_of(const Table& table, const item::StoredItem& item,
                                                     base::Arena& arena);

// Adds the change of the expiry row to the commit.
void plan_expiry(const ItemChange& change, store::Batch& batch, base::Arena& arena);

// The row's key: by time, then by item.
[[nodiscard]] std::string_view expiry_key(const Table& table, std::uint64_t second, std::string_view row_key,
                                          base::Arena& arena);

// Deletes the items of a table that are due, as the service's own deletions; how many is returned.
[[nodiscard]] base::Task<Result<std::size_t>> delete_expired(Engine& engine, TablePtr table);

}  // namespace stator::engine
