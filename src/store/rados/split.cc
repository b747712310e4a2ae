// Splits. Each step can be done by any node, again, and late; see "A split" in
// docs/design/rados.md.

#include <algorithm>

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kPageRows = 500;
constexpr std::chrono::milliseconds kPoll{5};
constexpr int kPollsBeforeHelping = 60;
constexpr std::uint64_t kTombstonesMax = 5'000;
const std::string kClosed = encode_number(0);  // the epoch of a leaf that is being filled

std::uint64_t size_in_twin(const std::string& stored) {
  return decode_number(std::string(4, '\0') + stored);
}

}  // namespace

struct RadosStore::Measure {
  std::uint64_t bytes = 0;
  std::uint64_t tombstones = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rows;  // keys and sizes, descending
  std::vector<std::pair<Stamp, std::vector<std::string>>> records;

  // The key at which about half of the bytes are below; empty when there are not two rows.
  [[nodiscard]] std::string middle() const {
    if (rows.size() < 2) return {};
    std::uint64_t above = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      above += rows[i].second;
      if (above >= bytes / 2) return rows[i].first;
    }
    return rows[rows.size() - 2].first;
  }
};

void RadosStore::measure_if_due(const LeafPointer& leaf) {
  if (leaf->take_measuring_due(options_.measure_after_rows, options_.measure_after_bytes) &&
      !worker_.closing()) {
    worker_.spawn(measure_and_split(leaf, false));
  }
}

base::Task<Result<void>> RadosStore::split_leaf_of(std::string_view key) {
  auto split = measure_and_split(map_.find(key), true);
  co_return co_await split;
}

base::Task<Result<void>> RadosStore::read_header(LeafPointer leaf) {
  ReadRequest request;
  request.keys = {kHeaderKey};
  auto operation = cluster_->read(leaf->object(), request);
  const Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
  CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
  leaf->note(header);
  co_return Result<void>();
}

base::Task<Result<RadosStore::Measure>> RadosStore::measure(LeafPointer leaf) {
  Measure measure;
  for (const char kind : {'d', 'x', 't'}) {
    std::string after(1, kind);
    for (bool more = true; more;) {
      ReadRequest request;
      request.ranges = {{after, std::string(1, kind), 1000}};
      auto operation = cluster_->read(leaf->object(), request);
      const Reply reply = co_await operation;
      if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
      more = reply.ranges[0].more;
      for (const auto& [key, stored] : reply.ranges[0].entries) {
        after = key;
        if (kind == 'd') {
          measure.rows.emplace_back(key_of_twin(key), size_in_twin(stored));
          measure.bytes += measure.rows.back().second;
        } else if (kind == 'x') {
          ++measure.tombstones;
        } else {
          CO_TRY(std::vector<std::string> keys, decode_keys(stored));
          measure.records.emplace_back(decode_number(std::string_view(key).substr(1)),
                                       std::move(keys));
        }
      }
    }
  }
  co_return std::move(measure);
}

base::Task<Result<void>> RadosStore::measure_and_split(LeafPointer leaf, bool force) {
  auto measured = measure(leaf);
  CO_TRY(Measure size, co_await measured);
  for (auto& [transaction, keys] :
       size.records) {  // of nodes that died; finishing a living one's is no harm
    auto finished = finish(transaction, leaf->number(), std::move(keys));
    CO_TRY_VOID(co_await finished);
  }
  if (size.tombstones > kTombstonesMax) {
    LeafCommit commit;
    commit.stamp = next_stamp();
    commit.whole_leaf = true;
    commit.removed_ranges.emplace_back("x", end_of_kind('x'));
    commit.sets.emplace_back(kFloorKey, encode_number(commit.stamp));
    leaf->start(commit);
    co_await leaf->wait(commit);
  }
  const bool large =
      size.bytes > options_.leaf_bytes_max || size.rows.size() > options_.leaf_rows_max;
  std::string at = size.middle();
  if ((!large && !force) || at.empty()) co_return Result<void>();
  auto begun = begin_split(leaf, std::move(at));
  CO_TRY_VOID(co_await begun);
  auto continued = continue_split(leaf);
  co_return co_await continued;
}

// 1. Freeze. Does nothing when someone was faster.
base::Task<Result<void>> RadosStore::begin_split(LeafPointer leaf, std::string at) {
  auto read = read_header(leaf);
  CO_TRY_VOID(co_await read);
  Header header = *leaf->header();
  if (header.split || !header.covers(at) || at == header.from) co_return Result<void>();
  WriteRequest request;
  request.comparisons.push_back({kEpochKey, Compare::equal, encode_number(header.epoch)});
  ++header.epoch;
  header.split = Split{std::move(at), next_stamp()};
  request.set.emplace(kEpochKey, encode_number(header.epoch));
  request.set.emplace(kHeaderKey, encode_header(header));
  auto operation = cluster_->write(leaf->object(), request);
  const Reply reply = co_await operation;
  if (reply.status < 0 && reply.status != -ECANCELED)
    co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
  co_return Result<void>();
}

// Steps 2 to 5, from whatever others have done of them.
base::Task<Result<void>> RadosStore::continue_split(LeafPointer leaf) {
  ReadRequest request;
  request.keys = {kHeaderKey, kFloorKey};
  auto read = cluster_->read(leaf->object(), request);
  const Reply frozen = co_await read;
  if (frozen.status < 0) co_return tl::unexpected<Error>(to_error(frozen.status, leaf->object()));
  CO_TRY(const Header header, decode_header(frozen.value(kHeaderKey)));
  leaf->note(header);
  if (!header.split) co_return Result<void>();
  if (stop_here(Step::split_frozen))
    co_return fail(ErrorCode::unavailable, "stopped by a test in a split");
  const Split& split = *header.split;
  const std::string right = Leaf::object_name(split.leaf);

  Header opened{1, header.right, split.at, header.to, std::nullopt};
  WriteRequest creation;
  creation.create_exclusive = true;
  creation.set.emplace(kEpochKey, kClosed);
  creation.set.emplace(kFloorKey, frozen.value(kFloorKey));
  auto created = cluster_->write(right, creation);
  const Reply creation_reply = co_await created;
  if (creation_reply.status < 0 && creation_reply.status != -EEXIST) {
    co_return tl::unexpected<Error>(to_error(creation_reply.status, right));
  }
  auto copied = copy_upper_part(leaf, header);
  CO_TRY_VOID(co_await copied);
  auto counters_copied = copy_counters(leaf, header);
  CO_TRY_VOID(co_await counters_copied);
  if (stop_here(Step::split_copied))
    co_return fail(ErrorCode::unavailable, "stopped by a test in a split");

  // 3. Open, with a position that is not below any that was given out before the freeze.
  ReadRequest position_request;
  position_request.keys = {kPositionKey, kEpochKey};
  auto position_read = cluster_->read(leaf->object(), position_request);
  const Reply position = co_await position_read;
  if (position.status < 0)
    co_return tl::unexpected<Error>(to_error(position.status, leaf->object()));
  WriteRequest opening;
  opening.comparisons.push_back({kEpochKey, Compare::equal, kClosed});
  opening.set.emplace(kEpochKey, encode_number(opened.epoch));
  opening.set.emplace(kHeaderKey, encode_header(opened));
  if (!position.value(kPositionKey).empty())
    opening.set.emplace(kPositionKey, position.value(kPositionKey));
  // Only what was copied from a frozen leaf is complete; if it is not frozen any more, someone has
  // opened already.
  if (position.value(kEpochKey) == encode_number(header.epoch)) {
    auto opened_now = cluster_->write(right, opening);
    const Reply reply = co_await opened_now;
    if (reply.status < 0 && reply.status != -ECANCELED)
      co_return tl::unexpected<Error>(to_error(reply.status, right));
  }
  if (stop_here(Step::split_opened))
    co_return fail(ErrorCode::unavailable, "stopped by a test in a split");

  // 4. Switch.
  Header left{header.epoch + 1, split.leaf, header.from, split.at, std::nullopt};
  WriteRequest switching;
  switching.comparisons.push_back({kEpochKey, Compare::equal, encode_number(header.epoch)});
  switching.removed_ranges = {{row_key(split.at), end_of_kind('r')},
                              {tombstone_key(split.at), end_of_kind('x')},
                              {intent_key(split.at), end_of_kind('i')},
                              {"d", twin_key(split.at) + '\0'},
                              {counters_from('p', split.at), end_of_kind('p')}};
  switching.set.emplace(kEpochKey, encode_number(left.epoch));
  switching.set.emplace(kHeaderKey, encode_header(left));
  auto switched = cluster_->write(leaf->object(), switching);
  const Reply switch_reply = co_await switched;
  if (switch_reply.status < 0 && switch_reply.status != -ECANCELED) {
    co_return tl::unexpected<Error>(to_error(switch_reply.status, leaf->object()));
  }
  if (stop_here(Step::split_switched))
    co_return fail(ErrorCode::unavailable, "stopped by a test in a split");
  auto read_again = read_header(leaf);
  CO_TRY_VOID(co_await read_again);

  // 5. The map. A leaf is never removed, so this is true for ever.
  WriteRequest entry;
  entry.set.emplace(map_key(split.at), encode_number(split.leaf));
  auto entered = cluster_->write(kMapObject, entry);
  const Reply map_reply = co_await entered;
  if (map_reply.status < 0) co_return tl::unexpected<Error>(to_error(map_reply.status, kMapObject));
  co_return Result<void>();
}

// 2. Copy. Everyone copies the same bytes, and nobody can after the new leaf was opened.
base::Task<Result<void>> RadosStore::copy_upper_part(LeafPointer leaf, const Header& header) {
  const std::string right = Leaf::object_name(header.split->leaf);
  for (const char kind : {'s', 'r', 'i', 'x'}) {
    std::string after(1, kind);
    if (kind != 's') after += header.split->at;  // fences are not of a range
    for (bool more = true; more;) {
      ReadRequest request;
      request.ranges = {{after, std::string(1, kind), kPageRows}};
      auto operation = cluster_->read(leaf->object(), request);
      const Reply reply = co_await operation;
      if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
      more = reply.ranges[0].more;
      if (reply.ranges[0].entries.empty()) break;
      WriteRequest copy;
      copy.comparisons.push_back({kEpochKey, Compare::equal, kClosed});
      for (const auto& [key, stored] : reply.ranges[0].entries) {
        after = key;
        copy.set.emplace(key, stored);
        if (kind != 'r') continue;
        const std::string_view row = key_of_row(key);
        std::string size = encode_number(stored.size() + row.size()).substr(4);
        copy.set.emplace(twin_key(row), std::move(size));
      }
      auto written = cluster_->write(right, copy);
      const Reply written_reply = co_await written;
      if (written_reply.status == -ECANCELED)
        co_return Result<void>();  // it is open, so it is complete
      if (written_reply.status < 0)
        co_return tl::unexpected<Error>(to_error(written_reply.status, right));
      if (stop_here(Step::split_copied_page))
        co_return fail(ErrorCode::unavailable, "stopped by a test in a split");
    }
  }
  co_return Result<void>();
}

// Which leaves hold parts of the counters of the new range; the old leaf itself is one for those it
// has sums of.
base::Task<Result<void>> RadosStore::copy_counters(LeafPointer leaf, const Header& header) {
  const std::string right = Leaf::object_name(header.split->leaf);
  for (const char kind : {'c', 'p'}) {
    std::string after = counters_from(kind, header.split->at);
    const std::string end = header.to.empty() ? end_of_kind(kind) : counters_from(kind, header.to);
    for (bool more = true; more;) {
      ReadRequest request;
      request.ranges = {{after, std::string(1, kind), kPageRows}};
      auto operation = cluster_->read(leaf->object(), request);
      const Reply reply = co_await operation;
      if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
      more = reply.ranges[0].more;
      WriteRequest copy;
      copy.comparisons.push_back({kEpochKey, Compare::equal, kClosed});
      for (const auto& [key, stored] : reply.ranges[0].entries) {
        after = key;
        if (key >= end) {
          more = false;
          break;
        }
        copy.set.emplace(
            kind == 'p' ? key : part_key(counter_of(key, sizeof(Instance)), leaf->number()),
            "\x01");
      }
      if (copy.set.empty()) break;
      auto written = cluster_->write(right, copy);
      const Reply written_reply = co_await written;
      if (written_reply.status == -ECANCELED) co_return Result<void>();
      if (written_reply.status < 0)
        co_return tl::unexpected<Error>(to_error(written_reply.status, right));
    }
  }
  co_return Result<void>();
}

// Returns when the split that froze the leaf is over; does it, if nobody else seems to.
base::Task<Result<void>> RadosStore::wait_for_split(LeafPointer leaf) {
  for (int i = 0; i < kPollsBeforeHelping; ++i) {
    auto read = read_header(leaf);
    CO_TRY_VOID(co_await read);
    if (!leaf->header()->split) co_return Result<void>();
    co_await worker_.sleep(kPoll);
  }
  auto continued = continue_split(leaf);
  co_return co_await continued;
}

}  // namespace stator::store::rados
