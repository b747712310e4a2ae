// Changes of the catalog: each is a commit first, and in the snapshot when that is durable.

#include <charconv>

#include "engine/catalog.h"
#include "engine/erase_row.h"
#include "engine/row_key.h"

namespace stator::engine {
namespace {

// While a range is being erased the store may report conflicts without reason, many in the time of one disk flush.
constexpr int kCatalogConflictsMax = 100'000;

// The number of the newest table. One that cannot be read is not taken for none: a table would get the rows of another.
Result<TableId> last_id(const store::Row& row) {
  TableId last = 0;
  if (!row.exists) return last;
  const std::string_view text = row.value.view();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), last);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::corruption, "the number of the newest table is stored and cannot be read");
  }
  return last;
}

Error too_many_conflicts() {
  return {ErrorCode::internal, "the table catalog is changed by too many requests at once"};
}

}  // namespace

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
      const Result<Table> existing = decode_table(row->value.view());
      if (!existing || !gone(*existing)) {
        const bool creating = existing && existing->status(clock_.now_ms()) == TableStatus::creating;
        co_return fail(ErrorCode::table_in_use,
                       (creating ? "Attempt to change a resource which is still in use: Table is being created: "
                                 : "Table already exists: ") + table.name);
      }
    }
    Result<store::Row> sequence = co_await store_.get(sequence_key, store::ReadMode::latest);
    CO_TRY_VOID(sequence);
    CO_TRY(const TableId last, last_id(*sequence));
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
  const Result<void> done = co_await erase_row(store_, dropped_table_key(table));
  co_return done;
}

}  // namespace stator::engine
