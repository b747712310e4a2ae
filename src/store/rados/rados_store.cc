#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

// What the cluster has not answered when a store closes gets so much more time.
constexpr std::chrono::milliseconds kClosingGrace{2000};

ReadRequest request_for_rows(const std::vector<std::string_view>& keys) {
  ReadRequest request;
  request.keys = {kHeaderKey, kFloorKey};
  for (const std::string_view key : keys) {
    request.keys.push_back(row_key(key));
    request.keys.push_back(tombstone_key(key));
    request.keys.push_back(intent_key(key));
  }
  return request;
}

// The row as it is without the intent on it, if there is one.
Result<Row> stored_row(const Reply& reply, std::string_view key) {
  Row row;
  const std::string& stored = reply.value(row_key(key));
  if (!stored.empty()) {
    TRY(const StoredRow found, decode_row(stored));
    row.exists = true;
    row.version = make_version(VersionOf::row, found.version);
    row.value = Bytes::copy_of(found.value);
    return row;
  }
  const std::string& tombstone = reply.value(tombstone_key(key));
  row.version = tombstone.empty()
                    ? make_version(VersionOf::floor, decode_number(reply.value(kFloorKey)))
                    : make_version(VersionOf::tombstone, decode_number(tombstone));
  return row;
}

// The row as the intent makes it.
Row intended_row(const Intent& intent) {
  Row row;
  row.exists = intent.action != Action::erase;
  row.version =
      make_version(row.exists ? VersionOf::row : VersionOf::tombstone, intent.transaction);
  if (row.exists) row.value = Bytes::copy_of(intent.value);
  return row;
}

}  // namespace

RadosStore::RadosStore(std::unique_ptr<Cluster> cluster, Instance instance,
                       const RadosOptions& options)
    : options_(options),
      instance_(instance),
      cluster_(std::move(cluster)),
      map_(*cluster_, worker_, instance, options.timeout) {}

RadosStore::~RadosStore() { static_cast<void>(close()); }

Result<void> RadosStore::close() {
  if (closed_.exchange(true)) return {};
  cluster_->hasten(kClosingGrace);
  cluster_->unwatch();
  worker_.close();
  return {};
}

Stamp RadosStore::next_stamp() {
  return Stamp{instance_} << kInstanceShift |
         (counter_.fetch_add(1, std::memory_order_relaxed) + 1);
}

base::Task<Result<Row>> RadosStore::get(std::string_view key, ReadMode mode) {
  const LeafPointer leaf = map_.find(key);
  if (mode == ReadMode::latest) {
    std::optional<Row> in_line = leaf->find_in_line(key);
    if (in_line) co_return std::move(*in_line);
  }
  auto operation = cluster_->read(leaf->object(), request_for_rows({key}));
  Reply reply = co_await operation;
  auto read = read_row(key, std::move(reply), leaf);
  Result<Row> row = co_await read;
  if (mode == ReadMode::latest) {
    // A write that got in line meanwhile is newer; a guard on what was read would not hold.
    std::optional<Row> in_line = map_.find(key)->find_in_line(key);
    if (in_line) co_return std::move(*in_line);
  }
  co_return std::move(row);
}

base::Task<Result<Reply::Entries>> RadosStore::read_entries(LeafPointer leaf, std::string after,
                                                            std::string prefix,
                                                            std::uint64_t entries_max) {
  ReadRequest request;
  request.ranges = {{std::move(after), std::move(prefix), entries_max}};
  auto operation = cluster_->read(leaf->object(), request);
  Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
  co_return std::move(reply.ranges[0]);
}

// What the row is, from what was read of the leaf that was thought to have it; reads on where that
// is not enough.
base::Task<Result<Row>> RadosStore::read_row(std::string_view key, Reply reply, LeafPointer leaf) {
  Stamp undecided = 0;  // the transaction that had no record after its intent was seen
  const Deadline until = deadline();
  for (;;) {
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
    CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
    leaf->note(header);
    if (header.covers(key)) {
      const std::string& locked = reply.value(intent_key(key));
      if (locked.empty()) co_return stored_row(reply, key);
      CO_TRY(const Intent intent, decode_intent(locked));
      if (intent.transaction == undecided) co_return stored_row(reply, key);
      auto looked_up = look_up(intent.transaction, intent.home);
      CO_TRY(Verdict verdict, co_await looked_up);
      if (verdict.fate == Fate::committed) {
        worker_.spawn(finish(intent.transaction, intent.home, std::move(verdict.keys)));
        if (intent.action == Action::keep) co_return stored_row(reply, key);
        co_return intended_row(intent);
      }
      // Not committed, if the intent is still there when looked at again: else its record may be
      // gone already.
      undecided = intent.transaction;
    }
    if (std::chrono::steady_clock::now() > until) {
      co_return fail(ErrorCode::unavailable,
                     "a row could not be read in time: the cluster is changing too fast");
    }
    leaf = map_.find(key);
    auto operation = cluster_->read(leaf->object(), request_for_rows({key}));
    reply = co_await operation;
  }
}

base::Task<Result<std::vector<Row>>> RadosStore::get_many(std::span<const std::string_view> keys,
                                                          ReadMode mode) {
  std::vector<Row> rows(keys.size());
  struct LeafRead {
    LeafPointer leaf;
    std::vector<std::size_t> places;
    std::vector<std::string_view> keys;
    std::optional<Operation> operation;
  };
  std::map<LeafNumber, LeafRead> reads;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const LeafPointer leaf = map_.find(keys[i]);
    if (mode == ReadMode::latest) {
      std::optional<Row> in_line = leaf->find_in_line(keys[i]);
      if (in_line) {
        rows[i] = std::move(*in_line);
        continue;
      }
    }
    LeafRead& read = reads[leaf->number()];
    read.leaf = leaf;
    read.places.push_back(i);
    read.keys.push_back(keys[i]);
  }
  for (auto& [number, read] : reads) {
    read.operation.emplace(cluster_->read(read.leaf->object(), request_for_rows(read.keys)));
  }
  for (auto& [number, read] : reads) {
    const Reply reply = co_await *read.operation;
    for (std::size_t i = 0; i < read.keys.size(); ++i) {
      auto row = read_row(read.keys[i], reply, read.leaf);
      CO_TRY(rows[read.places[i]], co_await row);
    }
  }
  co_return std::move(rows);
}

}  // namespace stator::store::rados
