#include "engine/builder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/started.h"
#include "engine/build_rows.h"
#include "engine/early_rows.h"
#include "engine/erase_row.h"
#include "engine/online_index.h"
#include "engine/row_key.h"

namespace stator::engine {
namespace {

// Read at once: so many that the way to them is worth it, but no more than this in memory.
constexpr std::size_t kPageItemsMax = 128;
constexpr std::size_t kPageBytes = 1 << 20;
// Committed at once: few, so that their guards rarely collide with writers and the requests that the commit goes with do not
// wait long for it. In a cluster no request goes with it, and each commit is a way to other machines.
constexpr std::size_t kCommitItemsMax = 32;
constexpr std::size_t kClusterCommitItemsMax = 64;
constexpr std::size_t kCommitBytes = 64 << 10;

// The items of a table in their order, some at a time.
class ItemWalk {
 public:
  ItemWalk(Engine& engine, std::string from, std::string to)
      : engine_(engine),
        from_(std::move(from)),
        to_(std::move(to)),
        count_max_(engine.outbox != nullptr ? kClusterCommitItemsMax : kCommitItemsMax),
        page_items_(count_max_) {}

  // So many as are committed together; none at the end of the table.
  base::Task<Result<std::vector<store::KeyedRow>>> next() {
    if (position_ == page_.size()) {
      const Result<void> turned = co_await turn_page();
      CO_TRY_VOID(turned);
    }
    std::vector<store::KeyedRow> items;
    std::size_t bytes = 0;
    while (position_ < page_.size() && items.size() < count_max_ && (items.empty() || bytes < kCommitBytes)) {
      bytes += page_[position_].row.value.view().size();
      items.push_back(std::move(page_[position_++]));
    }
    co_return items;
  }

 private:
  base::Task<Result<void>> turn_page() {
    Result<std::vector<store::KeyedRow>> page = co_await engine_.store.get_range({from_, to_}, page_items_);
    CO_TRY_VOID(page);
    page_ = std::move(*page);
    position_ = 0;
    if (page_.empty()) co_return Result<void>();
    from_ = page_.back().key + '\0';
    std::size_t bytes = 1;
    for (const store::KeyedRow& item : page_) bytes += item.row.value.view().size();
    page_items_ = std::clamp(kPageBytes * page_.size() / bytes, std::size_t{1}, kPageItemsMax);
    co_return Result<void>();
  }

  Engine& engine_;
  std::string from_;
  std::string to_;
  const std::size_t count_max_;
  std::size_t page_items_;  // that the next page should have, if they are as large as those of the last one
  std::vector<store::KeyedRow> page_;
  std::size_t position_ = 0;
};

// Null at the end of the table.
base::Task<Result<std::unique_ptr<BuiltRows>>> prepare_next(Engine& engine, const BuildTarget& target, ItemWalk& walk,
                                                            base::Turns& turns) {
  Result<std::vector<store::KeyedRow>> items = co_await walk.next();
  CO_TRY_VOID(items);
  if (items->empty()) co_return std::unique_ptr<BuiltRows>();
  turns.may_end();
  co_return co_await prepare_rows(engine, target, std::move(*items), turns);
}

base::Task<Result<void>> fill(Engine& engine, const BuildTarget& target) {
  Result<store::Row> progress = co_await engine.store.get(target.progress_key, store::ReadMode::committed);
  CO_TRY_VOID(progress);
  if (!progress->exists && target.index != nullptr) {
    const Result<void> settled = co_await settle_early_rows(engine, target.table, *target.index);
    CO_TRY_VOID(settled);
  }
  const SpaceBounds bounds = space_bounds(target.table->id, 0);
  ItemWalk walk(engine, progress->exists ? std::string(progress->value.view()) + '\0' : bounds.from, bounds.to);
  base::Turns turns;
  Result<std::unique_ptr<BuiltRows>> rows = co_await prepare_next(engine, target, walk, turns);
  CO_TRY_VOID(rows);
  while (*rows != nullptr) {
    if (engine.stopping.load()) co_return fail(ErrorCode::unavailable, "stopping");
    if (!engine.leases.holds(target.table->id)) co_return fail(ErrorCode::unavailable, "another node goes on");
    // The next ones are made while these wait for the disk.
    base::Started<Result<void>> committing(commit_rows(engine, target, **rows, turns));
    Result<std::unique_ptr<BuiltRows>> following = co_await prepare_next(engine, target, walk, turns);
    const Result<void> committed = co_await committing;
    CO_TRY_VOID(committed);
    CO_TRY_VOID(following);
    rows = std::move(following);
  }
  co_return Result<void>();
}

base::Task<Result<void>> erase_space(Engine& engine, TableId table, std::uint8_t space) {
  const SpaceBounds bounds = space_bounds(table, space);
  const Result<void> erased = co_await engine.store.erase_range({bounds.from, bounds.to});
  CO_TRY_VOID(erased);
  const std::string from_statistics = statistics_key(table, space);
  const std::string to_statistics = statistics_key(table, static_cast<std::uint8_t>(space + 1));
  const Result<void> statistics = co_await engine.store.erase_range({from_statistics, to_statistics});
  co_return statistics;
}

// Comes before the change of state: a process that ends between the two walks through the items once more and finds their
// rows, while a place that is left behind would make a later building of the same space skip them.
base::Task<Result<void>> forget_progress(Engine& engine, TableId table, std::uint8_t space) {
  return erase_row(engine.store, build_progress_key(table, space));
}

// Attribute definitions that no key uses any more go with the index that used them.
void drop_unused_definitions(Table& table) {
  std::erase_if(table.definitions, [&](const KeyAttribute& definition) {
    return !table.key.contains(definition.name) &&
           std::none_of(table.indexes.begin(), table.indexes.end(),
                        [&](const Index& index) { return index.key.contains(definition.name); });
  });
}

base::Task<Result<void>> finish_index(Engine& engine, TablePtr table, IndexId id) {
  const TableId table_id = table->id;
  const auto change = [table_id, id](Table& current) -> Result<void> {
    if (current.id != table_id) return {};
    for (Index& index : current.indexes) {
      if (index.id == id && index.state == IndexState::creating) index.state = IndexState::active;
    }
    std::erase_if(current.indexes, [&](const Index& index) {
      return index.id == id && index.state == IndexState::deleting;
    });
    drop_unused_definitions(current);
    return {};
  };
  const Result<void> forgotten = co_await forget_progress(engine, table_id, id);
  CO_TRY_VOID(forgotten);
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

base::Task<Result<void>> finish_ttl(Engine& engine, TablePtr table, TtlState from, TtlState to) {
  const TableId table_id = table->id;
  const auto change = [table_id, from, to](Table& current) -> Result<void> {
    if (current.id == table_id && current.ttl.state == from) current.ttl.state = to;
    return {};
  };
  const Result<void> forgotten = co_await forget_progress(engine, table_id, kExpirySpace);
  CO_TRY_VOID(forgotten);
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

// While the table is shown as UPDATING, an index that comes has no place yet and one that goes is still there.
bool waits_for_table(const Engine& engine, const Table& table) {
  return changing_index(table) != nullptr && table.status(engine.clock.now_ms()) == TableStatus::updating;
}

}  // namespace

bool needs_building(const Table& table) {
  return table.ttl.state == TtlState::building || table.ttl.state == TtlState::erasing ||
         changing_index(table) != nullptr;
}

base::Task<Result<bool>> advance_building(Engine& engine, TablePtr table) {
  if (waits_for_table(engine, *table) || !engine.catalog.drained(table->id)) co_return true;
  const Result<void> fenced = co_await engine.catalog.fence_writers(*table);
  CO_TRY_VOID(fenced);
  for (const Index& index : table->indexes) {
    if (index.state == IndexState::active) continue;
    Result<void> done;
    if (index.state == IndexState::creating) {
      const BuildTarget target{table, &index, build_progress_key(table->id, index.id)};
      done = co_await fill(engine, target);
    } else {
      done = co_await erase_space(engine, table->id, index.id);
    }
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_index(engine, table, index.id);
    CO_TRY_VOID(finished);
  }
  if (table->ttl.state == TtlState::building) {
    const BuildTarget target{table, nullptr, build_progress_key(table->id, kExpirySpace)};
    const Result<void> done = co_await fill(engine, target);
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_ttl(engine, table, TtlState::building, TtlState::on);
    CO_TRY_VOID(finished);
  } else if (table->ttl.state == TtlState::erasing) {
    const Result<void> done = co_await erase_space(engine, table->id, kExpirySpace);
    CO_TRY_VOID(done);
    const Result<void> finished = co_await finish_ttl(engine, table, TtlState::erasing, TtlState::off);
    CO_TRY_VOID(finished);
  }
  co_return false;
}

}  // namespace stator::engine
