#include "engine/outbox_store.h"

#include <algorithm>
#include <random>
#include <vector>

#include "engine/outbox_row.h"
#include "engine/row_key.h"

namespace stator::engine {
namespace {

constexpr std::chrono::milliseconds kRoomWait{5000};
constexpr std::chrono::milliseconds kItemWait{200};

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

bool has_rows(const store::Batch& batch) {
  return std::any_of(batch.puts.begin(), batch.puts.end(),
                     [](const store::Write& put) { return is_outbox_key(put.key); });
}

class WithoutOutboxRows final : public store::RowVisitor {
 public:
  explicit WithoutOutboxRows(store::RowVisitor& visitor) : visitor_(visitor) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    return is_outbox_key(key) ? store::Visit::next : visitor_.row(key, value);
  }

 private:
  store::RowVisitor& visitor_;
};

// The tables that a commit puts outbox rows into, each once, as users of their marks.
class Writing {
 public:
  Writing(OutboxMarks& marks, const store::Batch& batch) : marks_(marks) {
    for (const store::Write& put : batch.puts) {
      if (!is_outbox_key(put.key)) continue;
      const TableId table = table_id_of(put.key);
      if (std::find(tables_.begin(), tables_.end(), table) != tables_.end()) continue;
      marks_.enter(table);
      tables_.push_back(table);
    }
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() {
    for (const TableId table : tables_) marks_.leave(table, std::chrono::steady_clock::now());
  }
  [[nodiscard]] const std::vector<TableId>& tables() const { return tables_; }

 private:
  OutboxMarks& marks_;
  std::vector<TableId> tables_;
};

// The revision that the writes to a table were planned with.
std::uint64_t revision_of(const store::Batch& batch, TableId table) {
  std::uint64_t revision = UINT64_MAX;
  for (const store::Fence& fence : batch.fences) {
    if (table_id_of(fence.space) == table) revision = std::min(revision, fence.number);
  }
  CHECK(revision != UINT64_MAX);  // every write of an item carries its table's fence
  return revision;
}

store::Version guarded_version(const store::Batch& batch, std::string_view row_key) {
  const auto found = std::find_if(batch.guards.begin(), batch.guards.end(),
                                  [&](const store::Guard& guard) { return guard.key == row_key; });
  CHECK(found != batch.guards.end());
  return found->version;
}

}  // namespace

OutboxStore::OutboxStore(store::Store& store, std::string node)
    : store_(store), numbers_(random_number()), marks_(store, std::move(node)), queue_(marks_) {}

bool OutboxStore::fenced(TableId table, std::int64_t revision) const {
  const std::lock_guard lock(mutex_);
  const auto found = fenced_.find(table);
  return found != fenced_.end() && found->second >= revision;
}

void OutboxStore::set_fenced(TableId table, std::int64_t revision) {
  const std::lock_guard lock(mutex_);
  std::int64_t& known = fenced_[table];
  known = std::max(known, revision);
}

base::Task<Result<void>> OutboxStore::scan(store::Range range, store::Direction direction,
                                           store::RowVisitor& visitor) {
  const bool may_have_rows = range.from.size() < kSpaceBytes || range.from[kSpaceBytes - 1] == '\0';
  return may_have_rows ? scan_items(range, direction, visitor) : store_.scan(range, direction, visitor);
}

base::Task<Result<void>> OutboxStore::scan_items(store::Range range, store::Direction direction,
                                                 store::RowVisitor& visitor) {
  WithoutOutboxRows items(visitor);
  const Result<void> scanned = co_await store_.scan(range, direction, items);
  co_return scanned;
}

base::Task<Result<void>> OutboxStore::commit(const store::Batch& batch) {
  return has_rows(batch) ? commit_with_rows(batch) : store_.commit(batch);
}

base::Task<Result<void>> OutboxStore::commit_with_rows(const store::Batch& batch) {
  const Writing writing(marks_, batch);
  for (const TableId table : writing.tables()) {
    const Result<void> marked = co_await marks_.mark(table, revision_of(batch, table));
    CO_TRY_VOID(marked);
  }
  OutboxQueue::Waiter room = queue_.room(kRoomWait);
  const bool has_room = co_await room;
  if (!has_room) co_return fail(ErrorCode::unavailable, "the indexes of this node's writes are too far behind: try again");
  for (const store::Write& put : batch.puts) {
    if (!is_outbox_key(put.key)) continue;
    OutboxQueue::Waiter item_room = queue_.item_room(outbox_item_key(put.key), kItemWait);
    static_cast<void>(co_await item_room);  // however long it has waited: this is for the sake of the others
  }
  Result<void> committed = co_await store_.commit(batch);
  if (!committed && (committed.error().code == ErrorCode::conflict || store::is_outdated(committed.error()))) {
    co_return committed;
  }
  const auto now = std::chrono::steady_clock::now();
  for (const store::Write& put : batch.puts) {
    if (!is_outbox_key(put.key)) continue;
    const std::string_view row_key = outbox_item_key(put.key);
    QueuedRow row{std::string(put.key), std::string(put.value), now, std::nullopt, 0};
    if (!committed) row.open_at = guarded_version(batch, row_key);
    queue_.add(row_key, std::move(row));
  }
  co_return committed;
}

}  // namespace stator::engine
