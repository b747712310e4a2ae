// Splits. Each step can be done by any node, again, and late; see "A split" in
// docs/design/rados.md.

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::chrono::milliseconds kPoll{5};
constexpr int kPollsBeforeHelping = 60;

}  // namespace

tl::unexpected<Error> RadosStore::stopped_by_test() {
  return fail(ErrorCode::unavailable, "stopped by a test in a split");
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
  if (stop_here(Step::split_frozen)) co_return stopped_by_test();

  auto created = create_right(header, std::string(frozen.value(kFloorKey)));
  CO_TRY_VOID(co_await created);
  auto copied = copy_upper_part(leaf, header);
  CO_TRY_VOID(co_await copied);
  auto counters_copied = copy_counters(leaf, header);
  CO_TRY_VOID(co_await counters_copied);
  if (stop_here(Step::split_copied)) co_return stopped_by_test();

  auto opened = open_right(leaf, header);
  CO_TRY_VOID(co_await opened);
  if (stop_here(Step::split_opened)) co_return stopped_by_test();

  auto switched = switch_left(leaf, header);
  CO_TRY_VOID(co_await switched);
  if (stop_here(Step::split_switched)) co_return stopped_by_test();
  auto read_again = read_header(leaf);
  CO_TRY_VOID(co_await read_again);

  auto entered = enter_in_map(*header.split);
  co_return co_await entered;
}

// 2. The new leaf, closed to everyone until it is filled.
base::Task<Result<void>> RadosStore::create_right(const Header& header, std::string floor) {
  const std::string right = Leaf::object_name(header.split->leaf);
  WriteRequest creation;
  creation.create_exclusive = true;
  creation.set.emplace(kEpochKey, kClosedEpoch);
  creation.set.emplace(kFloorKey, std::move(floor));
  auto operation = cluster_->write(right, creation);
  const Reply reply = co_await operation;
  if (reply.status < 0 && reply.status != -EEXIST)
    co_return tl::unexpected<Error>(to_error(reply.status, right));
  co_return Result<void>();
}

// 3. Open, with a position that is not below any that was given out before the freeze.
base::Task<Result<void>> RadosStore::open_right(LeafPointer leaf, const Header& header) {
  const std::string right = Leaf::object_name(header.split->leaf);
  ReadRequest request;
  request.keys = {kPositionKey, kEpochKey};
  auto read = cluster_->read(leaf->object(), request);
  const Reply position = co_await read;
  if (position.status < 0)
    co_return tl::unexpected<Error>(to_error(position.status, leaf->object()));
  // Only what was copied from a frozen leaf is complete; if it is not frozen any more, someone has
  // opened already.
  if (position.value(kEpochKey) != encode_number(header.epoch)) co_return Result<void>();
  const Header opened{1, header.right, header.split->at, header.to, std::nullopt};
  WriteRequest opening;
  opening.comparisons.push_back({kEpochKey, Compare::equal, kClosedEpoch});
  opening.set.emplace(kEpochKey, encode_number(opened.epoch));
  opening.set.emplace(kHeaderKey, encode_header(opened));
  if (!position.value(kPositionKey).empty())
    opening.set.emplace(kPositionKey, position.value(kPositionKey));
  auto operation = cluster_->write(right, opening);
  const Reply reply = co_await operation;
  if (reply.status < 0 && reply.status != -ECANCELED)
    co_return tl::unexpected<Error>(to_error(reply.status, right));
  co_return Result<void>();
}

// 4. Switch: the old leaf lets go of what the new one has.
base::Task<Result<void>> RadosStore::switch_left(LeafPointer leaf, const Header& header) {
  const Split& split = *header.split;
  const Header left{header.epoch + 1, split.leaf, header.from, split.at, std::nullopt};
  WriteRequest switching;
  switching.comparisons.push_back({kEpochKey, Compare::equal, encode_number(header.epoch)});
  switching.removed_ranges = {{row_key(split.at), end_of_kind('r')},
                              {tombstone_key(split.at), end_of_kind('x')},
                              {intent_key(split.at), end_of_kind('i')},
                              {"d", twin_key(split.at) + '\0'},
                              {counters_from('p', split.at), end_of_kind('p')}};
  switching.set.emplace(kEpochKey, encode_number(left.epoch));
  switching.set.emplace(kHeaderKey, encode_header(left));
  auto operation = cluster_->write(leaf->object(), switching);
  const Reply reply = co_await operation;
  if (reply.status < 0 && reply.status != -ECANCELED)
    co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
  co_return Result<void>();
}

// 5. The map. A leaf is never removed, so this is true for ever.
base::Task<Result<void>> RadosStore::enter_in_map(const Split& split) {
  WriteRequest entry;
  entry.set.emplace(map_key(split.at), encode_number(split.leaf));
  auto operation = cluster_->write(kMapObject, entry);
  const Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, kMapObject));
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
