#include "engine/refresh_capacity.h"

#include "engine/row_key.h"

namespace stator::engine {
namespace {

base::Task<Result<void>> set_size(Engine& engine, TableId table, IndexId index, capacity::Resource& resource) {
  const std::string key = statistics_key(table, index);
  const Result<std::vector<std::int64_t>> counters = co_await engine.store.counters(key, 2);
  CO_TRY_VOID(counters);
  const std::int64_t bytes = std::max<std::int64_t>((*counters)[1], 0);
  resource.set_size(static_cast<std::uint64_t>(bytes), engine.admission.now());
  co_return Result<void>();
}

}  // namespace

base::Task<Result<void>> refresh_capacity(Engine& engine) {
  const std::shared_ptr<const Catalog::Tables> tables = engine.catalog.tables();
  for (const auto& [name, table] : *tables) {
    const TableMeter* meter = table->meter.get();
    if (meter == nullptr || meter->mode == CapacityMode::off) continue;
    const Result<void> own = co_await set_size(engine, table->id, 0, meter->capacity->table());
    CO_TRY_VOID(own);
    for (std::size_t i = 0; i < meter->indexes.size(); ++i) {
      if (!meter->indexes[i]) continue;
      const Result<void> of_index = co_await set_size(engine, table->id, table->indexes[i].id, *meter->indexes[i]);
      CO_TRY_VOID(of_index);
    }
  }
  co_return Result<void>();
}

}  // namespace stator::engine
