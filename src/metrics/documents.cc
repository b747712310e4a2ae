#include "metrics/documents.h"

#include "base/sync_wait.h"
#include "store/collect_rows.h"
#include "metrics/series_codec.h"

namespace stator::metrics {

// document row := prefix kind 00 name
std::string Documents::key_of(std::string_view name) const {
  std::string key = row_prefix(RowKind::document);
  key.append(kind_).push_back('\0');
  return key.append(name);
}

base::Task<Result<void>> Documents::put(std::string name, std::string text) {
  const std::string key = key_of(name);
  store::Batch batch;
  batch.puts.push_back({key, text});
  Result<void> done = co_await store_.commit(batch);
  co_return done;
}

base::Task<Result<void>> Documents::erase(std::string name) {
  const std::string key = key_of(name);
  store::Batch batch;
  batch.erases.emplace_back(key);
  Result<void> done = co_await store_.commit(batch);
  co_return done;
}

Result<std::vector<std::pair<std::string, std::string>>> Documents::load() const {
  const std::string from = key_of("");
  const std::string to = end_of(from);
  store::CollectRows collector;
  TRY_VOID(base::sync_wait(store_.scan({from, to}, store::Direction::ascending, collector)));
  for (auto& [key, text] : collector.rows) key.erase(0, from.size());
  return std::move(collector.rows);
}

}  // namespace stator::metrics
