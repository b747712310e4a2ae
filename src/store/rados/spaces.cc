// Fences of spaces (S8): an entry in each leaf that has keys of the space, which every write compares.

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kIntentsOfAPage = 500;

// The first key above all that begin with the space; empty when there is none.
std::string end_of_space(std::string_view space) {
  std::string end(space);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(end.back() + 1);
  return end;
}

}  // namespace

base::Task<Result<void>> RadosStore::raise_fence(std::string_view space, std::uint64_t number) {
  const std::string end = end_of_space(space);
  std::string from(space);
  for (;;) {
    const LeafPointer leaf = map_.find(from);
    auto raised = raise_in_leaf(leaf, from, {space, number});
    CO_TRY(const bool done, co_await raised);
    if (!done) continue;
    auto ended = end_intents(leaf, space);
    CO_TRY_VOID(co_await ended);
    const std::shared_ptr<const Header> header = leaf->header();
    if (header->to.empty() || (!end.empty() && end <= header->to)) co_return Result<void>();
    from = header->to;
  }
}

// False when the leaf was not what it seemed, and has to be looked for again. The range that was fenced is the one that the
// leaf has after it: a split in between would have refused the operation.
base::Task<Result<bool>> RadosStore::raise_in_leaf(LeafPointer leaf, std::string_view from, Fence fence) {
  auto read = read_header(leaf);
  CO_TRY_VOID(co_await read);
  const std::shared_ptr<const Header> header = leaf->header();
  if (!header->covers(from)) co_return false;
  LeafCommit commit;
  commit.stamp = next_stamp();
  commit.keys.emplace_back(from);
  commit.whole_leaf = true;  // a split copies the fences, so none may be raised meanwhile
  commit.respect(fence);     // never lowered
  commit.sets.emplace_back(space_key(fence.space), encode_ordered(fence.number));
  leaf->start(commit);
  co_await leaf->wait(commit);
  if (commit.outcome == Outcome::failed) co_return tl::unexpected<Error>(commit.error);
  if (commit.outcome != Outcome::applied && commit.outcome != Outcome::outdated) {
    auto cleared = clear_the_way(leaf, commit);
    CO_TRY_VOID(co_await cleared);
    co_return false;
  }
  co_return leaf->header()->epoch == header->epoch;
}

// Transactions that were prepared before the fence and may still be decided: each is waited for, or stopped.
base::Task<Result<void>> RadosStore::end_intents(LeafPointer leaf, std::string_view space) {
  const std::string prefix = intent_before(space);
  std::string after = prefix;
  for (bool more = true; more;) {
    auto read = read_entries(leaf, after, prefix, kIntentsOfAPage);
    CO_TRY(const Reply::Entries page, co_await read);
    more = page.more;
    for (const auto& [key, stored] : page.entries) {
      after = key;
      CO_TRY(const Intent intent, decode_intent(stored));
      auto resolved = resolve({std::string(key_of_row(key)), intent.transaction, intent.home});
      CO_TRY_VOID(co_await resolved);
    }
  }
  co_return Result<void>();
}

}  // namespace stator::store::rados
