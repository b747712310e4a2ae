#include "engine/catalog.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "engine/row_key.h"
#include "store/collect_rows.h"

namespace stator::engine {
namespace {

// While a range is being erased the store may report conflicts without reason, many in the time of one disk flush.
constexpr int kCatalogConflictsMax = 100'000;

// More changes than this do not overtake each other between the store and the snapshot.
constexpr std::size_t kDroppedMax = 1000;

// No revision is as high.
constexpr std::uint64_t kFenceForEver = std::uint64_t{1} << 62;

Error too_many_conflicts() {
  return {ErrorCode::internal, "the table catalog is changed by too many requests at once"};
}

Error not_found(std::string_view name) {
  return {ErrorCode::table_not_found, "Requested resource not found: Table: " + std::string(name) + " not found"};
}

std::string prefix_end(std::string prefix) {
  prefix.back() = static_cast<char>(prefix.back() + 1);  // space bytes are far below 0xff
  return prefix;
}

// From the keys of dropped tables and of retired streams.
TableId table_of_system_key(std::string_view key) {
  TableId id = 0;
  for (const char byte : key.substr(kSpaceBytes)) id = id << 8 | static_cast<unsigned char>(byte);
  return id;
}

}  // namespace

base::Task<Result<void>> Catalog::load() {
  const Result<bool> refreshed = co_await refresh();
  CO_TRY_VOID(refreshed);
  const Result<void> finished = co_await finish_drops();
  co_return finished;
}

base::Task<Result<Catalog::Stored>> Catalog::read_all() const {
  Stored stored;
  const std::string from = catalog_key("");
  const std::string to = prefix_end(from);
  store::CollectRows found;
  const Result<void> scanned = co_await store_.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  for (const auto& [key, value] : found.rows) {
    CO_TRY(Table table, decode_table(value));
    if (gone(table)) {
      stored.gone.push_back(table.name);
      continue;
    }
    auto pointer = std::make_shared<const Table>(std::move(table));
    stored.tables.emplace(pointer->name, pointer);
  }
  const std::string retired_from = retired_streams_key(0).substr(0, kSpaceBytes);
  const std::string retired_to = prefix_end(retired_from);
  store::CollectRows retired;
  const Result<void> retired_scanned =
      co_await store_.scan({retired_from, retired_to}, store::Direction::ascending, retired);
  CO_TRY_VOID(retired_scanned);
  for (const auto& [key, value] : retired.rows) {
    CO_TRY(Table table, decode_table(value));
    stored.retired.emplace(table_of_system_key(key), std::make_shared<const Table>(std::move(table)));
  }
  co_return std::move(stored);
}

// The row of changes is read before the tables: a change that comes in between is found by the next refresh.
base::Task<Result<bool>> Catalog::refresh() {
  const std::string key = catalog_change_key();
  for (;;) {
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::committed);
    CO_TRY_VOID(row);
    if (version_.load() > 1 && row->version == seen_.load()) co_return false;
    std::uint64_t changes = 0;
    {
      const std::lock_guard lock(mutex_);
      changes = changes_;
    }
    Result<Stored> stored = co_await read_all();
    CO_TRY_VOID(stored);
    const std::vector<std::string> gone = stored->gone;
    if (!take_over(std::move(*stored), changes)) continue;
    seen_.store(row->version);
    for (const std::string& name : gone) {
      const Result<void> erased = co_await erase_gone(name);
      CO_TRY_VOID(erased);
    }
    co_return true;
  }
}

bool Catalog::take_over(Stored stored, std::uint64_t changes) {
  {
    const std::lock_guard lock(mutex_);
    if (changes_ != changes) return false;
    ++changes_;  // of two refreshes at once, the one that read first must not come last
    for (const auto& [name, old] : *tables_) {
      const auto found = stored.tables.find(name);
      if (found != stored.tables.end() && found->second->id == old->id && found->second->revision == old->revision) {
        found->second = old;  // with the writes that are counted in it
      } else {
        outdated_.push_back(old);
      }
    }
    tables_ = std::make_shared<const Tables>(std::move(stored.tables));
    retired_ = std::make_shared<const RetiredTables>(std::move(stored.retired));
  }
  version_.fetch_add(1);
  return true;
}

// The row of a table whose time is over. It may have been replaced by one of the same name since it was seen.
base::Task<Result<void>> Catalog::erase_gone(std::string name) {
  const std::string key = catalog_key(name);
  Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  if (!row->exists) co_return Result<void>();
  CO_TRY(const Table table, decode_table(row->value.view()));
  if (!gone(table)) co_return Result<void>();
  store::Batch batch;
  batch.guards.push_back({key, row->version});
  batch.erases.push_back(key);
  const Result<void> erased = co_await store_.commit(batch);
  if (!erased && erased.error().code != ErrorCode::conflict) co_return tl::unexpected(erased.error());
  co_return Result<void>();
}

base::Task<Result<void>> Catalog::commit_change(store::Batch& batch) {
  const std::string key = catalog_change_key();
  if (store_.shared()) batch.puts.push_back({key, "1"});
  Result<void> committed = co_await store_.commit(batch);
  co_return committed;
}

base::Task<Result<void>> Catalog::fence_writers(const Table& table) {
  if (!store_.shared()) co_return Result<void>();
  base::Buffer space;
  append_space(space, table.id, 0);
  const Result<void> raised = co_await store_.raise_fence(table_space(space.view()), static_cast<std::uint64_t>(table.revision));
  co_return raised;
}

base::Task<Result<void>> Catalog::finish_drops() {
  const std::string from = dropped_table_key(0).substr(0, kSpaceBytes);
  const std::string to = prefix_end(from);
  store::CollectRows found;
  const Result<void> scanned = co_await store_.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  for (const auto& [key, value] : found.rows) {
    const TableId id = table_of_system_key(key);
    if (store_.shared()) {  // its last revision is not known here, and it has no writers with a right to write
      base::Buffer space;
      append_space(space, id, 0);
      const Result<void> fenced = co_await store_.raise_fence(table_space(space.view()), kFenceForEver);
      CO_TRY_VOID(fenced);
    }
    const Result<void> erased = co_await erase_rows(id);
    CO_TRY_VOID(erased);
  }
  co_return Result<void>();
}

const Catalog::Snapshot& Catalog::snapshot() const {
  thread_local Snapshot cached;
  const std::uint64_t version = version_.load();
  if (cached.owner != identity_ || cached.version != version) {
    const std::lock_guard lock(mutex_);
    cached = {identity_, version, tables_};
  }
  return cached;
}

// The write is counted before the version is looked at again, and a change raises the version before it looks at the
// counts; so either the write sees that its table is old and takes the new one, or the change sees the write.
Result<WriteTable> Catalog::begin_write(std::string_view name) const {
  for (;;) {
    const std::uint64_t version = snapshot().version;
    TRY(TablePtr table, find_usable(name));
    table->writers.enter();
    WriteTable entered(std::move(table));
    if (version_.load() == version) return entered;
  }
}

// Each thread keeps the names of the snapshot that it saw last.
Result<WriteTable> Catalog::begin_write(TableId id) const {
  struct Names {
    std::uint64_t owner = 0;
    std::uint64_t version = 0;
    std::unordered_map<TableId, std::string> by_id;
  };
  thread_local Names names;
  const Snapshot& seen = snapshot();
  if (names.owner != seen.owner || names.version != seen.version) {
    names = {seen.owner, seen.version, {}};
    for (const auto& [name, table] : *seen.tables) names.by_id.emplace(table->id, name);
  }
  const auto found = names.by_id.find(id);
  if (found != names.by_id.end()) {
    Result<WriteTable> table = begin_write(found->second);
    if (!table || (*table)->id == id) return table;
  }
  return fail(ErrorCode::table_not_found, "Requested resource not found");
}

bool Catalog::drained(TableId table) {
  const std::lock_guard lock(mutex_);
  std::erase_if(outdated_, [](const TablePtr& old) { return old->writers.none(); });
  return std::none_of(outdated_.begin(), outdated_.end(), [&](const TablePtr& old) { return old->id == table; });
}

bool Catalog::gone(const Table& table) const {
  return table.transition == TableStatus::deleting && clock_.now_ms() >= table.transition_until_ms;
}

Result<TablePtr> Catalog::find_usable(std::string_view name) const {
  const Tables& tables = *snapshot().tables;
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
  const Tables& tables = *snapshot().tables;
  const auto found = tables.find(name);
  if (found == tables.end() || gone(*found->second)) {
    return tl::unexpected(not_found(name));
  }
  return found->second;
}

std::shared_ptr<const Catalog::Tables> Catalog::tables() const {
  auto visible = std::make_shared<Tables>();
  for (const auto& [name, table] : *snapshot().tables) {
    if (!gone(*table)) visible->emplace(name, table);
  }
  return visible;
}

std::shared_ptr<const Catalog::RetiredTables> Catalog::retired() const {
  const std::lock_guard lock(mutex_);
  return retired_;
}

void Catalog::set_retired(TableId id, TablePtr table) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  auto retired = std::make_shared<RetiredTables>(*retired_);
  if (table) {
    retired->insert_or_assign(id, std::move(table));
  } else {
    retired->erase(id);
  }
  retired_ = std::move(retired);
}

base::Task<Result<void>> Catalog::forget_retired(TableId table) {
  const SpaceBounds streams = space_bounds(table, kStreamSpace);
  const Result<void> records = co_await store_.erase_range({streams.from, streams.to});
  CO_TRY_VOID(records);
  const std::string key = retired_streams_key(table);
  store::Batch batch;
  batch.erases.push_back(key);
  const Result<void> erased = co_await commit_change(batch);
  CO_TRY_VOID(erased);
  set_retired(table, nullptr);
  co_return Result<void>();
}

// The id is taken in the commit that creates the table, so that of two tables of one name the later has the higher id.
base::Task<Result<TablePtr>> Catalog::create(Table table) {
  const std::string sequence_key = catalog_sequence_key();
  const std::string key = catalog_key(table.name);
  for (int attempt = 0; attempt < kCatalogConflictsMax; ++attempt) {
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    if (row->exists) {
      CO_TRY(const Table existing, decode_table(row->value.view()));
      if (!gone(existing)) {
        const bool creating = existing.status(clock_.now_ms()) == TableStatus::creating;
        co_return fail(ErrorCode::table_in_use,
                       (creating ? "Attempt to change a resource which is still in use: Table is being created: "
                                 : "Table already exists: ") + table.name);
      }
    }
    Result<store::Row> sequence = co_await store_.get(sequence_key, store::ReadMode::latest);
    CO_TRY_VOID(sequence);
    TableId last = 0;
    const std::string_view text = sequence->value.view();
    std::from_chars(text.data(), text.data() + text.size(), last);
    table.id = last + 1;
    finish_table(table);
    const std::string next = std::to_string(table.id);
    const std::string value = encode_table(table);
    store::Batch batch;
    batch.guards.push_back({key, row->version});
    batch.guards.push_back({sequence_key, sequence->version});
    batch.puts.push_back({key, value});
    batch.puts.push_back({sequence_key, next});
    const Result<void> committed = co_await commit_change(batch);
    if (committed) {
      auto pointer = std::make_shared<const Table>(std::move(table));
      install(pointer);
      static_cast<void>(co_await store_.announce());
      co_return pointer;
    }
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return tl::unexpected(too_many_conflicts());
}

base::Task<Result<TablePtr>> Catalog::update(std::string name,
                                             std::function<Result<void>(Table&)> change) {
  Result<TablePtr> updated = co_await replace(std::move(name), std::move(change), false);
  co_return updated;
}

base::Task<Result<TablePtr>> Catalog::drop(std::string name, std::int64_t transition_ms) {
  const auto mark = [this, transition_ms](Table& table) -> Result<void> {
    table.transition = TableStatus::deleting;
    table.transition_until_ms = clock_.now_ms() + transition_ms;
    if (table.stream() != nullptr) table.streams.back().disabled_ms = clock_.now_ms();
    return {};
  };
  Result<TablePtr> dropped = co_await replace(std::move(name), mark, true);
  CO_TRY_VOID(dropped);
  const Result<void> fenced = co_await fence_writers(**dropped);
  CO_TRY_VOID(fenced);
  const Result<void> erased = co_await erase_rows((*dropped)->id);
  CO_TRY_VOID(erased);
  co_return *dropped;
}

base::Task<Result<TablePtr>> Catalog::replace(std::string name, std::function<Result<void>(Table&)> change,
                                              bool drops) {
  const std::string key = catalog_key(name);
  for (int attempt = 0; attempt < kCatalogConflictsMax; ++attempt) {
    CO_TRY_VOID(find(name));
    Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(row);
    Table table;
    if (row->exists) {
      CO_TRY(table, decode_table(row->value.view()));
    }
    store::Batch batch;
    batch.guards.push_back({key, row->version});
    const bool missing = !row->exists || gone(table);
    bool leaves = false;  // at once, without a time in which it is shown as DELETING
    std::string value;
    std::string dropped;
    std::string retired;
    if (!missing) {
      CO_TRY_VOID(change(table));
      ++table.revision;
      finish_table(table);
      value = encode_table(table);
      dropped = dropped_table_key(table.id);
      retired = retired_streams_key(table.id);
      leaves = gone(table);
      // The name is given free and the rows are marked for erasing in one commit, so that a crash at any point leaves
      // either the table or rows that the next start erases.
      if (drops) batch.puts.push_back({dropped, name});
      if (drops && !table.streams.empty()) batch.puts.push_back({retired, value});
      if (leaves) {
        batch.erases.push_back(key);
      } else {
        batch.puts.push_back({key, value});
      }
    }
    // Where the table was dropped between the two looks, the guard alone is committed: it waits until that is durable.
    Result<void> committed;
    if (missing) {
      committed = co_await store_.commit(batch);
    } else {
      committed = co_await commit_change(batch);
    }
    if (!committed) {
      if (committed.error().code == ErrorCode::conflict) continue;
      co_return tl::unexpected(committed.error());
    }
    if (missing) co_return tl::unexpected(not_found(name));
    auto pointer = std::make_shared<const Table>(std::move(table));
    if (drops && !pointer->streams.empty()) set_retired(pointer->id, pointer);
    if (leaves) {
      uninstall(name, pointer->id);
    } else {
      install(pointer);
    }
    static_cast<void>(co_await store_.announce());
    co_return pointer;
  }
  co_return tl::unexpected(too_many_conflicts());
}

base::Task<Result<void>> Catalog::erase_rows(TableId table) {
  base::Buffer from;
  append_space(from, table, 0);
  base::Buffer streams;
  append_space(streams, table, kStreamSpace);
  base::Buffer behind_streams;
  append_space(behind_streams, table, kStreamSpace + 1);
  base::Buffer to;
  append_space(to, table + 1, 0);
  const bool keeps_streams = retired()->contains(table);
  const Result<void> rows = co_await store_.erase_range({from.view(), keeps_streams ? streams.view() : to.view()});
  CO_TRY_VOID(rows);
  if (keeps_streams) {
    const Result<void> others = co_await store_.erase_range({behind_streams.view(), to.view()});
    CO_TRY_VOID(others);
  }
  const std::string statistics_from = statistics_key(table, 0);
  const std::string statistics_to = statistics_key(table + 1, 0);
  const Result<void> statistics = co_await store_.erase_range({statistics_from, statistics_to});
  CO_TRY_VOID(statistics);
  const std::string progress_from = build_progress_key(table, 0);
  const std::string progress_to = build_progress_key(table + 1, 0);
  const Result<void> progress = co_await store_.erase_range({progress_from, progress_to});
  CO_TRY_VOID(progress);
  const std::string dropped = dropped_table_key(table);
  store::Batch batch;
  batch.erases.push_back(dropped);
  const Result<void> done = co_await store_.commit(batch);
  co_return done;
}

void Catalog::install(TablePtr table) {
  {
    const std::lock_guard lock(mutex_);
    ++changes_;
    // Two changes may come back from the store on two threads in either order: the newer one stays.
    if (const auto found = dropped_.find(table->name); found != dropped_.end() && found->second >= table->id) return;
    auto tables = std::make_shared<Tables>(*tables_);
    TablePtr& slot = (*tables)[table->name];
    if (slot && std::pair(slot->id, slot->revision) > std::pair(table->id, table->revision)) return;
    if (slot) outdated_.push_back(slot);
    slot = std::move(table);
    tables_ = std::move(tables);
  }
  version_.fetch_add(1);
}

void Catalog::uninstall(std::string_view name, TableId id) {
  {
    const std::lock_guard lock(mutex_);
    ++changes_;
    TableId& dropped = dropped_[std::string(name)];
    dropped = std::max(dropped, id);
    if (dropped_.size() > kDroppedMax) {
      dropped_.erase(std::min_element(dropped_.begin(), dropped_.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; }));
    }
    const auto found = tables_->find(name);
    if (found == tables_->end() || found->second->id > id) return;  // created again meanwhile
    outdated_.push_back(found->second);
    auto tables = std::make_shared<Tables>(*tables_);
    tables->erase(std::string(name));
    tables_ = std::move(tables);
  }
  version_.fetch_add(1);
}

}  // namespace stator::engine
