// Scans of the store on a local disk: the cache of short ranges first, then RocksDB.

#include "store/rocksdb/rocks_store.h"
#include "store/rocksdb/slice.h"
#include "store/rocksdb/status.h"

namespace stator::store {

// The snapshot is for a scan that has to go on elsewhere: it must go on in the same state (S5).
RocksStore::ScanState RocksStore::start_scan(Range range, Direction direction,
                                             RowVisitor& visitor) {
  rocksdb::DB* db = handles_.db.get();
  return {range, direction, visitor, {db->GetSnapshot(), {db}}, {}, false};
}

base::Task<Result<void>> RocksStore::scan(Range range, Direction direction, RowVisitor& visitor) {
  using Answer = base::Task<Result<void>>;
  if (!range.to.empty() && range.to <= range.from) return Answer::ready({});
  const std::uint8_t digest_kind = visitor.digest_kind();
  const ScanCache::Place place = scan_cache_.place(range, direction, digest_kind);
  Bytes cached;
  if (!place.cacheable() || !scan_cache_.find(place, cached)) {
    return scan_rocksdb(start_scan(range, direction, visitor), place);
  }
  if (digest_kind != 0) {
    if (visitor.take_digest(cached.view())) return Answer::ready({});
    return scan_rocksdb(start_scan(range, direction, visitor), {});
  }
  ScanPiece piece(cached.view());
  std::optional<ScanState> rest;
  if (!piece.complete()) {
    // If the piece does not last, RocksDB goes on; in the same state, or the piece is not used.
    rest.emplace(start_scan(range, direction, visitor));
    if (!scan_cache_.is_current(place)) return scan_rocksdb(std::move(*rest), {});
  }
  std::string_view key;
  std::string_view value;
  while (piece.next(key, value)) {
    if (visitor.row(key, value) == Visit::stop) return Answer::ready({});
  }
  if (!rest) return Answer::ready({});
  rest->last_key = key;
  rest->started = true;
  return scan_rocksdb(std::move(*rest), {});
}

base::Task<Result<void>> RocksStore::scan_rocksdb(ScanState state,
                                                  const ScanCache::Place& place) {
  const bool wanted = place.cacheable() && scan_cache_.wanted(place);
  const bool makes_digest = state.visitor.digest_kind() != 0;
  std::optional<ScanPieceBuilder> piece;
  if (wanted && !makes_digest) state.piece = &piece.emplace();
  const rocksdb::Status status = scan_rows(from_memory_, state);
  state.piece = nullptr;
  if (status.IsIncomplete()) return scan_from_disk(std::move(state));
  if (status.ok() && piece) {
    if (const auto rows = piece->finish(state.complete)) scan_cache_.insert(place, *rows);
  } else if (status.ok() && wanted && state.complete) {
    const std::string_view digest = state.visitor.make_digest(ScanCache::kPieceBytesMax);
    if (!digest.empty()) scan_cache_.insert(place, digest);
  }
  return base::Task<Result<void>>::ready(to_result(status));
}

base::Task<Result<void>> RocksStore::scan_from_disk(ScanState state) {
  rocksdb::Status status;
  auto on_reader = readers_.run([&] { status = scan_rows(from_disk_, state); });
  co_await on_reader;
  co_return to_result(status);
}

base::Task<Result<std::vector<KeyedRow>>> RocksStore::get_range(Range range, std::size_t count_max) {
  std::vector<KeyedRow> rows;
  if (!range.to.empty() && range.to <= range.from) co_return rows;
  // What passes through a whole table finds little of it in memory, and does not leave it there.
  rocksdb::Status status = rocksdb::Status::Incomplete();
  if (!base::Executor::thread_may_block()) status = read_range(from_memory_, range, count_max, rows);
  if (status.IsIncomplete()) {
    rocksdb::ReadOptions from_disk = from_disk_;
    from_disk.fill_cache = false;
    auto on_reader = readers_.run([&] { status = read_range(from_disk, range, count_max, rows); });
    co_await on_reader;
  }
  if (!status.ok()) co_return tl::unexpected<Error>(to_error(status));
  co_return rows;
}

// A slot is raised before its write reaches RocksDB. So where it holds a number that was settled before the rows were looked at,
// they have that write and no later one, and the number is their version. Others, which are few, are read by themselves.
rocksdb::Status RocksStore::read_range(const rocksdb::ReadOptions& how, Range range, std::size_t count_max,
                                       std::vector<KeyedRow>& rows) {
  rows.clear();
  const Version settled = queue_.durable();
  const rocksdb::Slice lower = slice(range.from);
  const rocksdb::Slice upper = slice(range.to);
  rocksdb::ReadOptions options = how;
  options.iterate_lower_bound = &lower;
  if (!range.to.empty()) options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> row(handles_.db->NewIterator(options, handles_.rows));
  for (row->SeekToFirst(); row->Valid() && rows.size() < count_max; row->Next()) {
    const rocksdb::Slice value = row->value();
    rows.push_back({row->key().ToString(), {true, 0, Bytes::copy_of({value.data(), value.size()})}});
  }
  if (!row->status().ok()) return row->status();
  for (KeyedRow& found : rows) {
    found.row.version = slots_.load(slots_.hash(found.key));
    if (found.row.version <= settled) continue;
    const rocksdb::Status status = read_row(how, found.key, ReadMode::latest, found.row);
    if (!status.ok()) return status;
  }
  return rocksdb::Status::OK();
}

rocksdb::Status RocksStore::scan_rows(const rocksdb::ReadOptions& how, ScanState& state) {
  const bool ascending = state.direction == Direction::ascending;
  // A scan that goes on starts behind the last visited key: bounds are [lower, upper).
  std::string after_last;
  rocksdb::Slice lower = slice(state.range.from);
  rocksdb::Slice upper = slice(state.range.to);
  if (state.started && ascending) {
    after_last = state.last_key + '\0';
    lower = after_last;
  } else if (state.started) {
    after_last = state.last_key;
    upper = after_last;
  }

  rocksdb::ReadOptions options = how;
  options.snapshot = state.snapshot.get();
  options.iterate_lower_bound = &lower;
  if (!upper.empty()) options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> row(handles_.db->NewIterator(options, handles_.rows));
  ascending ? row->SeekToFirst() : row->SeekToLast();  // within the bounds
  while (row->Valid()) {
    const rocksdb::Slice key = row->key();
    const rocksdb::Slice value = row->value();
    const std::string_view value_bytes(value.data(), value.size());
    if (state.piece != nullptr) state.piece->add({key.data(), key.size()}, value_bytes);
    const Visit visit = state.visitor.row({key.data(), key.size()}, value_bytes);
    if (visit == Visit::stop) return rocksdb::Status::OK();
    state.last_key.assign(key.data(), key.size());
    state.started = true;
    ascending ? row->Next() : row->Prev();
  }
  state.complete = true;
  return row->status();
}

}  // namespace stator::store
