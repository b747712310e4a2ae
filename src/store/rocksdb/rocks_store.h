#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <string>
#include <vector>

#include "store/open.h"
#include "store/rocksdb/commit_queue.h"
#include "store/rocksdb/counters.h"
#include "store/rocksdb/log_recorder.h"
#include "store/rocksdb/read_pool.h"
#include "store/rocksdb/row_cache.h"
#include "store/rocksdb/scan_cache.h"
#include "store/version_slots.h"

namespace stator::store {

// An open database: rows in one column family, counters in another, so that a scan never meets a
// counter.
struct RocksHandles {
  std::unique_ptr<rocksdb::Env> env;  // of db
  std::shared_ptr<LogRecorder> logs;  // of env
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::ColumnFamilyHandle* rows = nullptr;  // destroyed before db, by RocksStore
  rocksdb::ColumnFamilyHandle* counters = nullptr;
};

// The store on one local disk. Reads try the row cache, then RocksDB on the caller's thread as long
// as everything is in memory, and a reader thread otherwise; commits go through a CommitQueue,
// whose groups become one RocksDB write each.
class RocksStore final : public Store, private CommitSink {
 public:
  struct CacheSizes {
    std::size_t rows_bytes;
    std::size_t scans_bytes;
  };
  RocksStore(RocksHandles handles, const RocksOptions& options, CacheSizes caches);
  ~RocksStore() override;

  base::Task<Result<Row>> get(std::string_view key, ReadMode mode) override;
  base::Task<Result<std::vector<Row>>> get_many(std::span<const std::string_view> keys,
                                                ReadMode mode) override;
  base::Task<Result<std::vector<KeyedRow>>> get_range(Range range, std::size_t count_max) override;
  base::Task<Result<void>> scan(Range range, Direction direction, RowVisitor& visitor) override;
  base::Task<Result<void>> commit(const Batch& batch) override;
  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key,
                                                         std::size_t count) override;
  base::Task<Result<void>> erase_range(Range range) override;
  Result<void> close() override;

  [[nodiscard]] CommitQueue::Statistics statistics() const { return queue_.statistics(); }

 private:
  struct ReleaseSnapshot {
    rocksdb::DB* db;
    void operator()(const rocksdb::Snapshot* snapshot) const { db->ReleaseSnapshot(snapshot); }
  };
  // Where a scan is, so that it can go on elsewhere.
  struct ScanState {
    Range range;
    Direction direction;
    RowVisitor& visitor;
    std::unique_ptr<const rocksdb::Snapshot, ReleaseSnapshot> snapshot;
    std::string last_key;  // of the last visited row, if any
    bool started = false;
    ScanPieceBuilder* piece = nullptr;  // gets the visited rows too, on the first thread
    bool complete = false;              // the range has no more rows
  };

  Result<void> write(std::span<const CommitRequest> group, bool may_wait) override;
  void has_put(std::uint64_t hash, std::string_view key, Version version,
               std::string_view value) noexcept override {
    row_cache_.refresh(hash, key, version, value);
  }
  Result<void> recover() override;
  [[nodiscard]] Result<void> append_row(const Append& append);
  [[nodiscard]] Result<void> write_sums();

  [[nodiscard]] rocksdb::Status read_value(const rocksdb::ReadOptions& how, std::string_view key,
                                           Row& row);
  [[nodiscard]] rocksdb::Status read_row(const rocksdb::ReadOptions& how, std::string_view key,
                                         ReadMode mode, Row& row);
  [[nodiscard]] rocksdb::Status read_range(const rocksdb::ReadOptions& how, Range range, std::size_t count_max,
                                           std::vector<KeyedRow>& rows);
  [[nodiscard]] rocksdb::Status scan_rows(const rocksdb::ReadOptions& how, ScanState& state);
  base::Task<Result<void>> scan_rocksdb(ScanState state, const ScanCache::Place& place);
  [[nodiscard]] ScanState start_scan(Range range, Direction direction, RowVisitor& visitor);
  [[nodiscard]] Result<std::string> end_of_map();

  base::Task<Result<Row>> get_from_disk(std::string_view key, ReadMode mode);
  base::Task<Result<std::vector<Row>>> get_many_from_disk(std::span<const std::string_view> keys,
                                                          ReadMode mode, std::vector<Row> rows);
  base::Task<Result<void>> scan_from_disk(ScanState state);
  base::Task<Result<std::vector<std::int64_t>>> counters_from_disk(std::string_view key,
                                                                   std::size_t count);

  RocksHandles handles_;
  const bool sync_;
  const rocksdb::ReadOptions from_memory_;
  const rocksdb::ReadOptions from_disk_;
  VersionSlots slots_;
  RowCache row_cache_;
  ScanCache scan_cache_;
  ReadPool readers_;

  // Of whoever writes for the queue.
  bool compacting_ = false;
  rocksdb::WriteBatch write_batch_;
  DeltaSums delta_sums_;

  CommitQueue queue_;  // last: its thread uses all of the above
};

}  // namespace stator::store
