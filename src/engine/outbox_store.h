#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "engine/outbox_damage.h"
#include "engine/outbox_lag.h"
#include "engine/outbox_marks.h"
#include "engine/outbox_queue.h"
#include "store/store.h"

namespace stator::engine {

// A store in which outbox rows (outbox_row.h) lie beside the items and are not seen: scans pass over them. A commit that puts
// some marks its tables first, and hands them over to the queue when it is done. Everything else goes to the store as it is, which
// must live longer. All methods may be called from many threads.
class OutboxStore final : public store::Store {
 public:
  // `node` is unique among the nodes that ever run; the same one that the leases know.
  OutboxStore(store::Store& store, std::string node);

  // Numbers for outbox rows. They begin at a random place, so that no two nodes use the same for one item.
  [[nodiscard]] std::atomic<std::uint64_t>& numbers() { return numbers_; }
  [[nodiscard]] store::Store& with_outbox_rows() { return store_; }
  [[nodiscard]] OutboxMarks& marks() { return marks_; }
  [[nodiscard]] OutboxQueue& queue() { return queue_; }
  [[nodiscard]] OutboxLag& lag() { return lag_; }
  [[nodiscard]] OutboxDamage& damage() { return damage_; }
  // Whether writes with older revisions of a table that builds an index were shut out by this node.
  [[nodiscard]] bool fenced(TableId table, std::int64_t revision) const;
  void set_fenced(TableId table, std::int64_t revision);
  // Tables of nodes that are gone which this one has still to look through.
  [[nodiscard]] std::atomic<std::size_t>& unswept_tables() { return unswept_tables_; }

  base::Task<Result<store::Row>> get(std::string_view key, store::ReadMode mode) override {
    return store_.get(key, mode);
  }
  base::Task<Result<std::vector<store::Row>>> get_many(std::span<const std::string_view> keys,
                                                       store::ReadMode mode) override {
    return store_.get_many(keys, mode);
  }
  base::Task<Result<void>> scan(store::Range range, store::Direction direction, store::RowVisitor& visitor) override;
  base::Task<Result<void>> commit(const store::Batch& batch) override;
  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key, std::size_t count) override {
    return store_.counters(key, count);
  }
  base::Task<Result<void>> erase_range(store::Range range) override { return store_.erase_range(range); }
  [[nodiscard]] bool shared() const noexcept override { return store_.shared(); }
  base::Task<Result<void>> raise_fence(std::string_view space, std::uint64_t number) override {
    return store_.raise_fence(space, number);
  }
  base::Task<Result<void>> announce() override { return store_.announce(); }
  void listen(Listener listener) override { store_.listen(std::move(listener)); }
  Result<void> close() override { return store_.close(); }

 private:
  [[nodiscard]] base::Task<Result<void>> scan_items(store::Range range, store::Direction direction,
                                                    store::RowVisitor& visitor);
  [[nodiscard]] base::Task<Result<void>> commit_with_rows(const store::Batch& batch);

  store::Store& store_;
  std::atomic<std::uint64_t> numbers_;
  OutboxMarks marks_;
  OutboxQueue queue_;
  OutboxLag lag_;
  OutboxDamage damage_;
  std::atomic<std::size_t> unswept_tables_{0};
  mutable std::mutex mutex_;
  std::map<TableId, std::int64_t> fenced_;  // revisions; guarded by mutex_
};

}  // namespace stator::engine
