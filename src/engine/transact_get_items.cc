#include "engine/transact_get_items.h"

#include <algorithm>

#include "engine/capacity_hold.h"
#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/transact_write_items.h"

namespace stator::engine {
namespace {

// How often writers may get in between before the reader gives up, as the service does.
constexpr int kReadAttemptsMax = 20;

struct PreparedReads {
  std::vector<TransactGetItem> items;
  std::vector<std::string_view> row_keys;
};

Result<PreparedReads> prepare(Engine& engine, std::span<const TransactGet> gets, base::Arena& arena) {
  PreparedReads prepared;
  prepared.items.resize(gets.size());
  for (std::size_t i = 0; i < gets.size(); ++i) {
    TRY(BoundExpressions bound,
        bind_expressions({.projection = gets[i].projection}, gets[i].parameters, arena));
    prepared.items[i].projection = bound.projection;
  }
  for (std::size_t i = 0; i < gets.size(); ++i) {
    TRY(prepared.items[i].consumed.table, engine.catalog.find_usable(gets[i].table_name));
  }
  std::optional<Error> canceled;  // by the first key that does not fit its table's schema
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const Table& table = *prepared.items[i].consumed.table;
    TRY_VOID(check_no_empty_keys(table, gets[i].key, false));
    const Result<KeyValues> key = check_key(table, gets[i].key, arena);
    if (key) {
      prepared.row_keys.push_back(table_row_key(table, *key, arena));
    } else if (!canceled) {
      std::vector<CancellationReason> reasons(gets.size());
      reasons[i] = {"ValidationError", key.error().message, ""};
      canceled = transaction_canceled(std::move(reasons));
    }
  }
  std::vector<std::string_view> sorted = prepared.row_keys;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return invalid("Transaction request cannot include multiple operations on one item");
  }
  if (canceled) return tl::unexpected(*canceled);
  return prepared;
}

Error canceled(const std::vector<std::size_t>& positions, std::size_t count) {
  std::vector<CancellationReason> reasons(count);
  for (const std::size_t position : positions) reasons[position] = conflict_reason();
  return transaction_canceled(std::move(reasons));
}

}  // namespace

base::Task<Result<std::vector<TransactGetItem>>> transact_get_items(Engine& engine,
                                                                    std::span<const TransactGet> gets,
                                                                    base::Arena& arena) {
  CO_TRY(PreparedReads prepared, prepare(engine, gets, arena));
  const std::size_t count = gets.size();
  store::Batch batch;
  for (int attempt = 0; attempt < kReadAttemptsMax; ++attempt) {
    const std::vector<std::size_t> locked = engine.transactions.find_locked(prepared.row_keys);
    if (!locked.empty()) co_return tl::unexpected(canceled(locked, count));
    Result<std::vector<store::Row>> rows =
        co_await engine.store.get_many(prepared.row_keys, store::ReadMode::latest);
    CO_TRY_VOID(rows);
    // Guards on everything that was read: if all still hold at one moment, the items were all so at that moment; and the
    // commit answers only when what was read is durable.
    batch.clear();
    for (std::size_t i = 0; i < count; ++i) {
      batch.guards.push_back({prepared.row_keys[i], (*rows)[i].version});
    }
    const Result<void> unchanged = co_await engine.store.commit(batch);
    if (!unchanged) {
      if (unchanged.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(unchanged.error());
    }
    std::vector<CapacityHold> holds;
    std::vector<CancellationReason> reasons(count);
    bool throttled = false;
    std::size_t bytes_of_all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      TransactGetItem& item = prepared.items[i];
      std::size_t bytes = 0;
      if ((*rows)[i].exists) {
        item.bytes = std::move((*rows)[i].value);
        CO_TRY(item.item, item::StoredItem::open(item.bytes.view()));
        bytes = item.item->item_bytes();
      }
      // However little of the items is asked for.
      bytes_of_all += bytes;
      if (bytes_of_all > kTransactBytesMax) co_return invalid(std::string(kTransactTooLarge));
      item.consumed.table_cost = 2 * read_cost(bytes, true);
      CapacityHold& hold = holds.emplace_back(engine, *item.consumed.table, arena);
      const Result<void> taken = hold.take_read(prepared.row_keys[i], item.consumed.table_cost);
      if (taken) continue;
      reasons[i] = reason_of(taken.error()).value_or(CancellationReason());
      throttled = true;
    }
    if (throttled) co_return tl::unexpected(transaction_canceled(std::move(reasons)));
    for (CapacityHold& hold : holds) hold.keep();
    co_return std::move(prepared.items);
  }
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  co_return tl::unexpected(canceled(all, count));
}

}  // namespace stator::engine
