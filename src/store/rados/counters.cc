// Counters: sums of each instance, in the leaves of the commits that added; and the erasing of
// ranges.

#include "store/add_wrapping.h"
#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kEntriesMax = 1000;
constexpr std::size_t kFoldAbove = 16;
constexpr std::size_t kInstanceBytes = 4;
constexpr std::size_t kLeafBytes = 8;

void add_up(std::vector<std::int64_t>& sums, std::string_view stored) {
  const std::vector<std::int64_t> more = decode_sums(stored);
  if (sums.size() < more.size()) sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] = add_wrapping(sums[i], more[i]);
}

}  // namespace

// Makes the leaf of each counter know that `home` has a part of it, where it does not see that by
// itself.
base::Task<Result<void>> RadosStore::register_counters(const Batch& batch, LeafPointer home) {
  if (batch.adds.empty()) co_return Result<void>();
  if (home->header() == nullptr) {
    auto read = read_header(home);
    CO_TRY_VOID(co_await read);
  }
  for (const Add& add : batch.adds) {
    if (home->header()->covers(add.key)) continue;
    const std::pair<std::string, LeafNumber> part(add.key, home->number());
    {
      const std::lock_guard lock(mutex_);
      if (registered_.contains(part)) continue;
    }
    for (const Deadline until = deadline();;) {
      if (std::chrono::steady_clock::now() > until)
        co_return fail(ErrorCode::unavailable, "a counter could not be registered in time");
      const LeafPointer owner = map_.find(add.key);
      LeafCommit commit;
      commit.stamp = next_stamp();
      commit.keys.emplace_back(add.key);
      commit.sets.emplace_back(part_key(add.key, home->number()), "\x01");
      owner->start(commit);
      co_await owner->wait(commit);
      if (commit.outcome == Outcome::applied) break;
      if (commit.outcome == Outcome::failed) co_return tl::unexpected<Error>(commit.error);
      auto cleared = clear_the_way(owner, commit);
      CO_TRY_VOID(co_await cleared);
    }
    const std::lock_guard lock(mutex_);
    if (registered_.size() > 100'000) registered_.clear();
    registered_.insert(part);
  }
  co_return Result<void>();
}

base::Task<Result<std::vector<std::int64_t>>> RadosStore::counters(std::string_view key,
                                                                   std::size_t count) {
  const std::string sums_of = sum_prefix(key);
  const std::string parts_of = part_prefix(key);
  std::vector<std::int64_t> sums;
  std::vector<Operation> parts;
  std::vector<std::string> part_objects;
  for (;;) {
    const LeafPointer owner = map_.find(key);
    ReadRequest request;
    request.keys = {kHeaderKey};
    request.ranges = {{"", sums_of, kEntriesMax}, {"", parts_of, kEntriesMax}};
    auto operation = cluster_->read(owner->object(), request);
    Reply reply = co_await operation;
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, owner->object()));
    CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
    owner->note(header);
    if (!header.covers(key)) continue;
    for (const auto& [sum, stored] : reply.ranges[0].entries) add_up(sums, stored);
    if (reply.ranges[0].entries.size() > kFoldAbove)
      worker_.spawn(fold_sums(owner, std::move(reply.ranges[0].entries)));
    for (Reply::Entries* page = &reply.ranges[1];;) {
      for (const auto& [part, one] : page->entries) {
        const LeafNumber number =
            decode_number(std::string_view(part).substr(part.size() - kLeafBytes));
        if (number == owner->number()) continue;  // counted above
        part_objects.push_back(Leaf::object_name(number));
        ReadRequest sums_request;
        sums_request.ranges = {{"", sums_of, kEntriesMax}};
        parts.push_back(cluster_->read(part_objects.back(), sums_request));
      }
      if (!page->more) break;
      ReadRequest next;
      next.ranges = {{page->entries.back().first, parts_of, kEntriesMax}};
      auto next_operation = cluster_->read(owner->object(), next);
      Reply next_reply = co_await next_operation;
      if (next_reply.status < 0)
        co_return tl::unexpected<Error>(to_error(next_reply.status, owner->object()));
      reply.ranges[1] = std::move(next_reply.ranges[0]);
    }
    break;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Reply reply = co_await parts[i];
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, part_objects[i]));
    for (const auto& [sum, stored] : reply.ranges[0].entries) add_up(sums, stored);
  }
  sums.resize(count);
  co_return std::move(sums);
}

// Many instances have come and gone: one sum for all. Under comparison with each, so that nothing
// is counted twice or lost.
base::Task<Result<void>> RadosStore::fold_sums(
    LeafPointer leaf, std::vector<std::pair<std::string, std::string>> sums) {
  WriteRequest request;
  std::vector<std::int64_t> total;
  for (const auto& [key, stored] : sums) {
    request.comparisons.push_back({key, Compare::equal, stored});
    add_up(total, stored);
  }
  for (const auto& [key, stored] : sums) {
    if (key != sums.front().first) request.removed.push_back(key);
  }
  request.set.emplace(sums.front().first, encode_sums(total));
  auto operation = cluster_->write(leaf->object(), request);
  static_cast<void>(
      co_await operation);  // refused when one of them has added meanwhile: another time
  co_return Result<void>();
}

// Erases what other leaves hold of counters of the range.
base::Task<Result<void>> RadosStore::erase_parts(LeafPointer leaf, Range range) {
  const std::string end = range.to.empty() ? end_of_kind('p') : counters_from('p', range.to);
  std::string after = counters_from('p', range.from);
  for (bool more = true; more;) {
    auto read = read_entries(leaf, after, "p", kEntriesMax);
    CO_TRY(const Reply::Entries page, co_await read);
    more = page.more;
    for (const auto& [part, one] : page.entries) {
      after = part;
      if (part >= end) co_return Result<void>();
      const std::string sums = sum_prefix(counter_of(part, kLeafBytes));
      const std::string object =
          Leaf::object_name(decode_number(std::string_view(part).substr(part.size() - kLeafBytes)));
      WriteRequest removal;
      removal.removed_ranges.emplace_back(sums, sums + std::string(kInstanceBytes + 1, '\xff'));
      auto removed = cluster_->write(object, removal);
      const Reply answer = co_await removed;
      if (answer.status < 0) co_return tl::unexpected<Error>(to_error(answer.status, object));
    }
  }
  co_return Result<void>();
}

base::Task<Result<void>> RadosStore::erase_range(Range range) {
  if (!range.to.empty() && range.to <= range.from) co_return Result<void>();
  std::string from(range.from);
  for (;;) {
    const LeafPointer leaf = map_.find(from);
    auto read = read_header(leaf);
    CO_TRY_VOID(co_await read);
    const std::shared_ptr<const Header> header = leaf->header();
    if (!header->covers(from)) continue;
    const bool last = header->to.empty() || (!range.to.empty() && range.to <= header->to);
    const std::string_view to = last ? range.to : std::string_view(header->to);
    auto parts = erase_parts(leaf, {from, to});
    CO_TRY_VOID(co_await parts);

    LeafCommit commit;
    commit.stamp = next_stamp();
    commit.keys.push_back(from);
    commit.whole_leaf = true;
    const auto until = [&](std::string bound, char kind) {
      return to.empty() ? end_of_kind(kind) : std::move(bound);
    };
    commit.removed_ranges = {
        {row_key(from), until(row_key(to), 'r')},
        {tombstone_key(from), until(tombstone_key(to), 'x')},
        {intent_key(from), until(intent_key(to), 'i')},
        {to.empty() ? "d" : twin_key(to) + '\0',
         from.empty() ? end_of_kind('d') : twin_key(from) + '\0'},
        {counters_from('c', from), until(counters_from('c', to), 'c')},
        {counters_from('p', from), until(counters_from('p', to), 'p')},
    };
    commit.sets.emplace_back(kFloorKey, encode_number(commit.stamp));
    // After a split in between the leaf has another range: then again.
    leaf->start(commit);
    co_await leaf->wait(commit);
    if (commit.outcome == Outcome::failed) co_return tl::unexpected<Error>(commit.error);
    if (commit.outcome != Outcome::applied) {
      auto cleared = clear_the_way(leaf, commit);
      CO_TRY_VOID(co_await cleared);
      continue;
    }
    if (leaf->header()->epoch != header->epoch) continue;
    {
      const std::lock_guard lock(mutex_);
      registered_.clear();
    }
    if (last) co_return Result<void>();
    from = header->to;
  }
}

}  // namespace stator::store::rados
