#include "store/rados/leaf.h"

#include <fmt/format.h>

#include "store/rados/leaf_plan.h"

namespace stator::store::rados {
namespace {

constexpr std::size_t kGroupCommitsMax = 256;
constexpr std::size_t kGroupBytesMax = 4 << 20;
constexpr std::size_t kRecentMax = 4096;
constexpr std::size_t kRecentBytes = 12;  // more than a mark

std::size_t bytes_of(const LeafCommit& commit) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : commit.sets) bytes += key.size() + value.size();
  for (const LeafCommit::LogRow& row : commit.appends)
    bytes += row.prefix.size() + row.value.size();
  return bytes;
}

}  // namespace

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
