#include "engine/describe_table.h"

#include "engine/propagate.h"

namespace stator::engine {
namespace {

base::Task<Result<Statistics>> read_statistics(Engine& engine, TableId table, IndexId index) {
  const std::string key = statistics_key(table, index);
  const Result<std::vector<std::int64_t>> counters = co_await engine.store.counters(key, 2);
  CO_TRY_VOID(counters);
  co_return Statistics{(*counters)[0], (*counters)[1]};
}

}  // namespace

base::Task<Result<TableReport>> report_table(Engine& engine, TablePtr table, TableStatus status) {
  TableReport report;
  report.table = table;
  report.status = status;
  report.now_ms = engine.clock.now_ms();
  static_cast<void>(engine.admission.meter(*table));  // so that the model knows this version of the table
  report.warm = WarmReport{engine.admission.warm(*table, nullptr)};
  const Result<Statistics> statistics = co_await read_statistics(engine, table->id, 0);
  CO_TRY_VOID(statistics);
  report.statistics = *statistics;
  if (engine.outbox != nullptr && !table->indexes.empty()) {
    const Result<void> caught_up = co_await await_indexes(engine, *table);
    CO_TRY_VOID(caught_up);
  }
  for (const Index& index : table->indexes) {
    const Result<Statistics> of_index = co_await read_statistics(engine, table->id, index.id);
    CO_TRY_VOID(of_index);
    report.index_statistics[index.id] = *of_index;
    if (index.kind == IndexKind::global) report.index_warm[index.id] = {engine.admission.warm(*table, &index)};
  }
  co_return report;
}

base::Task<Result<TableReport>> describe_table(Engine& engine, std::string_view name) {
  CO_TRY(TablePtr table, engine.catalog.find(name));
  const TableStatus status = table->status(engine.clock.now_ms());
  Result<TableReport> report = co_await report_table(engine, std::move(table), status);
  co_return report;
}

}  // namespace stator::engine
