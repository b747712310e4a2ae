#include "engine/outbox_sweep.h"

#include <algorithm>
#include <map>
#include <vector>

#include "engine/erase_row.h"
#include "engine/outbox_row.h"
#include "engine/propagate.h"
#include "engine/row_key.h"
#include "store/collect_rows.h"

namespace stator::engine {
namespace {

constexpr std::size_t kRowsAtOnce = 256;     // that are found
constexpr std::size_t kVisitedAtOnce = 10'000;
constexpr std::chrono::milliseconds kWait{1000};  // between two looks whether to stop

using MarksByTable = std::map<TableId, std::vector<std::string>>;

// One part of the walk through a table.
class FindRows final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view value) override {
    last = key;
    ++visited_;
    if (is_outbox_key(key)) rows.emplace_back(key, value);
    return rows.size() < kRowsAtOnce && visited_ < kVisitedAtOnce ? store::Visit::next : store::Visit::stop;
  }
  std::vector<std::pair<std::string, std::string>> rows;
  std::string last;  // empty: nothing was left

 private:
  std::size_t visited_ = 0;
};

Error stopped() { return {ErrorCode::unavailable, "stopping"}; }

base::Task<Result<MarksByTable>> find_marks(Engine& engine) {
  const std::string from = outbox_marks_key();
  std::string to = from;
  to.back() = static_cast<char>(to.back() + 1);
  store::CollectRows found;
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  MarksByTable marks;
  for (const auto& [key, value] : found.rows) {
    const OutboxMark mark = read_outbox_mark_key(key);
    if (engine.leases.holds(mark.table) && !engine.leases.is_alive(mark.node)) marks[mark.table].push_back(key);
  }
  co_return marks;
}

TablePtr find_table(const Engine& engine, TableId id) {
  const auto tables = engine.catalog.tables();
  for (const auto& [name, table] : *tables) {
    if (table->id == id) return table;
  }
  return nullptr;
}

base::Task<Result<void>> shut_out(Engine& engine, TablePtr table) {
  if (!engine.store.shared()) co_return Result<void>();  // a process that is gone has nothing on its way
  const TableId id = table->id;
  const auto same_table = [id](Table& current) -> Result<void> {
    if (current.id != id) return fail(ErrorCode::conflict, "another table of the same name");
    return {};
  };
  const Result<TablePtr> raised = co_await engine.catalog.update(table->name, same_table);
  CO_TRY_VOID(raised);
  const Result<void> fenced = co_await engine.catalog.fence_writers(**raised);
  co_return fenced;
}

// Until everything is applied that was queued for the table.
base::Task<Result<void>> settle(Engine& engine, TableId table) {
  OutboxQueue& queue = engine.outbox->queue();
  if (!queue.has_worker()) {
    const Result<void> done = co_await propagate_queued(engine);
    co_return done;
  }
  for (bool done = false; !done;) {
    if (engine.stopping.load()) co_return tl::unexpected(stopped());
    OutboxQueue::Waiter caught_up = queue.caught_up(table, kWait);
    done = co_await caught_up;
  }
  co_return Result<void>();
}

// How long ago the change was planned. What a damaged row says does not count: whoever applies it will see what it is.
std::chrono::milliseconds age_of(std::string_view outbox_value, std::int64_t now_ms) {
  const Result<OutboxRow> row = decode_outbox(outbox_value);
  return std::chrono::milliseconds(row ? now_ms - std::clamp<std::int64_t>(row->time_ms, 0, now_ms) : 0);
}

base::Task<Result<void>> walk(Engine& engine, TableId table) {
  const SpaceBounds items = space_bounds(table, 0);
  std::string from = items.from;
  for (;;) {
    if (engine.stopping.load()) co_return tl::unexpected(stopped());
    FindRows found;
    const Result<void> scanned =
        co_await engine.outbox->with_outbox_rows().scan({from, items.to}, store::Direction::ascending, found);
    CO_TRY_VOID(scanned);
    if (found.last.empty()) co_return Result<void>();
    from = found.last + '\0';
    for (auto& [key, value] : found.rows) {
      const std::chrono::milliseconds age = age_of(value, engine.clock.now_ms());
      const std::string item_key(outbox_item_key(key));
      engine.outbox->queue().add(
          item_key, {std::move(key), std::move(value), std::chrono::steady_clock::now() - age, std::nullopt, 0});
    }
    const Result<void> settled = co_await settle(engine, table);
    CO_TRY_VOID(settled);
  }
}

base::Task<Result<void>> sweep_table(Engine& engine, TableId id, std::vector<std::string> marks) {
  const std::vector<std::string_view> keys(marks.begin(), marks.end());
  const Result<std::vector<store::Row>> seen = co_await engine.store.get_many(keys, store::ReadMode::committed);
  CO_TRY_VOID(seen);
  const Result<bool> refreshed = co_await engine.catalog.refresh();
  CO_TRY_VOID(refreshed);
  if (const TablePtr table = find_table(engine, id)) {
    if (table->status(engine.clock.now_ms()) == TableStatus::deleting) co_return Result<void>();
    const Result<void> fenced = co_await shut_out(engine, table);
    CO_TRY_VOID(fenced);
    const Result<void> walked = co_await walk(engine, id);
    CO_TRY_VOID(walked);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Result<void> erased = co_await erase_row(engine.store, marks[i], (*seen)[i].version);
    if (!erased && erased.error().code != ErrorCode::conflict) co_return erased;
  }
  co_return Result<void>();
}

}  // namespace

base::Task<Result<void>> sweep_outbox(Engine& engine) {
  Result<MarksByTable> marks = co_await find_marks(engine);
  CO_TRY_VOID(marks);
  std::size_t left = marks->size();
  engine.outbox->unswept_tables().store(left);
  Result<void> result;
  for (auto& [table, keys] : *marks) {
    const Result<void> swept = co_await sweep_table(engine, table, std::move(keys));
    if (swept) {
      engine.outbox->unswept_tables().store(--left);
    } else {
      result = swept;  // the others have their turn; this one at the next time
    }
  }
  co_return result;
}

}  // namespace stator::engine
