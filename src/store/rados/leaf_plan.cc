// What a group of commits becomes: one operation that compares and writes, and answers for those that cannot be part of it.

#include "store/rados/leaf_plan.h"

#include <algorithm>

#include "store/add_wrapping.h"

namespace stator::store::rados {
namespace {

bool holds(std::string_view stored, const WriteRequest::Comparison& comparison) {
  switch (comparison.how) {
    case Compare::equal:
      return stored == comparison.value;
    case Compare::less:
      return stored < comparison.value;
    case Compare::greater:
      return stored > comparison.value;
  }
  return false;
}

}  // namespace

// Answers those whose checks do not hold in the state that was read, as those before them in the
// group will change it.
void Leaf::judge(Group& group, const Reply& state) {
  Group left;
  std::map<std::string_view, std::string_view> changes;
  const auto value_of = [&](const LeafCommit::Check& check) -> std::string_view {
    const auto changed = changes.find(check.comparison.key);
    return changed != changes.end() ? changed->second
                                    : std::string_view(state.value(check.comparison.key));
  };
  for (LeafCommit* commit : group) {
    const LeafCommit::Check* failed = nullptr;
    for (const LeafCommit::Check& check : commit->checks) {
      if (holds(value_of(check), check.comparison)) continue;
      failed = &check;
      break;
    }
    if (failed == nullptr) {
      for (const std::string& key : commit->removes) changes[key] = {};
      for (const auto& [key, value] : commit->sets) changes[key] = value;
      left.push_back(commit);
      continue;
    }
    refuse(*commit, *failed, value_of(*failed));
  }
  group.swap(left);
}

void Leaf::refuse(LeafCommit& commit, const LeafCommit::Check& failed, std::string_view stored) {
  switch (failed.reason) {
    case Reason::guard:
      return answer(commit, Outcome::conflict);
    case Reason::fence:
      return answer(commit, Outcome::fenced);
    case Reason::space:
      return answer(commit, Outcome::outdated);
    case Reason::intent:
      return answer(commit, Outcome::stale);
    case Reason::unlocked:
      const Result<Intent> intent = decode_intent(stored);
      if (!intent) commit.error = intent.error();
      if (intent) commit.blocker = {std::string(failed.key), intent->transaction, intent->home};
      return answer(commit, intent ? Outcome::blocked : Outcome::failed);
  }
}

// The operation for the group. Answers those that cannot be part of it; false when none is left.
bool Leaf::plan(Group& group, Plan& plan) {
  plan.header = header();
  plan.request.comparisons.push_back(
      {kEpochKey, Compare::equal, encode_number(plan.header->epoch)});
  Group left;
  for (LeafCommit* commit : group) {
    if (admit(*commit, plan)) left.push_back(commit);
  }
  group.swap(left);
  if (group.empty()) return false;
  plan_sums_and_appends(group, plan);
  for (auto& [key, value] : plan.changes) {
    if (value.empty()) {
      plan.request.removed.push_back(key);
    } else {
      plan.request.set.emplace(key, std::move(value));
    }
  }
  return true;
}

bool Leaf::admit(LeafCommit& commit, Plan& plan) {
  if (commit.whole_leaf && plan.header->split) return answer(commit, Outcome::frozen), false;
  for (const std::string& key : commit.keys) {
    if (!plan.header->covers(key)) return answer(commit, Outcome::moved), false;
    if (plan.header->frozen(key)) return answer(commit, Outcome::frozen), false;
  }
  std::vector<const WriteRequest::Comparison*> to_compare;
  for (const LeafCommit::Check& check : commit.checks) {
    // What an earlier commit of the group writes: the group is all or nothing, so this is what will
    // be there.
    const auto changed = plan.changes.find(check.comparison.key);
    if (changed != plan.changes.end()) {
      if (holds(changed->second, check.comparison)) continue;
      return refuse(commit, check, changed->second), false;
    }
    const auto recent = recent_.find(check.comparison.key);
    if (recent != recent_.end() && check.reason == Reason::guard &&
        !holds(recent->second, check.comparison)) {
      recent_.erase(recent);
      return answer(commit, Outcome::conflict), false;
    }
    // Writers of one table have the same number, nearly always: once is enough.
    const auto same = [&](const WriteRequest::Comparison& other) {
      return other.key == check.comparison.key && other.value == check.comparison.value;
    };
    if (check.reason == Reason::space &&
        std::any_of(plan.request.comparisons.begin(), plan.request.comparisons.end(), same))
      continue;
    to_compare.push_back(&check.comparison);
  }
  for (const WriteRequest::Comparison* comparison : to_compare)
    plan.request.comparisons.push_back(*comparison);
  for (const std::string& key : commit.removes) plan.changes[key].clear();
  for (const auto& [key, value] : commit.sets) plan.changes[key] = value;
  for (const auto& range : commit.removed_ranges) plan.request.removed_ranges.push_back(range);
  return true;
}

void Leaf::plan_sums_and_appends(const Group& group, Plan& plan) {
  bool appends = false;
  plan.position = position_.value_or(0);
  const std::uint64_t position_before = plan.position;
  for (LeafCommit* commit : group) {
    for (const Add& add : commit->adds) {
      if (add.deltas.empty()) continue;
      auto [at, inserted] = plan.sums.try_emplace(std::string(add.key));
      if (inserted) at->second = sums_[at->first];
      std::vector<std::int64_t>& sums = at->second;
      if (sums.size() < add.deltas.size()) sums.resize(add.deltas.size());
      for (std::size_t i = 0; i < add.deltas.size(); ++i)
        sums[i] = add_wrapping(sums[i], add.deltas[i]);
    }
    commit->appended.clear();
    for (const LeafCommit::LogRow& row : commit->appends) {
      appends = true;
      commit->appended.push_back(log_key(row.prefix, ++plan.position));
      LeafCommit entry;
      if (commit->appends_are_intents_of) {
        entry.set_intent(commit->appended.back(), {commit->stamp, *commit->appends_are_intents_of,
                                                   Action::append, row.value});
      } else {
        entry.set_row(commit->appended.back(), {commit->stamp, row.value});
      }
      for (auto& [key, value] : entry.sets) plan.changes[key] = std::move(value);
    }
  }
  for (const auto& [counter, sums] : plan.sums) {
    const std::string key = sum_key(counter, instance_);
    plan.request.comparisons.push_back({key, Compare::equal, encode_sums(sums_[counter])});
    plan.changes[key] = encode_sums(sums);
  }
  if (appends) {
    plan.request.comparisons.push_back(
        {kPositionKey, Compare::equal,
         position_before == 0 ? std::string() : encode_number(position_before)});
    plan.changes[kPositionKey] = encode_number(plan.position);
  } else {
    plan.position = position_before;
  }
}

}  // namespace stator::store::rados
