#include "engine/delayed_store.h"

#include "engine/outbox_row.h"
#include "engine/row_key.h"

namespace stator::engine {
namespace {

constexpr std::size_t kHistoryBytesMax = 256 * 1024 * 1024;

// Only items and rows of indexes lag; the system's rows, streams and the order by expiry are always current.
bool lags(std::string_view key) {
  constexpr std::string_view kSystem("\0\0\0\0", 4);
  return key.size() > kSpaceBytes && !key.starts_with(kSystem) && !is_outbox_key(key) &&
         static_cast<std::uint8_t>(key[kSpaceBytes - 1]) < kExpirySpace;
}

void replace(store::Row& row, const RowHistory::OldRow& old) {
  row = store::Row();
  if (!old.value) return;
  row.exists = true;
  row.value = store::Bytes::copy_of(*old.value);
}

// Shows a scan's rows as they were: between the rows that are there now those that were there then, and no others.
class OldRows final : public store::RowVisitor {
 public:
  OldRows(const RowHistory::Reading& reading, store::Range range, store::Direction direction,
          store::RowVisitor& visitor)
      : reading_(reading), direction_(direction), from_(range.from), to_(range.to), visitor_(visitor) {}

  store::Visit row(std::string_view key, std::string_view value) override {
    const bool ascending = direction_ == store::Direction::ascending;
    const std::string behind = std::string(key) + '\0';
    const store::Visit gone = ascending ? show_between(from_, std::string(key)) : show_between(behind, to_);
    if (gone == store::Visit::stop) return gone;
    (ascending ? from_ : to_) = ascending ? behind : std::string(key);
    const std::optional<RowHistory::OldRow> old = reading_.find(key);
    if (!old) return show(key, value);
    return old->value ? show(key, *old->value) : store::Visit::next;
  }

  // The rows behind the last one that the store had, unless the visitor had enough.
  void finish() {
    if (!stopped_) (void)show_between(from_, to_);
  }

 private:
  store::Visit show(std::string_view key, std::string_view value) {
    const store::Visit visit = visitor_.row(key, value);
    stopped_ = visit == store::Visit::stop;
    return visit;
  }
  store::Visit show_between(std::string from, std::string to) {
    while (const std::optional<RowHistory::OldRow> old = reading_.first(from, to, direction_)) {
      if (old->value && show(old->key, *old->value) == store::Visit::stop) return store::Visit::stop;
      if (direction_ == store::Direction::ascending) {
        from = old->key + '\0';
      } else {
        to = old->key;
      }
    }
    return store::Visit::next;
  }
  const RowHistory::Reading& reading_;
  const store::Direction direction_;
  std::string from_;  // the part of the range that has not been shown yet
  std::string to_;
  bool stopped_ = false;
  store::RowVisitor& visitor_;
};

}  // namespace

DelayedStore::DelayedStore(store::Store& store, const base::Clock& clock, std::int64_t delay_ms)
    : store_(store), history_(delay_ms, clock, kHistoryBytesMax) {}

base::Task<Result<store::Row>> DelayedStore::get(std::string_view key, store::ReadMode mode) {
  return store_.get(key, mode);
}

base::Task<Result<std::vector<store::Row>>> DelayedStore::get_many(std::span<const std::string_view> keys,
                                                                   store::ReadMode mode) {
  return store_.get_many(keys, mode);
}

base::Task<Result<void>> DelayedStore::scan(store::Range range, store::Direction direction,
                                            store::RowVisitor& visitor) {
  return store_.scan(range, direction, visitor);
}

// What is read here is still so when the commit is done: every change of an item or of its index rows guards on the
// item.
base::Task<Result<void>> DelayedStore::commit(const store::Batch& batch) {
  std::vector<std::string_view> keys;
  for (const store::Write& put : batch.puts) {
    if (lags(put.key)) keys.push_back(put.key);
  }
  for (const std::string_view key : batch.erases) {
    if (lags(key)) keys.push_back(key);
  }
  if (keys.empty()) {
    const Result<void> committed = co_await store_.commit(batch);
    co_return committed;
  }
  const Result<std::vector<store::Row>> rows = co_await store_.get_many(keys, store::ReadMode::latest);
  CO_TRY_VOID(rows);
  std::vector<RowHistory::OldRow> before;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    RowHistory::OldRow& old = before.emplace_back(RowHistory::OldRow{std::string(keys[i]), std::nullopt});
    if ((*rows)[i].exists) old.value = std::string((*rows)[i].value.view());
  }
  const RowHistory::ChangePtr change = history_.begin(std::move(before));
  const Result<void> committed = co_await store_.commit(batch);
  history_.end(change, committed.has_value());
  co_return committed;
}

base::Task<Result<std::vector<std::int64_t>>> DelayedStore::counters(std::string_view key, std::size_t count) {
  return store_.counters(key, count);
}

base::Task<Result<void>> DelayedStore::erase_range(store::Range range) { return store_.erase_range(range); }

Result<void> DelayedStore::close() { return store_.close(); }

// The store is read before the history: what the store shows is then in the history already.
base::Task<Result<store::Row>> DelayedStore::Lagging::get(std::string_view key, store::ReadMode) {
  const RowHistory::Reading reading(outer_.history_);
  Result<store::Row> row = co_await outer_.store_.get(key, store::ReadMode::committed);
  CO_TRY_VOID(row);
  if (const std::optional<RowHistory::OldRow> old = reading.find(key)) replace(*row, *old);
  co_return row;
}

base::Task<Result<std::vector<store::Row>>> DelayedStore::Lagging::get_many(std::span<const std::string_view> keys,
                                                                            store::ReadMode) {
  const RowHistory::Reading reading(outer_.history_);
  Result<std::vector<store::Row>> rows = co_await outer_.store_.get_many(keys, store::ReadMode::committed);
  CO_TRY_VOID(rows);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const std::optional<RowHistory::OldRow> old = reading.find(keys[i])) replace((*rows)[i], *old);
  }
  co_return rows;
}

base::Task<Result<void>> DelayedStore::Lagging::scan(store::Range range, store::Direction direction,
                                                     store::RowVisitor& visitor) {
  const RowHistory::Reading reading(outer_.history_);
  OldRows rows(reading, range, direction, visitor);
  const Result<void> scanned = co_await outer_.store_.scan(range, direction, rows);
  CO_TRY_VOID(scanned);
  rows.finish();
  co_return Result<void>();
}

}  // namespace stator::engine
