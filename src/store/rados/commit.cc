// Commits: what a batch does in each leaf, and the commit in one leaf.

#include <algorithm>
#include <unordered_set>

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

// Above every row of the log.
std::string log_end(std::string_view prefix) { return log_key(prefix, UINT64_MAX); }

bool has_writes(const Batch& batch) {
  return !batch.puts.empty() || !batch.erases.empty() || !batch.adds.empty() ||
         !batch.appends.empty();
}

}  // namespace

Error RadosStore::outdated() {
  return {ErrorCode::unavailable, "another node has changed the table: try again", std::make_shared<Outdated>()};
}

std::vector<RadosStore::Part> RadosStore::divide(const Batch& batch) {
  std::vector<Part> parts;
  const auto part_of = [&](std::string_view key) -> Part& {
    LeafPointer leaf = map_.find(key);
    for (Part& part : parts) {
      if (part.leaf == leaf) return part;
    }
    parts.emplace_back().leaf = std::move(leaf);
    return parts.back();
  };
  for (const Guard& guard : batch.guards) part_of(guard.key).guards.push_back(guard);
  for (const Write& put : batch.puts) part_of(put.key).puts.push_back(put);
  for (const std::string_view key : batch.erases) part_of(key).erases.push_back(key);
  for (const Append& append : batch.appends)
    part_of(log_end(append.prefix)).appends.push_back(append);
  if (parts.empty()) {
    for (const Add& add : batch.adds) part_of(add.key);
    if (parts.size() > 1) parts.resize(1);  // sums go anywhere
  }
  for (const Fence& fence : batch.fences) {
    const auto inside = [&](std::string_view key) { return key.starts_with(fence.space); };
    for (Part& part : parts) {
      const bool concerned =
          std::any_of(part.puts.begin(), part.puts.end(), [&](const Write& put) { return inside(put.key); }) ||
          std::any_of(part.erases.begin(), part.erases.end(), inside) ||
          std::any_of(part.appends.begin(), part.appends.end(),
                      [&](const Append& append) { return inside(append.prefix); });
      const bool known = std::any_of(part.fences.begin(), part.fences.end(), [&](const Fence& other) {
        return other.space == fence.space && other.number == fence.number;
      });
      if (concerned && !known) part.fences.push_back(fence);
    }
  }
  return parts;
}

// Guards and writes in their final form.
void RadosStore::fill(LeafCommit& commit, const Part& part) const {
  for (const Fence& fence : part.fences) commit.respect(fence);
  std::unordered_set<std::string_view> guarded;
  for (const Guard& guard : part.guards) {
    commit.keys.emplace_back(guard.key);
    commit.guard(guard.key, guard.version);
    guarded.insert(guard.key);
  }
  for (const Write& put : part.puts) {
    commit.keys.emplace_back(put.key);
    if (!guarded.contains(put.key)) commit.must_be_unlocked(put.key);
    commit.put(put.key, put.value);
  }
  for (const std::string_view key : part.erases) {
    commit.keys.emplace_back(key);
    if (!guarded.contains(key)) commit.must_be_unlocked(key);
    commit.erase(key);
  }
  for (const Append& append : part.appends) {
    commit.keys.push_back(log_end(append.prefix));
    commit.appends.push_back({append.prefix, append.value});
  }
}

void RadosStore::fill_adds(LeafCommit& commit, const Leaf& leaf, const Batch& batch) const {
  const std::shared_ptr<const Header> header = leaf.header();
  for (const Add& add : batch.adds) {
    commit.adds.push_back(add);
    // A counter of the leaf's own range is found without being registered, as long as it is in the
    // range.
    if (header != nullptr && header->covers(add.key)) commit.keys.emplace_back(add.key);
  }
}

base::Task<Result<void>> RadosStore::commit(const Batch& batch) {
  if (!has_writes(batch)) {
    auto validated = validate(batch);
    co_return co_await validated;
  }
  for (const Deadline until = deadline(); std::chrono::steady_clock::now() < until;) {
    std::vector<Part> parts = divide(batch);
    if (parts.size() > 1) {
      auto across = commit_across(batch, std::move(parts));
      CO_TRY(const bool committed, co_await across);
      if (committed) co_return Result<void>();
      continue;
    }
    const LeafPointer leaf = parts.front().leaf;
    auto registered = register_counters(batch, leaf);
    CO_TRY_VOID(co_await registered);
    LeafCommit commit;
    commit.stamp = next_stamp();
    fill(commit, parts.front());
    fill_adds(commit, *leaf, batch);
    leaf->start(commit);
    co_await leaf->wait(commit);
    switch (commit.outcome) {
      case Outcome::applied:
        measure_if_due(leaf);
        co_return Result<void>();
      case Outcome::failed:
        co_return tl::unexpected<Error>(commit.error);
      case Outcome::conflict:
      case Outcome::fenced:
      case Outcome::stale:
        co_return fail(ErrorCode::conflict, "conflict");
      case Outcome::outdated:
        co_return tl::unexpected<Error>(outdated());
      case Outcome::moved:
      case Outcome::frozen:
      case Outcome::blocked: {
        auto cleared = clear_the_way(leaf, commit);
        CO_TRY_VOID(co_await cleared);
      }
    }
  }
  co_return fail(ErrorCode::unavailable, "a commit found no way through in time: try again");
}

base::Task<Result<void>> RadosStore::clear_the_way(LeafPointer leaf, const LeafCommit& refused) {
  if (refused.outcome == Outcome::frozen) {
    auto waited = wait_for_split(leaf);
    co_return co_await waited;
  }
  if (refused.outcome == Outcome::blocked) {
    auto resolved = resolve(refused.blocker);
    co_return co_await resolved;
  }
  co_return Result<void>();  // moved: the leaf's header, which is known now, says where to
}

// Guards alone. What is the same now as when it was read was so in all the time between.
base::Task<Result<void>> RadosStore::validate(const Batch& batch) {
  std::vector<std::string_view> keys;
  bool in_line = false;
  for (const Guard& guard : batch.guards) {
    keys.push_back(guard.key);
    in_line = in_line || map_.find(guard.key)->find_in_line(guard.key).has_value();
  }
  std::vector<Part> parts = divide(batch);
  if (in_line && parts.size() == 1) {
    // The guard may be on a write that is in line: wait behind it, not to be told of a conflict
    // while it is under way.
    LeafCommit commit;
    commit.stamp = next_stamp();
    fill(commit, parts.front());
    parts.front().leaf->start(commit);
    co_await parts.front().leaf->wait(commit);
    if (commit.outcome == Outcome::applied) co_return Result<void>();
    if (commit.outcome == Outcome::failed) co_return tl::unexpected<Error>(commit.error);
  }
  auto read = get_many(keys, ReadMode::committed);
  CO_TRY(const std::vector<Row> rows, co_await read);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].version != batch.guards[i].version) co_return fail(ErrorCode::conflict, "conflict");
  }
  co_return Result<void>();
}

}  // namespace stator::store::rados
