// Commits across leaves: prepare all but the home, decide at the home, settle in the background.

#include <algorithm>
#include <unordered_set>

#include "store/rados/rados_store.h"

namespace stator::store::rados {

struct RadosStore::Transaction {
  Stamp stamp = 0;
  LeafNumber home = 0;
  struct Participant {
    Part* part = nullptr;
    std::unique_ptr<LeafCommit> commit;  // stays where it is while it is in line
  };
  std::vector<Participant> participants;  // without the home
  std::vector<std::string> intents;       // keys that have one, or may have
  const Participant* refused = nullptr;
};

namespace {

void fill_intents(LeafCommit& commit, LeafNumber home, std::span<const Guard> guards,
                  std::span<const Write> puts, std::span<const std::string_view> erases) {
  std::unordered_set<std::string_view> written;
  std::unordered_set<std::string_view> guarded;
  for (const Guard& guard : guards) guarded.insert(guard.key);
  const auto lock = [&](std::string_view key, Action action, std::string_view value) {
    commit.keys.emplace_back(key);
    if (!guarded.contains(key)) commit.must_be_unlocked(key);
    commit.set_intent(key, {commit.stamp, home, action, value});
    written.insert(key);
  };
  for (const Guard& guard : guards) commit.guard(guard.key, guard.version);
  for (const Write& put : puts) lock(put.key, Action::put, put.value);
  for (const std::string_view key : erases) lock(key, Action::erase, {});
  // What is only guarded must not change before the decision either.
  for (const Guard& guard : guards) {
    if (!written.contains(guard.key)) lock(guard.key, Action::keep, {});
  }
}

// Writes that were decided without a look at the row.
bool writes_unguarded(const Batch& batch) {
  std::unordered_set<std::string_view> guarded;
  for (const Guard& guard : batch.guards) guarded.insert(guard.key);
  return std::any_of(batch.puts.begin(), batch.puts.end(),
                     [&](const Write& put) { return !guarded.contains(put.key); }) ||
         std::any_of(batch.erases.begin(), batch.erases.end(),
                     [&](std::string_view key) { return !guarded.contains(key); });
}

}  // namespace

// Writes the intents of the participants with logs, of those without, or of both at once, and waits
// for all answers.
base::Task<Result<void>> RadosStore::prepare(Transaction& transaction, bool rows, bool logs) {
  const auto left_out = [&](const Part& part) { return part.appends.empty() ? !rows : !logs; };
  for (Transaction::Participant& participant : transaction.participants) {
    const Part& part = *participant.part;
    if (left_out(part)) continue;
    participant.commit = std::make_unique<LeafCommit>();
    LeafCommit& commit = *participant.commit;
    commit.stamp = transaction.stamp;
    for (const Fence& fence : part.fences) commit.respect(fence);
    fill_intents(commit, transaction.home, part.guards, part.puts, part.erases);
    transaction.intents.insert(transaction.intents.end(), commit.keys.begin(), commit.keys.end());
    for (const Append& append : part.appends) {
      commit.keys.push_back(log_key(append.prefix, UINT64_MAX));
      commit.appends.push_back({append.prefix, append.value});
    }
    commit.appends_are_intents_of = transaction.home;
    part.leaf->start(commit);
  }
  std::optional<Error> failed;
  for (Transaction::Participant& participant : transaction.participants) {
    if (left_out(*participant.part)) continue;
    LeafCommit& commit = *participant.commit;
    co_await participant.part->leaf->wait(commit);
    if (commit.outcome == Outcome::applied || commit.outcome == Outcome::failed) {
      transaction.intents.insert(transaction.intents.end(), commit.appended.begin(),
                                 commit.appended.end());
    }
    if (commit.outcome == Outcome::failed) failed = commit.error;
    // A conflict is final, everything else may go away: let the conflict be what is told.
    if (commit.outcome != Outcome::applied &&
        (transaction.refused == nullptr || commit.outcome == Outcome::conflict ||
         commit.outcome == Outcome::outdated)) {
      transaction.refused = &participant;
    }
  }
  if (failed) co_return tl::unexpected<Error>(*failed);
  co_return Result<void>();
}

// True when committed, false when it should be tried again.
base::Task<Result<bool>> RadosStore::commit_across(const Batch& batch, std::vector<Part> parts) {
  // The home is the leaf with the most appended rows, since these need no intents there; else with
  // the most writes.
  const auto home_part =
      std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::pair(a.appends.size(), a.writes()) < std::pair(b.appends.size(), b.writes());
      });
  const LeafPointer home = home_part->leaf;
  auto registered = register_counters(batch, home);
  CO_TRY_VOID(co_await registered);

  Transaction transaction;
  transaction.stamp = next_stamp();
  transaction.home = home->number();
  for (Part& part : parts) {
    if (&part != &*home_part) transaction.participants.push_back({&part, nullptr});
  }

  // Logs last, where the order of positions would not follow from guards; see "Order of logs in
  // transactions".
  const bool logs_last = writes_unguarded(batch);
  auto first = prepare(transaction, true, !logs_last);
  Result<void> prepared = co_await first;
  if (logs_last && prepared && transaction.refused == nullptr) {
    auto logs = prepare(transaction, false, true);
    prepared = co_await logs;
  }
  if (stop_here(Step::prepared))
    co_return fail(ErrorCode::unavailable, "stopped by a test after preparing");

  LeafCommit decision;
  const bool decides = prepared && transaction.refused == nullptr;
  if (decides) {
    decision.stamp = transaction.stamp;
    decision.checks.push_back(
        {{fence_key(instance_), Compare::less, encode_ordered(transaction.stamp)},
         Reason::fence,
         {}});
    fill(decision, *home_part);
    fill_adds(decision, *home, batch);
    decision.sets.emplace_back(record_key(transaction.stamp), encode_keys(transaction.intents));
    home->start(decision);
    co_await home->wait(decision);
    if (decision.outcome == Outcome::failed)
      co_return tl::unexpected<Error>(decision.error);  // open (S6)
    if (decision.outcome == Outcome::applied) {
      if (stop_here(Step::decided))
        co_return fail(ErrorCode::unavailable, "stopped by a test after deciding");
      worker_.spawn(finish(transaction.stamp, transaction.home, std::move(transaction.intents)));
      for (const Part& part : parts) measure_if_due(part.leaf);
      co_return true;
    }
  }

  if (!prepared) {
    // Nothing will be decided. What is still prepared after this has been cleaned up is found by
    // those whom it is in the way of.
    worker_.spawn(settle(transaction.stamp, std::move(transaction.intents), false));
    co_return tl::unexpected<Error>(prepared.error());
  }
  // Nobody waits while holding: first the own intents go, then what was in the way is dealt with.
  auto set_back = settle(transaction.stamp, std::move(transaction.intents), false);
  CO_TRY_VOID(co_await set_back);
  const LeafCommit& refused = decides ? decision : *transaction.refused->commit;
  const LeafPointer leaf = decides ? home : transaction.refused->part->leaf;
  if (refused.outcome == Outcome::outdated) co_return tl::unexpected<Error>(outdated());
  if (refused.outcome == Outcome::conflict) co_return fail(ErrorCode::conflict, "conflict");
  auto cleared = clear_the_way(leaf, refused);
  CO_TRY_VOID(co_await cleared);
  co_return false;
}

}  // namespace stator::store::rados
