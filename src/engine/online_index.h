#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "engine/create_table.h"

// Global indexes that come and go while the table lives. Only the table's description changes here; builder.h does the rest.
namespace stator::engine {

struct UpdateTableRequest;

using AttributeDefinitions = std::vector<std::pair<std::string_view, item::Type>>;

// The index that comes or goes; null where there is none.
[[nodiscard]] const Index* changing_index(const Table& table);

// One index is created or deleted at a time; `count` is how many a request asks for.
[[nodiscard]] Result<void> check_change_count(std::size_t count);

// Adds an index in state `creating`. `definitions` are those of the request.
[[nodiscard]] Result<void> add_index(Table& table, const IndexInput& input, const AttributeDefinitions& definitions);
// Puts an index into state `deleting`. One that has no place yet (`allocating`) cannot be given up.
[[nodiscard]] Result<void> remove_index(Table& table, std::string_view name, bool allocating);
// What may be changed beside an index that comes or goes, while the table is UPDATING for it.
[[nodiscard]] Result<void> check_beside_index_change(const Table& table, const UpdateTableRequest& request);

}  // namespace stator::engine
