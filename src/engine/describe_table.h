#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/task.h"
#include "engine/engine.h"
#include "engine/row_key.h"

namespace stator::engine {

struct WarmReport {
  capacity::Throughput units;
  bool updating = false;
};

// A table with what is counted of it. Answers of CreateTable and UpdateTable tell of changes as being under way.
struct TableReport {
  TablePtr table;
  TableStatus status = TableStatus::active;
  Statistics statistics;
  std::map<IndexId, Statistics> index_statistics;
  std::optional<WarmReport> warm;
  std::map<IndexId, WarmReport> index_warm;
  std::set<IndexId> updating_indexes;
  bool encryption_updating = false;
  std::int64_t now_ms = 0;
};

[[nodiscard]] base::Task<Result<TableReport>> describe_table(Engine& engine, std::string_view name);
[[nodiscard]] base::Task<Result<TableReport>> report_table(Engine& engine, TablePtr table, TableStatus status);

}  // namespace stator::engine
