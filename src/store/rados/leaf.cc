#include "store/rados/leaf.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/add_wrapping.h"

namespace stator::store::rados {
namespace {

constexpr std::size_t kGroupCommitsMax = 256;
constexpr std::size_t kGroupBytesMax = 4 << 20;
constexpr std::size_t kRecentMax = 4096;
constexpr std::size_t kRecentBytes = 12;  // more than a mark

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

std::size_t bytes_of(const LeafCommit& commit) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : commit.sets) bytes += key.size() + value.size();
  for (const LeafCommit::LogRow& row : commit.appends)
    bytes += row.prefix.size() + row.value.size();
  return bytes;
}

}  // namespace

// One operation for a group: what it compares in RADOS, and what it leaves behind.
struct Leaf::Plan {
  std::shared_ptr<const Header> header;
  WriteRequest request;
  std::map<std::string, std::string> changes;  // what the group has written so far; empty: removed
  std::map<std::string, std::vector<std::int64_t>> sums;  // by counter, after the operation
  std::uint64_t position = 0;
};

Leaf::Leaf(LeafNumber number, Cluster& cluster, Worker& worker, Instance instance,
           std::chrono::milliseconds timeout)
    : number_(number),
      object_(object_name(number)),
      cluster_(cluster),
      worker_(worker),
      instance_(instance),
      timeout_(timeout) {}

std::string Leaf::object_name(LeafNumber number) { return fmt::format("leaf.{:016x}", number); }

std::shared_ptr<const Header> Leaf::header() const {
  const std::lock_guard lock(mutex_);
  return header_;
}

void Leaf::note(const Header& header) {
  const std::lock_guard lock(mutex_);
  if (header_ == nullptr || header_->epoch < header.epoch)
    header_ = std::make_shared<const Header>(header);
}

void Leaf::start(LeafCommit& commit) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(&commit);
    for (const LeafCommit::InLine& row : commit.in_line) {
      in_line_.erase(
          row.key);  // its key may belong to an older commit, which will be gone before this one
      in_line_.emplace(row.key, InLine{&commit, commit.stamp, row.value});
    }
    wake = !std::exchange(pumping_, true);
  }
  if (wake) worker_.run_here(pump());
}

bool Leaf::Wait::await_suspend(std::coroutine_handle<> awaiting) {
  std::unique_lock lock(leaf_.mutex_);
  if (commit_.answered_) return false;
  commit_.executor_ = base::Executor::current();
  if (commit_.executor_ != nullptr) {
    commit_.handle_ = awaiting;
    return true;
  }
  leaf_.answered_.wait(lock, [&] { return commit_.answered_; });
  return false;
}

std::optional<Row> Leaf::find_in_line(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = in_line_.find(key);
  if (found == in_line_.end()) return std::nullopt;
  Row row;
  row.exists = found->second.value.has_value();
  row.version =
      make_version(row.exists ? VersionOf::row : VersionOf::tombstone, found->second.stamp);
  if (row.exists) row.value = Bytes::copy_of(*found->second.value);
  return row;
}

bool Leaf::take_measuring_due(std::uint64_t rows_max, std::uint64_t bytes_max) {
  const std::lock_guard lock(mutex_);
  if (rows_written_ < rows_max && bytes_written_ < bytes_max) return false;
  rows_written_ = bytes_written_ = 0;
  return true;
}

base::Task<Result<void>> Leaf::pump() {
  for (;;) {
    Group group = take_group();
    if (group.empty()) co_return Result<void>();
    auto written = write_group(std::move(group));
    static_cast<void>(co_await written);
    // The threads of librados have other answers to bring: what has gathered meanwhile is planned
    // on the store's own.
    if (has_line()) co_await worker_.hop();
  }
}

bool Leaf::has_line() const {
  const std::lock_guard lock(mutex_);
  return !queue_.empty();
}

Leaf::Group Leaf::take_group() {
  const std::lock_guard lock(mutex_);
  Group group;
  std::size_t bytes = 0;
  while (!queue_.empty() && group.size() < kGroupCommitsMax && bytes < kGroupBytesMax) {
    LeafCommit* const next = queue_.front();
    const bool alone =
        !next->removed_ranges.empty();  // its effect on the others is not worth working out
    if (alone && !group.empty()) break;
    queue_.pop_front();
    group.push_back(next);
    bytes += bytes_of(*next);
    if (alone) break;
  }
  if (group.empty()) pumping_ = false;
  return group;
}

// Sends the group until each commit of it has its answer.
base::Task<Result<void>> Leaf::write_group(Group group) {
  const auto deadline = std::chrono::steady_clock::now() + timeout_;
  Reply state;
  if (header() == nullptr) {
    auto refreshed = refresh(group, state);
    const Result<void> done = co_await refreshed;
    if (!done) {
      fail_group(std::move(group), state.status, done.error());
      co_return Result<void>();
    }
  }
  while (!group.empty()) {
    Plan next;
    if (!plan(group, next)) break;
    auto operation = cluster_.write(object_, next.request);
    const Reply reply = co_await operation.anywhere();
    cluster_.count_group(group.size(), reply.status == -ECANCELED);
    if (reply.status == 0) {
      position_ = next.position;
      if (!next.request.removed_ranges.empty()) recent_.clear();
      for (const auto& [key, value] : next.request.set) remember(key, value);
      for (const std::string& key : next.request.removed) remember(key, {});
      for (auto& [counter, sums] : next.sums) sums_[counter] = std::move(sums);
      answer_all(group, Outcome::applied);
      break;
    }
    if (reply.status != -ECANCELED) {
      // Nobody knows what is there now, or will be: it is read again before the next group is sent.
      forget();
      fail_group(std::move(group), reply.status, to_error(reply.status, object_));
      break;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      answer_all(group, Outcome::failed,
                 {ErrorCode::unavailable, "too many writers of one leaf: try again"});
      break;
    }
    auto refreshed = refresh(group, state);
    const Result<void> done = co_await refreshed;
    if (!done) {
      fail_group(std::move(group), state.status, done.error());
      break;
    }
    judge(group, state);
  }
  co_return Result<void>();
}

void Leaf::forget() {
  position_.reset();
  sums_.clear();
  recent_.clear();
}

// Those that are in line behind an operation that was not answered in time have waited as long,
// nearly: they get the same answer instead of waiting once more.
void Leaf::fail_group(Group group, int status, const Error& error) {
  if (status == -ETIMEDOUT) {
    const std::lock_guard lock(mutex_);
    group.insert(group.end(), queue_.begin(), queue_.end());
    queue_.clear();
  }
  answer_all(group, Outcome::failed, error);
}

// Reads everything that the group compares.
base::Task<Result<void>> Leaf::refresh(const Group& group, Reply& state) {
  ReadRequest request;
  request.keys = {kHeaderKey, kFloorKey, kPositionKey};
  for (const LeafCommit* commit : group) {
    for (const LeafCommit::Check& check : commit->checks)
      request.keys.push_back(check.comparison.key);
    for (const Add& add : commit->adds) request.keys.push_back(sum_key(add.key, instance_));
  }
  auto operation = cluster_.read(object_, request);
  state = co_await operation.anywhere();
  if (state.status < 0) co_return tl::unexpected<Error>(to_error(state.status, object_));
  for (const std::string& key : request.keys) remember(key, state.value(key));
  CO_TRY(const Header header, decode_header(state.value(kHeaderKey)));
  note(header);
  position_ = decode_number(state.value(kPositionKey));
  for (const LeafCommit* commit : group) {
    for (const Add& add : commit->adds) {
      const std::string& stored = state.value(sum_key(add.key, instance_));
      sums_[std::string(add.key)] = decode_sums(stored);
    }
  }
  co_return Result<void>();
}

void Leaf::remember(const std::string& key, std::string_view value) {
  if (key[0] != 'r' && key[0] != 'x') return;
  if (recent_.size() >= kRecentMax) recent_.clear();
  recent_.insert_or_assign(key, std::string(value.substr(0, kRecentBytes)));
}

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

void Leaf::answer(LeafCommit& commit, Outcome outcome) {
  std::coroutine_handle<> handle;
  base::Executor* executor = nullptr;
  {
    const std::lock_guard lock(mutex_);
    for (const LeafCommit::InLine& row : commit.in_line) {
      const auto found = in_line_.find(row.key);
      if (found != in_line_.end() && found->second.commit == &commit) in_line_.erase(found);
    }
    if (outcome == Outcome::applied) {
      rows_written_ += commit.sets.size() / 2 + commit.appends.size();
      bytes_written_ += bytes_of(commit);
    }
    commit.outcome = outcome;
    commit.answered_ = true;
    handle = commit.handle_;
    executor = commit.executor_;
    if (!handle) answered_.notify_all();
  }
  if (handle) executor->post(handle);  // the commit may be gone from here on
}

void Leaf::answer_all(const Group& group, Outcome outcome, const Error& error) {
  for (LeafCommit* commit : group) {
    commit->error = error;
    answer(*commit, outcome);
  }
}

}  // namespace stator::store::rados
