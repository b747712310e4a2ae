// What to do with an intent of another transaction, and how intents end.

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::chrono::milliseconds kIntentLookAgain{3};

}  // namespace

base::Task<Result<RadosStore::Verdict>> RadosStore::look_up(Stamp transaction, LeafNumber home) {
  const std::string object = Leaf::object_name(home);
  const std::string record = record_key(transaction);
  const std::string fence = fence_key(instance_of(transaction));
  ReadRequest request;
  request.keys = {record, fence};
  auto operation = cluster_->read(object, request);
  const Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, object));
  Verdict verdict{Fate::undecided, {}};
  if (!reply.value(record).empty()) {
    verdict.fate = Fate::committed;
    CO_TRY(verdict.keys, decode_keys(reply.value(record)));
  } else if (decode_ordered(reply.value(fence)) >= transaction) {
    verdict.fate = Fate::stopped;
  }
  co_return std::move(verdict);
}

// Returns when the intent is gone, or was seen to be gone. Waits for a living transaction, up to
// the patience.
base::Task<Result<void>> RadosStore::resolve(Blocker blocker) {
  for (const Deadline until = deadline(); std::chrono::steady_clock::now() < until;) {
    auto looked_up = look_up(blocker.transaction, blocker.home);
    CO_TRY(Verdict verdict, co_await looked_up);
    if (verdict.fate == Fate::committed) {
      auto finished = finish(blocker.transaction, blocker.home, std::move(verdict.keys));
      co_return co_await finished;
    }
    bool stopped = verdict.fate == Fate::stopped;
    if (!stopped && patience_is_over(blocker.transaction)) {
      auto stop = stop_transaction(blocker.transaction, blocker.home);
      CO_TRY(stopped, co_await stop);
      if (!stopped) continue;  // it was decided meanwhile
    }
    if (stopped) {
      auto set_back = settle(blocker.transaction, {blocker.key}, false);
      co_return co_await set_back;
    }
    co_await worker_.sleep(kIntentLookAgain);
    // Whether it is still there. An intent that has gone needs no decision of ours.
    const LeafPointer leaf = map_.find(blocker.key);
    const std::string intent = intent_key(blocker.key);
    ReadRequest request;
    request.keys = {kHeaderKey, intent};
    auto operation = cluster_->read(leaf->object(), request);
    const Reply reply = co_await operation;
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
    CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
    leaf->note(header);
    if (!header.covers(blocker.key)) continue;
    const Result<Intent> found = decode_intent(reply.value(intent));
    if (!found || found->transaction != blocker.transaction) co_return Result<void>();
  }
  co_return fail(ErrorCode::unavailable,
                 "another node's transaction could not be resolved in time");
}

bool RadosStore::patience_is_over(Stamp transaction) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (first_seen_.size() > 10'000) first_seen_.clear();
  const auto [at, inserted] = first_seen_.try_emplace(transaction, now);
  return now - at->second >= options_.patience;
}

// Raises the fence, so that the transaction can never be decided. False when it has been decided.
base::Task<Result<bool>> RadosStore::stop_transaction(Stamp transaction, LeafNumber home) {
  const std::string object = Leaf::object_name(home);
  const std::string fence = fence_key(instance_of(transaction));
  WriteRequest request;
  request.comparisons.push_back({record_key(transaction), Compare::equal, ""});
  request.comparisons.push_back({fence, Compare::less, encode_ordered(transaction)});
  request.set.emplace(fence, encode_ordered(transaction));
  auto operation = cluster_->write(object, request);
  const Reply reply = co_await operation;
  if (reply.status == 0) co_return true;
  if (reply.status != -ECANCELED) co_return tl::unexpected<Error>(to_error(reply.status, object));
  auto looked_up = look_up(transaction, home);
  CO_TRY(const Verdict verdict, co_await looked_up);
  co_return verdict.fate == Fate::stopped;
}

void RadosStore::settle_row(LeafCommit& commit, std::string_view key, const Intent& intent,
                            bool committed) {
  const std::string locked = intent_key(key);
  commit.keys.emplace_back(key);
  commit.checks.push_back(
      {{locked, Compare::greater, intent_mark(intent.transaction)}, Reason::intent, key});
  commit.checks.push_back(
      {{locked, Compare::less, intent_mark(intent.transaction + 1)}, Reason::intent, key});
  commit.removes.push_back(locked);
  if (!committed || intent.action == Action::keep) return;
  if (intent.action == Action::erase) {
    commit.removes.push_back(row_key(key));
    commit.removes.push_back(twin_key(key));
    commit.sets.emplace_back(tombstone_key(key), encode_number(intent.transaction));
  } else {
    commit.set_row(key, {intent.transaction, intent.value});
  }
}

// Makes rows of the transaction's intents on these keys, or takes them away. Returns when none is
// left.
base::Task<Result<void>> RadosStore::settle(Stamp transaction, std::vector<std::string> keys,
                                            bool committed) {
  const Deadline until = deadline();
  while (!keys.empty()) {
    if (std::chrono::steady_clock::now() > until)
      co_return fail(ErrorCode::unavailable, "intents could not be settled in time");
    // Those of one leaf at a time; the rest in the next rounds.
    const LeafPointer leaf = map_.find(keys.front());
    std::vector<std::string> here, elsewhere;
    for (std::string& key : keys)
      (map_.find(key) == leaf ? here : elsewhere).push_back(std::move(key));
    ReadRequest request;
    request.keys = {kHeaderKey};
    for (const std::string& key : here) request.keys.push_back(intent_key(key));
    auto operation = cluster_->read(leaf->object(), request);
    const Reply reply = co_await operation;
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, leaf->object()));
    CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
    leaf->note(header);

    LeafCommit commit;
    commit.stamp = transaction;
    for (const std::string& key : here) {
      if (!header.covers(key)) {
        elsewhere.push_back(key);
        continue;
      }
      const Result<Intent> intent = decode_intent(reply.value(intent_key(key)));
      if (intent && intent->transaction == transaction) settle_row(commit, key, *intent, committed);
    }
    if (!commit.keys.empty()) {
      leaf->start(commit);
      co_await leaf->wait(commit);
      if (commit.outcome == Outcome::failed) co_return tl::unexpected<Error>(commit.error);
      if (commit.outcome != Outcome::applied) {
        elsewhere.insert(elsewhere.end(), commit.keys.begin(), commit.keys.end());
        auto cleared = clear_the_way(leaf, commit);
        CO_TRY_VOID(co_await cleared);
      }
    }
    keys.swap(elsewhere);
  }
  co_return Result<void>();
}

// Settles all of a committed transaction, then forgets it.
base::Task<Result<void>> RadosStore::finish(Stamp transaction, LeafNumber home,
                                            std::vector<std::string> keys) {
  auto settled = settle(transaction, std::move(keys), true);
  CO_TRY_VOID(co_await settled);
  if (stop_here(Step::settled)) co_return Result<void>();
  WriteRequest request;
  request.removed.push_back(record_key(transaction));
  const std::string object = Leaf::object_name(home);
  auto operation = cluster_->write(object, request);
  const Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, object));
  co_return Result<void>();
}

}  // namespace stator::store::rados
