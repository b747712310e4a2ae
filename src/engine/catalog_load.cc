// What the store has of the catalog: reading it, and finishing what a process that ended has begun.

#include <fmt/format.h>

#include <cstdio>

#include "engine/catalog.h"
#include "engine/erase_row.h"
#include "engine/rolls.h"
#include "engine/row_key.h"
#include "store/collect_rows.h"

namespace stator::engine {
namespace {

// No revision is as high.
constexpr std::uint64_t kFenceForEver = std::uint64_t{1} << 62;

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

base::Task<Result<void>> finish_rolls(store::Store& store, const Table& table) {
  for (const Stream& stream : table.streams) {
    const Result<void> finished = co_await finish_begun_roll(store, table.id, stream);
    CO_TRY_VOID(finished);
  }
  co_return Result<void>();
}

}  // namespace

base::Task<Result<void>> Catalog::load() {
  const Result<bool> refreshed = co_await refresh();
  CO_TRY_VOID(refreshed);
  const Result<void> finished = co_await finish_drops();
  CO_TRY_VOID(finished);
  // Readers do well without it, so a full disk is no reason not to start: the background tries again, and says what is wrong.
  const auto live = tables();
  for (const auto& [name, table] : *live) {
    const Result<void> whole = co_await finish_rolls(store_, *table);
    if (!whole) co_return Result<void>();
  }
  const auto dropped = retired();
  for (const auto& [id, table] : *dropped) {
    const Result<void> whole = co_await finish_rolls(store_, *table);
    if (!whole) co_return Result<void>();
  }
  co_return Result<void>();
}

base::Task<Result<Catalog::Stored>> Catalog::read_all() const {
  Stored stored;
  const std::string from = catalog_key("");
  const std::string to = prefix_end(from);
  store::CollectRows found;
  const Result<void> scanned = co_await store_.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  for (const auto& [key, value] : found.rows) {
    Result<Table> table = decode_table(value);
    if (!table) {
      stored.unreadable.insert(key.substr(from.size()));
      continue;
    }
    if (gone(*table)) {
      stored.gone.push_back(table->name);
      continue;
    }
    auto pointer = std::make_shared<const Table>(*std::move(table));
    stored.tables.emplace(pointer->name, pointer);
  }
  const std::string retired_from = retired_streams_key(0).substr(0, kSpaceBytes);
  const std::string retired_to = prefix_end(retired_from);
  store::CollectRows retired;
  const Result<void> retired_scanned =
      co_await store_.scan({retired_from, retired_to}, store::Direction::ascending, retired);
  CO_TRY_VOID(retired_scanned);
  for (const auto& [key, value] : retired.rows) {
    Result<Table> table = decode_table(value);
    if (table) {
      stored.retired.emplace(table_of_system_key(key), std::make_shared<const Table>(*std::move(table)));
    } else {
      stored.unreadable_retired.push_back(table_of_system_key(key));
    }
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
    let_go_of_outdated();
    for (const auto& [name, old] : *tables_) {
      const auto found = stored.tables.find(name);
      if (found != stored.tables.end() && found->second->id == old->id && found->second->revision == old->revision) {
        found->second = old;  // with the writes that are counted in it
      } else {
        outdated_.push_back(old);
      }
    }
    set_aside(stored);
    tables_ = std::make_shared<const Tables>(std::move(stored.tables));
    retired_ = std::make_shared<const RetiredTables>(std::move(stored.retired));
    version_.fetch_add(1);
  }
  return true;
}

// Each is told of once.
void Catalog::set_aside(const Stored& stored) {
  unreadable_ = std::make_shared<const Names>(stored.unreadable);
  unreadable_records_ = stored.unreadable.size() + stored.unreadable_retired.size();
  const auto tell = [&](const std::string& what, std::string_view meaning) {
    if (told_.insert(what).second) std::fprintf(stderr, "stator: damaged: %s: %s\n", what.c_str(), std::string(meaning).c_str());
  };
  for (const std::string& name : stored.unreadable) {
    tell(fmt::format("the description of table '{}' cannot be read", name), "it is set aside, and requests on the table are refused");
  }
  for (const TableId id : stored.unreadable_retired) {
    tell(fmt::format("the description of the streams of dropped table number {} cannot be read", id), "it is set aside, and they cannot be read");
  }
}

// The row of a table whose time is over. It may have been replaced by one of the same name since it was seen.
base::Task<Result<void>> Catalog::erase_gone(std::string name) {
  const std::string key = catalog_key(name);
  Result<store::Row> row = co_await store_.get(key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  if (!row->exists) co_return Result<void>();
  const Result<Table> table = decode_table(row->value.view());
  if (!table || !gone(*table)) co_return Result<void>();
  const Result<void> erased = co_await erase_row(store_, key, row->version);
  if (!erased && erased.error().code != ErrorCode::conflict) co_return tl::unexpected(erased.error());
  co_return Result<void>();
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

}  // namespace stator::engine
