#include "engine/online_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/table_settings.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

tl::unexpected<Error> in_use(std::string_view what) {
  return fail(ErrorCode::table_in_use, fmt::format("Attempt to change a resource which is still in use: {}", what));
}

tl::unexpected<Error> too_many_changes() {
  return fail(ErrorCode::limit_exceeded,
              "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table");
}

Result<void> check_none_under_way(const Table& table) {
  return changing_index(table) != nullptr ? too_many_changes() : Result<void>();
}

Result<void> check_index_throughput(const Table& table, const IndexInput& input) {
  if (table.billing == BillingMode::on_demand && input.throughput) {
    return invalid(fmt::format("One or more parameter values were invalid: Neither ReadCapacityUnits nor "
                               "WriteCapacityUnits can be specified for index: {} when BillingMode is "
                               "PAY_PER_REQUEST",
                               input.name));
  }
  if (table.billing == BillingMode::provisioned && !input.throughput) {
    return invalid(fmt::format("One or more parameter values were invalid: Both ReadCapacityUnits and "
                               "WriteCapacityUnits must be specified for index: {}",
                               input.name));
  }
  TRY_VOID(check_new_on_demand(table.billing, input.on_demand, input.name));
  return check_new_warm(table.billing, input.throughput, input.warm, input.name);
}

bool is_used(const IndexInput& input, std::string_view name) {
  return std::any_of(input.key.begin(), input.key.end(),
                     [&](const KeyElement& element) { return element.name == name; });
}

// The key attributes of the new index must have the types that the table knows them by.
Result<void> check_not_redefined(const Table& table, const IndexInput& input,
                                 const AttributeDefinitions& definitions) {
  for (const auto& [name, type] : definitions) {
    for (const KeyAttribute& known : table.definitions) {
      if (known.name == name && known.type != type && is_used(input, name)) {
        return invalid(fmt::format("One or more parameter values were invalid: Attributes cannot be redefined. Please "
                                   "check that your attribute has the same type as previously defined. Existing "
                                   "schema: Schema:[SchemaElement: key{{{0}:{1}}}] New schema: "
                                   "Schema:[SchemaElement: key{{{0}:{2}}}]",
                                   name, item::type_name(known.type), item::type_name(type)));
      }
    }
  }
  return {};
}

// Definitions that the table has already stay as they are; the request's others are taken over if the index uses them.
std::vector<KeyAttribute> merged_definitions(const Table& table, const AttributeDefinitions& definitions) {
  std::vector<KeyAttribute> merged = table.definitions;
  std::set<std::string_view> known;
  for (const KeyAttribute& definition : table.definitions) known.insert(definition.name);
  for (const auto& [name, type] : definitions) {
    if (known.insert(name).second) merged.push_back({std::string(name), type});
  }
  return merged;
}

}  // namespace

const Index* changing_index(const Table& table) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [](const Index& index) { return index.state != IndexState::active; });
  return found != table.indexes.end() ? &*found : nullptr;
}

Result<void> check_beside_index_change(const Table& table, const UpdateTableRequest& request) {
  const Index* index = changing_index(table);
  if (index == nullptr) return in_use(fmt::format("Table is being updated: {}", table.name));
  const bool comes = index->state == IndexState::creating;
  for (const IndexUpdate& update : request.index_updates) {
    if (update.name != index->name) continue;
    return in_use(fmt::format("Index is being {}.  Table: {} Index: {}",
                              comes ? "created but is not backfilling yet" : "deleted", table.name, index->name));
  }
  const auto must_wait = [&](std::string_view what) {
    return in_use(fmt::format("Can't change {} when an index is being {}. Table: {} Indexes: [{}]", what,
                              comes ? "created" : "deleted", table.name, index->name));
  };
  if (request.throughput || request.billing) return must_wait("table IOPS");
  if (request.stream) return must_wait("stream status");
  if (request.on_demand.any()) {
    return in_use(fmt::format("OnDemandThroughput cannot be updated while index {} is in progress for indexes: [{}]",
                              comes ? "creation" : "deletion", index->name));
  }
  if (request.table_class || request.warm.any()) return in_use(fmt::format("Table is being updated: {}", table.name));
  return {};
}

Result<void> check_change_count(std::size_t count) { return count > 1 ? too_many_changes() : Result<void>(); }

Result<void> add_index(Table& table, const IndexInput& input, const AttributeDefinitions& definitions) {
  std::vector<KeyAttribute> requested;
  for (const auto& [name, type] : definitions) requested.push_back({std::string(name), type});
  TRY_VOID(build_index(input, IndexKind::global, Definitions(requested)));
  if (table.find_index(input.name) != nullptr) {
    return invalid("Attempting to create an index which already exists");
  }
  TRY_VOID(check_not_redefined(table, input, definitions));
  TRY_VOID(check_none_under_way(table));
  TRY_VOID(check_index_throughput(table, input));
  const auto global = std::count_if(table.indexes.begin(), table.indexes.end(),
                                    [](const Index& index) { return index.kind == IndexKind::global; });
  if (static_cast<std::size_t>(global) >= kGlobalIndexesMax) {
    return fail(ErrorCode::limit_exceeded,
                "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20");
  }
  const std::vector<KeyAttribute> merged = merged_definitions(table, definitions);
  TRY(Index index, build_index(input, IndexKind::global, Definitions(merged)));
  index.id = table.next_index_id++;
  index.state = IndexState::creating;
  for (const KeyAttribute& attribute : merged) {
    const bool known = std::any_of(table.definitions.begin(), table.definitions.end(),
                                   [&](const KeyAttribute& other) { return other.name == attribute.name; });
    if (!known && index.key.contains(attribute.name)) table.definitions.push_back(attribute);
  }
  table.indexes.push_back(std::move(index));
  return check_included_total(table);
}

Result<void> remove_index(Table& table, std::string_view name, bool allocating) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.name == name; });
  if (found == table.indexes.end()) {
    return fail(ErrorCode::table_not_found,
                fmt::format("Requested resource not found: Index {} for table {}", name, table.name));
  }
  if (found->kind != IndexKind::global) {
    return invalid(fmt::format("Cannot delete an index that is not a GlobalSecondaryIndex: {}", name));
  }
  if (found->state == IndexState::deleting) {
    return in_use(fmt::format("Index is being deleted.  Table: {} Index: {}", table.name, name));
  }
  if (found->state == IndexState::creating && allocating) {
    return in_use(fmt::format("Index creation is in resource allocation phase. Retry deletion during backfilling phase or "
                              "when the index is active. Table: {} Index: {}",
                              table.name, name));
  }
  // A creation may be given up; any other change under way has to end first.
  if (found->state == IndexState::active) TRY_VOID(check_none_under_way(table));
  found->state = IndexState::deleting;
  return {};
}

}  // namespace stator::engine
