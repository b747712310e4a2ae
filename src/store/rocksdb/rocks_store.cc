#include "store/rocksdb/rocks_store.h"

#include <rocksdb/convenience.h>
#include <rocksdb/experimental.h>

#include "store/rocksdb/pinned_value.h"
#include "store/rocksdb/slice.h"
#include "store/rocksdb/status.h"

namespace stator::store {
namespace {

rocksdb::ReadOptions read_options(rocksdb::ReadTier tier) {
  rocksdb::ReadOptions options;
  options.read_tier = tier;
  return options;
}

}  // namespace

RocksStore::RocksStore(RocksHandles handles, const RocksOptions& options, CacheSizes caches)
    : handles_(std::move(handles)),
      sync_(options.durability == Durability::full),
      from_memory_(read_options(rocksdb::kBlockCacheTier)),
      from_disk_(read_options(rocksdb::kReadAllTier)),
      row_cache_({.bytes_max = caches.rows_bytes}),
      scan_cache_(caches.scans_bytes),
      readers_(std::max(1, options.read_threads)),
      queue_(*this, slots_, {.write_in_place = !sync_}) {}

RocksStore::~RocksStore() {
  // Whoever wants to know about errors has called close().
  static_cast<void>(close());
}

rocksdb::Status RocksStore::read_value(const rocksdb::ReadOptions& how, std::string_view key,
                                       Row& row) {
  PinnedValue::Pointer value = PinnedValue::take();
  const rocksdb::Status status = handles_.db->Get(how, handles_.rows, slice(key), &value->slice);
  row.exists = status.ok();
  row.value = status.ok() ? PinnedValue::to_bytes(std::move(value)) : Bytes();
  return status.IsNotFound() ? rocksdb::Status::OK() : status;
}

// The version must be one whose guard fails if the key is written after the value that is returned.
// A slot is raised when a write gets in line, the value changes when it is durable. So the version
// is the slot's, if the slot's last write was in RocksDB before the value was read (or is not one
// of this key) and no other came until after; that the slot is the same before and after proves the
// latter, because a write raises its slot before it reaches RocksDB.
rocksdb::Status RocksStore::read_row(const rocksdb::ReadOptions& how, std::string_view key,
                                     ReadMode mode, Row& row) {
  constexpr int kAttemptsMax = 8;
  const std::uint64_t hash = slots_.hash(key);
  row_cache_.prefetch(hash);
  for (int attempt = 1;; ++attempt) {
    Version before = slots_.load(hash);
    if (row_cache_.find(hash, key, before, row.value)) {
      row.exists = true;
      row.version = before;
      return rocksdb::Status::OK();
    }
    bool exact = before <= queue_.durable();
    if (!exact && mode == ReadMode::latest) {
      const CommitQueue::Pending pending = queue_.find_pending(key, hash, row);
      if (pending == CommitQueue::Pending::found) return rocksdb::Status::OK();
      before = row.version;
      exact = true;  // what is in line are other keys of the same slot, or other ranges
    }
    const rocksdb::Status status = read_value(how, key, row);
    if (!status.ok()) return status;
    if (exact && slots_.load(hash) == before) {
      row.version = before;
      if (row.exists) row_cache_.insert(hash, key, before, row.value.view());
      return status;
    }
    if (mode == ReadMode::committed || attempt == kAttemptsMax) {
      row.version = slots_.unmatched();
      return status;
    }
  }
}

base::Task<Result<Row>> RocksStore::get(std::string_view key, ReadMode mode) {
  Row row;
  const rocksdb::Status status = read_row(from_memory_, key, mode, row);
  if (status.ok()) [[likely]]
    return base::Task<Result<Row>>::ready(std::move(row));
  if (status.IsIncomplete()) return get_from_disk(key, mode);
  return base::Task<Result<Row>>::ready(tl::unexpected<Error>(to_error(status)));
}

base::Task<Result<Row>> RocksStore::get_from_disk(std::string_view key, ReadMode mode) {
  Row row;
  rocksdb::Status status;
  auto on_reader = readers_.run([&] { status = read_row(from_disk_, key, mode, row); });
  co_await on_reader;
  if (!status.ok()) co_return tl::unexpected<Error>(to_error(status));
  co_return std::move(row);
}

base::Task<Result<std::vector<Row>>> RocksStore::get_many(std::span<const std::string_view> keys,
                                                          ReadMode mode) {
  using Answer = base::Task<Result<std::vector<Row>>>;
  std::vector<Row> rows;
  rows.reserve(keys.size());
  for (const std::string_view key : keys) {
    const rocksdb::Status status = read_row(from_memory_, key, mode, rows.emplace_back());
    if (status.ok()) continue;
    if (!status.IsIncomplete()) return Answer::ready(tl::unexpected<Error>(to_error(status)));
    rows.pop_back();
    return get_many_from_disk(keys, mode, std::move(rows));
  }
  return Answer::ready(std::move(rows));
}

// Goes on behind the rows that were read already.
base::Task<Result<std::vector<Row>>> RocksStore::get_many_from_disk(
    std::span<const std::string_view> keys, ReadMode mode, std::vector<Row> rows) {
  rocksdb::Status status;
  auto on_reader = readers_.run([&] {
    while (status.ok() && rows.size() < keys.size()) {
      const std::string_view key = keys[rows.size()];
      status = read_row(from_disk_, key, mode, rows.emplace_back());
    }
  });
  co_await on_reader;
  if (!status.ok()) co_return tl::unexpected<Error>(to_error(status));
  co_return std::move(rows);
}

base::Task<Result<std::vector<std::int64_t>>> RocksStore::counters(std::string_view key,
                                                                   std::size_t count) {
  using Answer = base::Task<Result<std::vector<std::int64_t>>>;
  std::string row;
  const rocksdb::Status status =
      handles_.db->Get(from_memory_, handles_.counters, slice(key), &row);
  if (status.IsIncomplete()) return counters_from_disk(key, count);
  if (!status.ok() && !status.IsNotFound()) {
    return Answer::ready(tl::unexpected<Error>(to_error(status)));
  }
  return Answer::ready(decode_counters(row, count));
}

base::Task<Result<std::vector<std::int64_t>>> RocksStore::counters_from_disk(std::string_view key,
                                                                             std::size_t count) {
  std::string row;
  rocksdb::Status status;
  auto on_reader = readers_.run(
      [&] { status = handles_.db->Get(from_disk_, handles_.counters, slice(key), &row); });
  co_await on_reader;
  if (!status.ok() && !status.IsNotFound()) co_return tl::unexpected<Error>(to_error(status));
  co_return decode_counters(row, count);
}

base::Task<Result<void>> RocksStore::commit(const Batch& batch) { return queue_.commit(batch); }

base::Task<Result<void>> RocksStore::erase_range(Range range) {
  if (!range.to.empty() && range.to <= range.from) co_return Result<void>();
  std::string end;
  if (range.to.empty()) {
    // RocksDB wants an end: the successor of the last key.
    Result<std::string> last = std::string();
    auto on_reader = readers_.run([&] { last = end_of_map(); });
    co_await on_reader;
    CO_TRY(end, std::move(last));
    range.to = end;
    if (range.to <= range.from) co_return Result<void>();
  }
  auto erased = queue_.erase_range(range);
  CO_TRY_VOID(co_await erased);
  // The rows are gone for readers. Whole files of them can go at once; the rest is given to
  // compaction, because reads near a range tombstone are slower until it has been there.
  auto on_reader = readers_.run([&] {
    const rocksdb::Slice from = slice(range.from);
    const rocksdb::Slice to = slice(range.to);
    for (rocksdb::ColumnFamilyHandle* family : {handles_.rows, handles_.counters}) {
      static_cast<void>(rocksdb::DeleteFilesInRange(handles_.db.get(), family, &from, &to, false));
      static_cast<void>(
          rocksdb::experimental::SuggestCompactRange(handles_.db.get(), family, &from, &to));
    }
  });
  co_await on_reader;
  co_return Result<void>();
}

// The least key that is greater than all keys in use; empty when there are none.
Result<std::string> RocksStore::end_of_map() {
  std::string end;
  for (rocksdb::ColumnFamilyHandle* family : {handles_.rows, handles_.counters}) {
    const std::unique_ptr<rocksdb::Iterator> last(handles_.db->NewIterator(from_disk_, family));
    last->SeekToLast();
    TRY_VOID(to_result(last->status()));
    if (last->Valid()) end = std::max(end, last->key().ToString() + '\0');
  }
  return end;
}

Result<void> RocksStore::write(std::span<const CommitRequest> group, bool may_wait) {
  if (!compacting_) {
    TRY_VOID(to_result(handles_.db->EnableAutoCompaction({handles_.rows, handles_.counters})));
    compacting_ = true;
  }
  write_batch_.Clear();
  delta_sums_.clear();
  for (const CommitRequest& request : group) {
    if (request.erase_range != nullptr) {
      TRY_VOID(write_sums());  // what was added before is erased too
      scan_cache_.will_erase_range();
      for (rocksdb::ColumnFamilyHandle* family : {handles_.rows, handles_.counters}) {
        TRY_VOID(to_result(write_batch_.DeleteRange(family, slice(request.erase_range->from),
                                                    slice(request.erase_range->to))));
      }
      continue;
    }
    for (const Write& put : request.batch->puts) {
      scan_cache_.will_write(put.key);
      TRY_VOID(to_result(write_batch_.Put(handles_.rows, slice(put.key), slice(put.value))));
    }
    for (const std::string_view key : request.batch->erases) {
      scan_cache_.will_write(key);
      TRY_VOID(to_result(write_batch_.Delete(handles_.rows, slice(key))));
    }
    for (const Append& append : request.batch->appends) TRY_VOID(append_row(append));
    for (const Add& add : request.batch->adds) delta_sums_.add(add);
  }
  TRY_VOID(write_sums());
  rocksdb::WriteOptions options;
  options.sync = sync_;
  options.no_slowdown = !may_wait;
  const rocksdb::Status status = handles_.db->Write(options, &write_batch_);
  const bool behind = !may_wait && status.IsIncomplete();
  if (!behind) scan_cache_.written(status.ok());
  if (behind) return fail(ErrorCode::throttled, "the disk is behind");
  if (status.ok()) handles_.logs->acknowledge(group.size());
  return to_result(status);
}

// One merge for each counter row, whatever the number of commits that added to it.
Result<void> RocksStore::write_sums() {
  for (const auto& [key, sums] : delta_sums_.sums()) {
    TRY_VOID(to_result(write_batch_.Merge(handles_.counters, slice(key), encode_counters(sums))));
  }
  delta_sums_.clear();
  return {};
}

// The position of an appended row is the sequence number that RocksDB gives to it, since nothing
// but the committer writes: it grows across restarts without being stored anywhere.
Result<void> RocksStore::append_row(const Append& append) {
  const std::uint64_t position = handles_.db->GetLatestSequenceNumber() + write_batch_.Count() + 1;
  const std::string key = log_key(append.prefix, position);
  scan_cache_.will_write(key);
  return to_result(write_batch_.Put(handles_.rows, key, slice(append.value)));
}

Result<void> RocksStore::recover() {
  // Busy means that RocksDB is healing its background work at this moment.
  const rocksdb::Status resumed = handles_.db->Resume();
  if (resumed.IsBusy())
    return fail(ErrorCode::out_of_space, "the disk was full and is being recovered");
  TRY_VOID(to_result(resumed));
  // What was acknowledged goes into new files, and the log with the half of a failed group is given
  // up.
  rocksdb::FlushOptions flush;
  TRY_VOID(to_result(handles_.db->Flush(flush, {handles_.rows, handles_.counters})));
  scan_cache_.recovered();
  return {};
}

Result<void> RocksStore::close() {
  if (handles_.db == nullptr) return {};
  queue_.close();
  readers_.close();
  // With nothing left in the log the next start has nothing to replay.
  rocksdb::FlushOptions flush;
  rocksdb::Status status = handles_.db->Flush(flush, {handles_.rows, handles_.counters});
  for (rocksdb::ColumnFamilyHandle* family : {handles_.rows, handles_.counters}) {
    const rocksdb::Status destroyed = handles_.db->DestroyColumnFamilyHandle(family);
    if (status.ok()) status = destroyed;
  }
  const rocksdb::Status closed = handles_.db->Close();
  if (status.ok()) status = closed;
  handles_.db.reset();
  return to_result(status);
}

}  // namespace stator::store
