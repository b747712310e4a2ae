#include "engine/catalog.h"

#include <charconv>

#include "engine/row_key.h"

namespace stator::engine {
namespace {

constexpr int kConflictsMax = 1000;

class CollectRows final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view value) override {
    rows.emplace_back(key, value);
    return store::Visit::next;
  }
  std::vector<std::pair<std::string, std::string>> rows;
};

Error too_many_conflicts() {
  return {ErrorCode::internal, "the table catalog is changed by too many requests at once"};
}

std::string prefix_end(std::string prefix) {
  prefix.back() = static_cast<char>(prefix.back() + 1);  // space bytes are far below 0xff
  return prefix;
}

TableId table_of_dropped_key(std::string_view key) {
  TableId id = 0;
  for (const char byte : key.substr(kSpaceBytes)) id = id << 8 | static_cast<unsigned char>(byte);
  return id;
}

}  // namespace

base::Task<Result<void>> Catalog::load() {
  const std::string from = catalog_key("");
  const std::string to = prefix_end(from);
  CollectRows found;
  const Result<void> scanned = co_await store_.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  auto tables = std::make_shared<Tables>();
  std::vector<std::string> expired;
  for (const auto& [key, value] : found.rows) {
    CO_TRY(Table table, decode_table(value));
    if (gone(table)) {
      expired.push_back(table.name);
      continue;
    }
    auto pointer = std::make_shared<const Table>(std::move(table));
    tables->emplace(pointer->name, pointer);
  }
  {
    const std::lock_guard lock(mutex_);
    tables_ = std::move(tables);
  }
  version_.fetch_add(1, std::memory_order_release);
  for (const std::string& name : expired) {
    const std::string key = catalog_key(name);
    store::Batch batch;
    batch.erases.push_back(key);
    const Result<void> erased = co_await store_.commit(batch);
    CO_TRY_VOID(erased);
  }

  const std::string dropped_from = prefix_end(statistics_key(0, 0).substr(0, kSpaceBytes));
  const std::string dropped_to = prefix_end(dropped_from);
  CollectRows dropped;
  const Result<void> dropped_scanned =
      co_await store_.scan({dropped_from, dropped_to}, store::Direction::ascending, dropped);
  CO_TRY_VOID(dropped_scanned);
  for (const auto& [key, value] : dropped.rows) {
    const Result<void> erased = co_await erase_rows(table_of_dropped_key(key));
    CO_TRY_VOID(erased);
  }
  co_return Result<void>();
}

const Catalog::Tables& Catalog::snapshot() const {
  struct Cached {
    const Catalog* owner = nullptr;
    std::uint64_t version = 0;
    std::shared_ptr<const Tables> tables;
  };
  thread_local Cached cached;
  const std::uint64_t version = version_.load(std::memory_order_acquire);
  if (cached.owner != this || cached.version != version) {
    const std::lock_guard lock(mutex_);
    cached = {this, version, tables_};
  }
  return *cached.tables;
}

bool Catalog::gone(const Table& table) const {
  return table.transition == TableStatus::deleting && clock_.now_ms() >= table.transition_until_ms;
}

Result<TablePtr> Catalog::find_usable(std::string_view name) const {
  const Tables& tables = snapshot();
  const auto found = tables.find(name);
  if (found != tables.end()) {
    const Table& table = *found->second;
    if (table.transition_until_ms == 0) return found->second;  // the usual case needs no clock
    const TableStatus status = table.status(clock_.now_ms());
    if (!gone(table) && (status == TableStatus::active || status == TableStatus::updating)) {
      return found->second;
    }
  }
  return fail(ErrorCode::table_not_found, "Requested resource not found");
}

Result<TablePtr> Catalog::find(std::string_view name) const {
  const Tables& tables = snapshot();
  const auto found = tables.find(name);
  if (found == tables.end() || gone(*found->second)) {
    return fail(ErrorCode::table_not_found,
                "Requested resource not found: Table: " + std::string(name) + " not found");
  }
  return found->second;
}

std::shared_ptr<const Catalog::Tables> Catalog::tables() const {
  auto visible = std::make_shared<Tables>();
  for (const auto& [name, table] : snapshot()) {
    if (!gone(*table)) visible->emplace(name, table);
  }
  return visible;
}

base::Task<Result<TableId>> Catalog::next_id() {
  const std::string key = catalog_sequence_key();
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    TableId last = 0;
    const std::string_view text = row->value.view();
    std::from_chars(text.data(), text.data() + text.size(), last);
    const std::string next = std::to_string(last + 1);
    store::Batch batch;
    batch.guards.push_back({key, row->version});
    batch.puts.push_back({key, next});
    const Result<void> committed = co_await store_.commit(batch);
    if (committed) co_return last + 1;
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return tl::unexpected(too_many_conflicts());
}

base::Task<Result<TablePtr>> Catalog::create(Table table) {
  const Result<TableId> id = co_await next_id();
  CO_TRY_VOID(id);
  table.id = *id;
  finish_table(table);
  const std::string key = catalog_key(table.name);
  const std::string value = encode_table(table);
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    if (row->exists) {
      CO_TRY(const Table existing, decode_table(row->value.view()));
      if (!gone(existing)) {
        co_return fail(ErrorCode::table_in_use, "Table already exists: " + table.name);
      }
    }
    store::Batch batch;
    batch.guards.push_back({key, row->version});
    batch.puts.push_back({key, value});
    const Result<void> committed = co_await store_.commit(batch);
    if (committed) {
      auto pointer = std::make_shared<const Table>(std::move(table));
      install(pointer);
      co_return pointer;
    }
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return tl::unexpected(too_many_conflicts());
}

base::Task<Result<TablePtr>> Catalog::update(std::string name,
                                             std::function<Result<void>(Table&)> change) {
  const std::string key = catalog_key(name);
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    CO_TRY_VOID(find(name));
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    if (!row->exists) continue;  // dropped between the two looks: find() will say so
    CO_TRY(Table table, decode_table(row->value.view()));
    CO_TRY_VOID(change(table));
    ++table.revision;
    finish_table(table);
    const std::string value = encode_table(table);
    store::Batch batch;
    batch.guards.push_back({key, row->version});
    batch.puts.push_back({key, value});
    const Result<void> committed = co_await store_.commit(batch);
    if (committed) {
      auto pointer = std::make_shared<const Table>(std::move(table));
      install(pointer);
      co_return pointer;
    }
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return tl::unexpected(too_many_conflicts());
}

base::Task<Result<TablePtr>> Catalog::drop(std::string name, std::int64_t transition_ms) {
  Result<TablePtr> deleting = co_await update(name, [&](Table& table) -> Result<void> {
    table.transition = TableStatus::deleting;
    table.transition_until_ms = clock_.now_ms() + transition_ms;
    return {};
  });
  CO_TRY_VOID(deleting);
  const TablePtr table = *deleting;

  // The name is given free and the rows are marked for erasing in one commit, so that a crash at any point leaves either
  // a table that is being deleted or rows that the next start erases.
  const std::string key = catalog_key(name);
  const std::string dropped = dropped_table_key(table->id);
  store::Batch batch;
  if (transition_ms == 0) batch.erases.push_back(key);
  batch.puts.push_back({dropped, name});
  const Result<void> committed = co_await store_.commit(batch);
  CO_TRY_VOID(committed);
  if (transition_ms == 0) uninstall(name, table->id);
  const Result<void> erased = co_await erase_rows(table->id);
  CO_TRY_VOID(erased);
  co_return table;
}

base::Task<Result<void>> Catalog::erase_rows(TableId table) {
  base::Buffer from;
  append_space(from, table, 0);
  base::Buffer to;
  append_space(to, table + 1, 0);
  const Result<void> rows = co_await store_.erase_range({from.view(), to.view()});
  CO_TRY_VOID(rows);
  const std::string statistics_from = statistics_key(table, 0);
  const std::string statistics_to = statistics_key(table + 1, 0);
  const Result<void> statistics = co_await store_.erase_range({statistics_from, statistics_to});
  CO_TRY_VOID(statistics);
  const std::string dropped = dropped_table_key(table);
  store::Batch batch;
  batch.erases.push_back(dropped);
  const Result<void> done = co_await store_.commit(batch);
  co_return done;
}

void Catalog::install(TablePtr table) {
  {
    const std::lock_guard lock(mutex_);
    auto tables = std::make_shared<Tables>(*tables_);
    TablePtr& slot = (*tables)[table->name];
    // Two changes may come back from the store on two threads in either order: the newer one stays.
    if (slot && std::pair(slot->id, slot->revision) > std::pair(table->id, table->revision)) return;
    slot = std::move(table);
    tables_ = std::move(tables);
  }
  version_.fetch_add(1, std::memory_order_release);
}

void Catalog::uninstall(std::string_view name, TableId id) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = tables_->find(name);
    if (found == tables_->end() || found->second->id != id) return;  // created again meanwhile
    auto tables = std::make_shared<Tables>(*tables_);
    tables->erase(std::string(name));
    tables_ = std::move(tables);
  }
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace stator::engine
