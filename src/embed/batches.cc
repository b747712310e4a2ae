// BatchGetItem and BatchWriteItem.
#include "engine/batch_get_item.h"

#include <fmt/format.h>

#include "api/violations.h"
#include "base/sync_wait.h"
#include "embed/check.h"
#include "embed/convert.h"
#include "embed/operations.h"
#include "engine/batch_write_item.h"

namespace stator::embed {
namespace {

Result<void> check_sizes(const BatchGetItemRequest& request) {
  api::Violations violations;
  std::size_t total = 0;
  for (const auto& [table, wanted] : request.request_items) {
    violations.count(fmt::format("requestItems.{}.member.keys", table), "[]", wanted.keys.size(), 1,
                     SIZE_MAX);
    total += wanted.keys.size();
  }
  TRY_VOID(violations.result());
  if (total == 0) return invalid("The requestItems parameter is required for BatchGetItem");
  if (total > engine::kBatchGetKeysMax)
    return invalid("Too many items requested for the BatchGetItem call");
  return {};
}

Result<void> check_sizes(const BatchWriteItemRequest& request) {
  api::Violations violations;
  std::size_t total = 0;
  for (const auto& [table, writes] : request.request_items) {
    if (writes.empty()) {
      violations.add(fmt::format("'{{{}=[]}}'", table), "requestItems",
                     "Map value must satisfy constraint: [Member must have length less than or "
                     "equal to 25, Member "
                     "must have length greater than or equal to 1]");
    }
    total += writes.size();
  }
  TRY_VOID(violations.result());
  if (total == 0) return invalid("The requestItems parameter is required for BatchWriteItem");
  if (total > engine::kBatchWriteItemsMax) {
    return invalid("Too many items requested for the BatchWriteItem call");
  }
  return {};
}

Result<engine::BatchGetTable> to_table(std::string_view name, const KeysAndAttributes& wanted,
                                       base::Arena& arena) {
  engine::BatchGetTable table;
  table.table_name = name;
  table.projection = to_view(wanted.projection);
  TRY(table.parameters, to_parameters(wanted.names, {}, arena));
  table.consistent = wanted.consistent_read;
  const std::span<item::Attributes> keys = arena.array<item::Attributes>(wanted.keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    TRY(keys[i], to_attributes(wanted.keys[i], arena));
  }
  table.keys = keys;
  return table;
}

Result<engine::BatchWrite> to_write(std::string_view table, const WriteRequest& request,
                                    base::Arena& arena) {
  const auto* put = std::get_if<PutRequest>(&request);
  engine::BatchWrite write;
  write.table_name = table;
  write.is_put = put != nullptr;
  TRY(write.attributes,
      to_attributes(put != nullptr ? put->item : std::get<DeleteRequest>(request).key, arena));
  return write;
}

}  // namespace

Result<BatchGetItemResponse> batch_get_item(engine::Engine& engine,
                                            const BatchGetItemRequest& request,
                                            base::Arena& arena) {
  TRY_VOID(check_sizes(request));
  std::vector<engine::BatchGetTable> tables;
  for (const auto& [name, wanted] : request.request_items) {
    TRY_VOID(check_table_name(name));
    TRY(const engine::BatchGetTable table, to_table(name, wanted, arena));
    tables.push_back(table);
  }
  TRY(const std::vector<engine::BatchGetTableResult> results,
      base::sync_wait(engine::batch_get_item(engine, tables, arena)));

  BatchGetItemResponse response;
  std::size_t position = 0;
  for (const auto& [name, wanted] : request.request_items) {
    const engine::BatchGetTableResult& result = results[position++];
    TRY(response.responses[name], to_items(result.items.view(), arena));
    if (!result.unprocessed.empty()) {
      KeysAndAttributes& rest = response.unprocessed_keys[name];
      rest = {{}, wanted.projection, wanted.names, wanted.consistent_read};
      for (const std::size_t key : result.unprocessed) rest.keys.push_back(wanted.keys[key]);
    }
    if (request.return_consumed_capacity != ReturnConsumedCapacity::none) {
      response.consumed_capacity.push_back(
          to_capacity(result.consumed, request.return_consumed_capacity));
    }
  }
  return response;
}

Result<BatchWriteItemResponse> batch_write_item(engine::Engine& engine,
                                                const BatchWriteItemRequest& request,
                                                base::Arena& arena) {
  TRY_VOID(check_sizes(request));
  std::vector<engine::BatchWrite> writes;
  for (const auto& [table, of_table] : request.request_items) {
    TRY_VOID(check_table_name(table));
    for (const WriteRequest& write : of_table) {
      TRY(const engine::BatchWrite converted, to_write(table, write, arena));
      writes.push_back(converted);
    }
  }
  TRY(const engine::BatchWriteResult written,
      base::sync_wait(engine::batch_write_item(engine, writes, false, arena)));

  const std::vector<engine::WriteOutcome>& outcomes = written.outcomes;
  BatchWriteItemResponse response;
  if (request.return_consumed_capacity == ReturnConsumedCapacity::none) return response;
  std::size_t position = 0;
  for (const auto& [table, of_table] : request.request_items) {
    engine::ConsumedCapacity sum;
    for (std::size_t i = 0; i < of_table.size(); ++i) {
      const engine::ConsumedCapacity& consumed = outcomes[position++].consumed;
      sum.table = consumed.table;
      sum.table_cost += consumed.table_cost;
      for (const auto& [index, cost] : consumed.indexes) sum.add_index(*index, cost);
    }
    response.consumed_capacity.push_back(to_capacity(sum, request.return_consumed_capacity));
  }
  return response;
}

}  // namespace stator::embed
