// The catalog in memory: what requests see of it.

#include "engine/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace stator::engine {
namespace {

// More changes than this do not overtake each other between the store and the snapshot.
constexpr std::size_t kDroppedMax = 1000;

}  // namespace

const Catalog::Snapshot& Catalog::snapshot() const {
  thread_local Snapshot cached;
  const std::uint64_t version = version_.load();
  if (cached.owner != identity_ || cached.version != version) {
    const std::lock_guard lock(mutex_);
    cached = {identity_, version, tables_, unreadable_};
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
  struct Known {
    std::uint64_t owner = 0;
    std::uint64_t version = 0;
    std::unordered_map<TableId, std::string> by_id;
  };
  thread_local Known known;
  const Snapshot& seen = snapshot();
  if (known.owner != seen.owner || known.version != seen.version) {
    known = {seen.owner, seen.version, {}};
    for (const auto& [name, table] : *seen.tables) known.by_id.emplace(table->id, name);
  }
  const auto found = known.by_id.find(id);
  if (found != known.by_id.end()) {
    Result<WriteTable> table = begin_write(found->second);
    if (!table || (*table)->id == id) return table;
  }
  return fail(ErrorCode::table_not_found, "Requested resource not found");
}

// Versions that nobody writes to any more are let go of: whoever enters one now finds that the version has been raised, which
// is done with the lock held.
void Catalog::let_go_of_outdated() {
  std::erase_if(outdated_, [](const TablePtr& old) { return old->writers.none(); });
}

bool Catalog::drained(TableId table) {
  const std::lock_guard lock(mutex_);
  let_go_of_outdated();
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
  if (is_unreadable(name)) return tl::unexpected(unreadable(name));
  return fail(ErrorCode::table_not_found, "Requested resource not found");
}

bool Catalog::is_unreadable(std::string_view name) const {
  const std::shared_ptr<const Names>& names = snapshot().unreadable;
  return names && names->contains(name);
}

Error Catalog::unreadable(std::string_view name) {
  return {ErrorCode::corruption, fmt::format("The description of table {} is stored and cannot be read: the table is set aside", name)};
}

Catalog::Names Catalog::names() const {
  const Snapshot& seen = snapshot();
  Names names = seen.unreadable ? *seen.unreadable : Names();
  for (const auto& [name, table] : *seen.tables) {
    if (!gone(*table)) names.insert(name);
  }
  return names;
}

Error Catalog::not_found(std::string_view name) {
  return {ErrorCode::table_not_found, "Requested resource not found: Table: " + std::string(name) + " not found"};
}

Result<TablePtr> Catalog::find(std::string_view name) const {
  const Tables& tables = *snapshot().tables;
  const auto found = tables.find(name);
  if (found == tables.end() || gone(*found->second)) {
    return tl::unexpected(is_unreadable(name) ? unreadable(name) : not_found(name));
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

void Catalog::install(TablePtr table) {
  const std::lock_guard lock(mutex_);
  ++changes_;
  // Two changes may come back from the store on two threads in either order: the newer one stays.
  if (const auto found = dropped_.find(table->name); found != dropped_.end() && found->second >= table->id) return;
  auto tables = std::make_shared<Tables>(*tables_);
  TablePtr& slot = (*tables)[table->name];
  if (slot && std::pair(slot->id, slot->revision) > std::pair(table->id, table->revision)) return;
  let_go_of_outdated();
  if (slot) outdated_.push_back(slot);
  slot = std::move(table);
  tables_ = std::move(tables);
  version_.fetch_add(1);
}

void Catalog::uninstall(std::string_view name, TableId id) {
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
  let_go_of_outdated();
  outdated_.push_back(found->second);
  auto tables = std::make_shared<Tables>(*tables_);
  tables->erase(std::string(name));
  tables_ = std::move(tables);
  version_.fetch_add(1);
}

}  // namespace stator::engine
