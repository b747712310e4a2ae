#pragma once

#include <map>
#include <string_view>

#include "base/task.h"
#include "engine/engine.h"
#include "engine/row_key.h"

namespace stator::engine {

// A table with what is counted of it.
struct TableReport {
  TablePtr table;
  TableStatus status = TableStatus::active;
  Statistics statistics;
  std::map<IndexId, Statistics> index_statistics;
  capacity::Throughput warm;
  std::map<IndexId, capacity::Throughput> index_warm;
  std::int64_t now_ms = 0;
};

[[nodiscard]] base::Task<Result<TableReport>> describe_table(Engine& engine, std::string_view name);
[[nodiscard]] base::Task<Result<TableReport>> report_table(Engine& engine, TablePtr table, TableStatus status);

}  // namespace stator::engine
