#include "engine/batch_write_item.h"

#include <algorithm>

#include "engine/delete_item.h"
#include "engine/key_check.h"
#include "engine/put_item.h"
#include "engine/write_items.h"
#include "item/size.h"

namespace stator::engine {

base::Task<Result<BatchWriteResult>> batch_write_item(Engine& engine, std::span<const BatchWrite> writes,
                                                      bool collection_metrics, base::Arena& arena) {
  for (const BatchWrite& write : writes) {
    if (write.is_put && item::item_bytes(write.attributes) > kItemBytesMax) {
      co_return invalid("Item size has exceeded the maximum allowed size");
    }
  }
  std::vector<PlannedWrite> planned;
  std::vector<PutDecision> puts;
  puts.reserve(writes.size());  // decisions are pointed to
  const DeleteDecision remove(std::nullopt, false);
  std::vector<std::string_view> row_keys;
  for (const BatchWrite& write : writes) {
    CO_TRY(WriteTable table, engine.catalog.begin_write(write.table_name));
    const Result<KeyValues> key = write.is_put ? check_batch_item(*table, write.attributes, arena)
                                               : check_key(*table, write.attributes, arena);
    CO_TRY_VOID(key);
    row_keys.push_back(table_row_key(*table, *key, arena));
    const ItemDecision* decision = &remove;
    if (write.is_put) {
      decision = &puts.emplace_back(item::encode_item(write.attributes, arena), std::nullopt, false);
    }
    planned.push_back({std::move(table), *key, decision});
  }
  std::sort(row_keys.begin(), row_keys.end());
  if (std::adjacent_find(row_keys.begin(), row_keys.end()) != row_keys.end()) {
    co_return invalid("Provided list of item keys contains duplicates");
  }
  const MultiWrite request = {.writes = planned, .collection_metrics = collection_metrics};
  Result<MultiWriteResult> result = co_await write_items(engine, request, arena);
  CO_TRY_VOID(result);
  for (const std::optional<Error>& refusal : result->refusals) {
    if (refusal) co_return tl::unexpected(*refusal);  // an item collection would get too large
  }
  BatchWriteResult written;
  written.outcomes = std::move(result->outcomes);
  for (std::size_t i = 0; i < result->left_out.size(); ++i) {
    if (result->left_out[i]) written.unprocessed.push_back(i);
  }
  if (written.unprocessed.size() == writes.size()) co_return tl::unexpected(*result->left_out.front());
  co_return std::move(written);
}

}  // namespace stator::engine
