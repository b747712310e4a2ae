#include "engine/item_steps.h"

#include <cmath>

namespace stator::engine {

Result<void> open_row(Step& step) {
  step.before.reset();
  if (step.row.exists) {
    TRY(step.before, item::StoredItem::open(step.row.value.view()));
  }
  return {};
}

Result<void> decide(Step& step, const ItemDecision& decision, base::Arena& arena) {
  step.after.reset();
  TRY(const std::optional<std::string_view> after,
      decision.decide(step.before ? &*step.before : nullptr, arena));
  if (after) {
    TRY(step.after, item::StoredItem::open(*after));
  }
  return {};
}

ItemChange change_of(const Engine& engine, const Step& step, const Table& table, const KeyValues& key) {
  return {table,
          key,
          step.row_key,
          step.row.version,
          step.before ? &*step.before : nullptr,
          step.after ? &*step.after : nullptr,
          table.stream() != nullptr || engine.outbox_numbers() != nullptr ? engine.clock.now_ms() : 0,
          false,
          engine.outbox_numbers()};
}

base::Task<Result<void>> settle_refusal(store::Store& store, std::span<const Step> steps) {
  store::Batch batch;
  for (const Step& step : steps) batch.guards.push_back({step.row_key, step.row.version});
  const Result<void> settled = co_await store.commit(batch);
  co_return settled;
}

base::Task<Result<void>> check_collections(Engine& engine, std::span<const store::Add> adds) {
  for (const store::Add& add : adds) {
    const bool is_collection = add.key.size() > kSpaceBytes &&
                               static_cast<std::uint8_t>(add.key[kSpaceBytes - 1]) == kCollectionSpace &&
                               add.key.substr(0, 4) != std::string_view("\0\0\0\0", 4);
    if (!is_collection || add.deltas[0] <= 0) continue;
    const Result<std::vector<std::int64_t>> size = co_await engine.store.counters(add.key, 1);
    CO_TRY_VOID(size);
    if (size->front() + add.deltas[0] > engine.options.collection_bytes_max) {
      co_return fail(ErrorCode::collection_too_large, "Collection size exceeded.");
    }
  }
  co_return Result<void>();
}

base::Task<Result<CollectionMetrics>> read_collection(Engine& engine, const Table& table, KeyValues key,
                                                      base::Arena& arena) {
  const Result<std::vector<std::int64_t>> size =
      co_await engine.store.counters(collection_key(table, key.partition, arena), 1);
  CO_TRY_VOID(size);
  CollectionMetrics metrics;
  metrics.partition_key_name = table.key.partition.front().name;
  base::Buffer text;
  item::append_value(text, key.partition.front());
  metrics.partition_key_text = arena.copy(text.view());
  constexpr double kGigabyte = 1024.0 * 1024.0 * 1024.0;
  metrics.lower_gb = std::floor(static_cast<double>(size->front()) / kGigabyte);
  metrics.upper_gb = metrics.lower_gb + 1;
  co_return metrics;
}

}  // namespace stator::engine
