#include "engine/build_progress.h"

#include "engine/row_key.h"

namespace stator::engine {

base::Task<Result<int>> build_progress(Engine& engine, TableId table, IndexId index) {
  const std::string key = build_progress_key(table, index);
  const Result<store::Row> row = co_await engine.store.get(key, store::ReadMode::committed);
  CO_TRY_VOID(row);
  // The builder keeps the key of the last row that it has done, and rows are in the order of their hashes.
  if (!row->exists || row->value.view().size() < kHashEnd) co_return 0;
  std::uint64_t hash = 0;
  for (std::size_t i = kSpaceBytes; i < kHashEnd; ++i) {
    hash = hash << 8 | static_cast<unsigned char>(row->value.view()[i]);
  }
  co_return static_cast<int>(hash * 100 >> 32);
}

}  // namespace stator::engine
