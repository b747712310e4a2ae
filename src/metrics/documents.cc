#include "metrics/documents.h"

#include <cstdio>

#include "base/log_text.h"
#include "base/sync_wait.h"
#include "metrics/series_codec.h"
#include "store/collect_rows.h"

namespace stator::metrics {

// document row := prefix kind 00 name
std::string Documents::key_of(std::string_view name) const {
  std::string key = row_prefix(RowKind::document);
  key.append(kind_).push_back('\0');
  return key.append(name);
}

// The same of what was set aside, with another kind.
std::string Documents::aside_key_of(std::string_view name) const {
  std::string key = row_prefix(RowKind::document);
  key.append(kind_).append(" aside").push_back('\0');
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

Result<Documents::Rows> Documents::load_from(const std::string& prefix) const {
  const std::string to = end_of(prefix);
  store::CollectRows collector;
  TRY_VOID(base::sync_wait(store_.scan({prefix, to}, store::Direction::ascending, collector)));
  for (auto& [key, text] : collector.rows) key.erase(0, prefix.size());
  return std::move(collector.rows);
}

Result<std::vector<std::pair<std::string, std::string>>> Documents::load() {
  TRY(const Rows aside, load_from(aside_key_of("")));
  aside_ = aside.size();
  return load_from(key_of(""));
}

void Documents::set_aside(const std::string& name, const std::string& text, const Error& why) {
  const std::string key = aside_key_of(std::to_string(aside_++) + " " + name);
  store::Batch batch;
  const std::string document = key_of(name);
  batch.puts.push_back({key, text});
  batch.erases.emplace_back(document);
  const Result<void> kept = base::sync_wait(store_.commit(batch));
  const Error& problem = kept ? why : kept.error();
  std::fprintf(stderr, "stator: the stored %.*s %s cannot be used and is set aside: %s\n", static_cast<int>(kind_.size()), kind_.data(),
               base::log_text(name).c_str(), base::log_text(problem.message).c_str());
}

}  // namespace stator::metrics
