#include "engine/outbox_marks.h"

#include <algorithm>

#include "engine/erase_row.h"
#include "engine/row_key.h"

namespace stator::engine {

void OutboxMarks::enter(TableId table) {
  const std::lock_guard lock(mutex_);
  ++tables_[table].users;
}

void OutboxMarks::leave(TableId table, Moment now) {
  const std::lock_guard lock(mutex_);
  State& state = tables_[table];
  CHECK(state.users > 0);
  --state.users;
  state.last_used = now;
}

base::Task<Result<void>> OutboxMarks::mark(TableId table, std::uint64_t revision) {
  const std::lock_guard lock(mutex_);
  State& state = tables_[table];
  if (state.marked && state.revision >= revision) return base::Task<Result<void>>::ready({});
  if (state.number == 0) state.number = ++last_number_;
  return put_mark(table, state.number, revision);
}

// Several writes may put the mark at once: it is the same row.
base::Task<Result<void>> OutboxMarks::put_mark(TableId table, std::uint64_t number, std::uint64_t revision) {
  const std::string key = outbox_mark_key(table, node_, number);
  const std::string value = std::to_string(revision);
  store::Batch batch;
  batch.puts.push_back({key, value});
  const Result<void> put = co_await store_.commit(batch);
  CO_TRY_VOID(put);
  const std::lock_guard lock(mutex_);
  State& state = tables_[table];
  state.marked = true;  // its number is still the same: this write is a user
  state.revision = std::max(state.revision, revision);
  co_return Result<void>();
}

base::Task<Result<void>> OutboxMarks::clear(Moment before) {
  std::vector<std::string> keys;
  {
    const std::lock_guard lock(mutex_);
    keys.swap(left_);
    for (auto at = tables_.begin(); at != tables_.end();) {
      const State& state = at->second;
      if (state.users > 0 || state.last_used > before) {
        ++at;
        continue;
      }
      if (state.number != 0) keys.push_back(outbox_mark_key(at->first, node_, state.number));
      at = tables_.erase(at);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Result<void> erased = co_await erase_row(store_, keys[i]);
    if (erased) continue;
    const std::lock_guard lock(mutex_);
    left_.insert(left_.end(), keys.begin() + static_cast<std::ptrdiff_t>(i), keys.end());
    co_return erased;
  }
  co_return Result<void>();
}

}  // namespace stator::engine
