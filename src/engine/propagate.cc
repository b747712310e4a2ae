#include "engine/propagate.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/outbox_row.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"

namespace stator::engine {
namespace {

// Under contention it is better to come back later.
constexpr int kRowAttemptsMax = 8;
constexpr std::chrono::milliseconds kReadWait{2000};

// What is known of the rows of one item, read and decided.
struct Work {
  std::vector<OutboxRow> rows;
  std::set<std::string_view> damaged;      // keys of rows that cannot be read
  std::set<IndexId> indexes;               // that the rows name
  std::set<std::string_view> left;         // index rows that the item has left at some time
  std::map<std::string_view, IndexRow> wanted;
};

// Whether the rows that an outbox row wants to have erased are of the index that it names. No other row may go by its word.
bool names_own_rows(TableId table, const OutboxRow& row) {
  return std::all_of(row.entries.begin(), row.entries.end(), [table](const OutboxEntry& entry) {
    if (entry.left_key.empty()) return true;
    base::Buffer space;
    append_space(space, table, entry.index);
    return entry.left_key.size() > kHashEnd && entry.left_key.starts_with(space.view());
  });
}

Work decode(const QueuedItem& item) {
  Work work;
  for (const QueuedRow& row : item.rows) {
    Result<OutboxRow> decoded = decode_outbox(row.value);
    OutboxRow& known = work.rows.emplace_back();
    if (!decoded || !names_own_rows(item.table, *decoded)) {
      work.damaged.insert(row.key);
      continue;
    }
    known = std::move(*decoded);
    for (const OutboxEntry& entry : known.entries) {
      work.indexes.insert(entry.index);
      if (!entry.left_key.empty()) work.left.insert(entry.left_key);
    }
  }
  return work;
}

// Indexes are taken from the table as it is now: one that is going away is not touched any more. A row that cannot be read may have
// named any of them.
bool keeps(const Index& index, const Work& work) {
  return index.kind == IndexKind::global && index.state != IndexState::deleting &&
         (!work.damaged.empty() || work.indexes.contains(index.id));
}

Result<void> find_wanted(const Table& table, const store::Row& row, Work& work, base::Arena& arena) {
  work.wanted.clear();
  if (!row.exists) return {};
  TRY(const item::StoredItem item, item::StoredItem::open(row.value.view()));
  const std::optional<KeyValues> key = find_key_values(table.key, item, arena);
  if (!key) return fail(ErrorCode::corruption, "an item without its key");
  for (const Index& index : table.indexes) {
    if (!keeps(index, work)) continue;
    const std::optional<IndexRow> wanted = index_row(table, index, *key, item, arena);
    if (wanted) work.wanted.emplace(wanted->key, *wanted);
  }
  return {};
}

// The rows to look at: those that the item has left, of indexes that are still there, and those that it wants.
std::vector<std::string_view> keys_of(const Table& table, const Work& work) {
  std::vector<std::string_view> keys;
  for (const std::string_view key : work.left) {
    const auto id = static_cast<IndexId>(key[kSpaceBytes - 1]);
    const bool kept = std::any_of(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.id == id && keeps(index, work); });
    if (kept && !work.wanted.contains(key)) keys.push_back(key);
  }
  for (const auto& [key, row] : work.wanted) keys.push_back(key);
  return keys;
}

// Adds what one index row needs. Only rows that change are guarded: as long as the item is what it is, nobody makes a row
// wrong that is right.
Result<void> plan_row(std::string_view key, const store::Row& row, const Work& work,
                      std::map<IndexId, std::array<std::int64_t, 2>>& sums, store::Batch& batch) {
  const auto wanted = work.wanted.find(key);
  const bool puts = wanted != work.wanted.end();
  if (!puts && !row.exists) return {};
  if (puts && row.exists && row.value.view() == wanted->second.item.bytes()) return {};
  std::array<std::int64_t, 2>& sum = sums[static_cast<IndexId>(key[kSpaceBytes - 1])];
  batch.guards.push_back({key, row.version});
  if (row.exists) {
    TRY(const item::StoredItem old, item::StoredItem::open(row.value.view()));
    sum[0] -= 1;
    sum[1] -= static_cast<std::int64_t>(old.item_bytes());
  }
  if (puts) {
    sum[0] += 1;
    sum[1] += static_cast<std::int64_t>(wanted->second.item.item_bytes());
    batch.puts.push_back({key, wanted->second.item.bytes()});
  } else {
    batch.erases.push_back(key);
  }
  return {};
}

void add_sums(TableId table, const std::map<IndexId, std::array<std::int64_t, 2>>& sums, store::Batch& batch,
              base::Arena& arena) {
  for (const auto& [index, sum] : sums) {
    if (sum[0] == 0 && sum[1] == 0) continue;
    const std::span<std::int64_t> deltas = arena.array<std::int64_t>(2);
    std::copy(sum.begin(), sum.end(), deltas.begin());
    batch.adds.push_back({arena.copy(std::string_view(statistics_key(table, index))), deltas});
  }
}

// A commit whose outcome is not known can still come as long as the item is as it was. Writing the item as it is gives it another
// version: from then on the commit is refused, or was applied before and its row is there to be found.
void end_open_commits(const QueuedItem& item, const store::Row& row, store::Batch& batch) {
  const bool open = std::any_of(item.rows.begin(), item.rows.end(),
                                [&](const QueuedRow& queued) { return queued.open_at == row.version; });
  if (!open) return;
  if (row.exists) {
    batch.puts.push_back({item.row_key, row.value.view()});
  } else {
    batch.erases.push_back(item.row_key);
  }
}

base::Task<Result<void>> propagate_once(Engine& engine, const Table& table, const QueuedItem& item, Work& work) {
  base::Arena arena;
  const Result<store::Row> row = co_await engine.store.get(item.row_key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  CO_TRY_VOID(find_wanted(table, *row, work, arena));
  const std::vector<std::string_view> keys = keys_of(table, work);
  const Result<std::vector<store::Row>> rows = co_await engine.store.get_many(keys, store::ReadMode::latest);
  CO_TRY_VOID(rows);
  store::Batch batch;
  batch.fences.push_back({table_space(item.row_key), static_cast<std::uint64_t>(table.revision)});
  batch.guards.push_back({item.row_key, row->version});
  std::map<IndexId, std::array<std::int64_t, 2>> sums;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    CO_TRY_VOID(plan_row(keys[i], (*rows)[i], work, sums, batch));
  }
  add_sums(table.id, sums, batch, arena);
  end_open_commits(item, *row, batch);
  std::set<std::string_view> outbox_keys;  // who looks through a table may find a row that is queued already
  for (const QueuedRow& queued : item.rows) {
    if (!work.damaged.contains(queued.key)) outbox_keys.insert(queued.key);
  }
  batch.erases.insert(batch.erases.end(), outbox_keys.begin(), outbox_keys.end());
  const Result<void> committed = co_await engine.store.commit(batch);
  co_return committed;
}

// While an index is being built, a write that does not know of it yet may still come, and would leave a row there that nobody
// takes away. So nothing is put into it before all such writes are over or shut out.
base::Task<Result<void>> shut_out_older_writes(Engine& engine, const Table& table) {
  if (!table.builds_index) co_return Result<void>();
  if (!engine.catalog.drained(table.id)) co_return fail(ErrorCode::unavailable, "older writes are under way");
  if (engine.outbox->fenced(table.id, table.revision)) co_return Result<void>();
  const Result<void> fenced = co_await engine.catalog.fence_writers(table);
  CO_TRY_VOID(fenced);
  engine.outbox->set_fenced(table.id, table.revision);
  co_return Result<void>();
}

void record_lag(Engine& engine, const Table& table, const QueuedItem& item, const Work& work) {
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    const auto lag = std::chrono::duration_cast<std::chrono::microseconds>(now - item.rows[i].committed);
    for (const OutboxEntry& entry : work.rows[i].entries) {
      engine.outbox->lag().record(table.id, entry.index, lag.count());
    }
  }
}

void note_damaged_rows(Engine& engine, const Table& table, const Work& work) {
  for (const std::string_view key : work.damaged) {
    engine.outbox->damage().note(table.name, key,
                                 "an outbox row cannot be read and was set aside. Global indexes have its item as it is now, and "
                                 "may have a row of what it was before; an index that is deleted and created again has none");
  }
}

void note_damaged_item(Engine& engine, const Table& table, const QueuedItem& item, const Error& error) {
  engine.outbox->damage().note(table.name, item.row_key,
                               "global indexes cannot follow this item, and it was set aside: " + error.message +
                                   ". Write or delete the item, then delete the index and create it again");
}

}  // namespace

base::Task<Result<void>> propagate(Engine& engine, const QueuedItem& item) {
  Work work = decode(item);
  Result<void> done = fail(ErrorCode::conflict, "conflict");
  for (int attempt = 0; attempt < kRowAttemptsMax; ++attempt) {
    const Result<WriteTable> table = engine.catalog.begin_write(item.table);
    if (!table) {  // it is gone, and its rows are or will be
      engine.outbox->lag().forget(item.table);
      co_return Result<void>();
    }
    done = co_await shut_out_older_writes(engine, **table);
    if (done) {
      done = co_await propagate_once(engine, **table, item, work);
      if (done) {
        record_lag(engine, **table, item, work);
        note_damaged_rows(engine, **table, work);
        co_return done;
      }
      if (done.error().code == ErrorCode::corruption) {
        note_damaged_item(engine, **table, item, done.error());
        co_return Result<void>();
      }
    }
    if (store::is_outdated(done.error())) {
      const Result<bool> refreshed = co_await engine.catalog.refresh();
      CO_TRY_VOID(refreshed);
    } else if (done.error().code != ErrorCode::conflict) {
      co_return done;
    }
  }
  co_return done;
}

base::Task<Result<void>> propagate_queued(Engine& engine) {
  OutboxQueue& queue = engine.outbox->queue();
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    std::optional<QueuedItem> item = queue.take(now);
    if (!item) co_return Result<void>();
    const Result<void> done = co_await propagate(engine, *item);
    if (!done) {
      queue.again(std::move(*item), now);
      co_return done;
    }
    queue.done(*item, now);
  }
}

base::Task<Result<void>> await_indexes(Engine& engine, const Table& table) {
  if (engine.outbox == nullptr) co_return Result<void>();
  OutboxQueue& queue = engine.outbox->queue();
  if (!queue.has_worker()) {
    static_cast<void>(co_await propagate_queued(engine));
    co_return Result<void>();
  }
  OutboxQueue::Waiter caught_up = queue.caught_up(table.id, kReadWait);
  static_cast<void>(co_await caught_up);  // an index may lag behind
  co_return Result<void>();
}

}  // namespace stator::engine
