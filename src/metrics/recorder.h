#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/counters.h"

namespace stator::metrics {

// A table as the hot path knows it. The name is copied when a thread sees the table for the first time.
struct TableRef {
  std::uint32_t id = 0;
  std::string_view name;
};
struct IndexRef {
  std::uint8_t id = 0;
  std::string_view name;
};

// Counters of one thread. Only that thread records; once it has seen a table and an operation, recording takes no lock
// and allocates nothing. The collector reads from its own thread.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The counters of a table. The reference is valid until the next call, and for whoever holds it (TableCounters::holders).
  [[nodiscard]] TableCounters& table(TableRef table);

  static void consumed(TableCounters& table, Units units, std::int64_t half_units) {
    table.capacity.consumed[static_cast<std::size_t>(units)].add(half_units);
  }
  void consumed(TableCounters& table, IndexRef index, Units units, std::int64_t half_units) {
    index_of(table, index).consumed[static_cast<std::size_t>(units)].add(half_units);
  }
  // One throttled (or, while only observing, would-be throttled) access of a table.
  void throttled(TableRef table_ref, Units units, ThrottleReason reason) {
    table(table_ref).capacity.throttled[static_cast<std::size_t>(units)][static_cast<std::size_t>(reason)].add(1);
  }
  void throttled(TableRef table_ref, IndexRef index, Units units, ThrottleReason reason) {
    index_of(table(table_ref), index).throttled[static_cast<std::size_t>(units)][static_cast<std::size_t>(reason)].add(1);
  }
  [[nodiscard]] OperationCounters& operation(TableCounters& table, Operation operation);
  [[nodiscard]] StreamCounters& stream(TableCounters& table, std::string_view label);
  void ttl_deleted(TableRef table_ref, std::int64_t items) { table(table_ref).ttl_deleted_items.add(items); }
  void user_error() { user_errors_.add(1); }
  [[nodiscard]] std::size_t tables() const { return tables_.size(); }  // with counters, for the owner

 private:
  friend class Collector;
  [[nodiscard]] CapacityCounters& index_of(TableCounters& table, IndexRef index);
  void free_idle();

  // Guards the shape: which tables there are and which parts they have. Taken by the owner when it adds something, by the
  // collector while it reads; the owner reads the shape without it, since nobody else changes it.
  std::mutex shape_;
  std::unordered_map<std::uint32_t, std::unique_ptr<TableCounters>> tables_;
  bool sweep_ = false;  // set by the collector under the lock: there are idle tables
  Counter user_errors_;
};

// The recorders of all threads. Owned by the server, outlives every thread that records.
class Hub {
 public:
  // The recorder of the calling thread; made, and kept until the hub goes, when it is first asked for.
  [[nodiscard]] Recorder& local();

 private:
  friend class Collector;
  [[nodiscard]] Recorder& add_local();
  static inline std::atomic<std::uint64_t> last_identity_{0};
  // Tells this hub from one that was at its address before, whose recorder a thread may still remember.
  const std::uint64_t identity_ = ++last_identity_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Recorder>> recorders_;  // guarded by mutex_
};

}  // namespace stator::metrics
