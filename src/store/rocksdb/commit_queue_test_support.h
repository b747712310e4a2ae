#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sync_wait.h"
#include "store/rocksdb/commit_queue.h"

// Commits against a disk that does what the test says.
namespace stator::store {

// Keeps rows in a map. Can be told to hold groups back and to fail.
class FakeSink final : public CommitSink {
 public:
  Result<void> write(std::span<const CommitRequest> group, bool may_wait) override {
    std::unique_lock lock(mutex_);
    writers.push_back(std::this_thread::get_id());
    if (!may_wait && behind_) return fail(ErrorCode::throttled, "behind");
    ++begun_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !held_; });
    if (failure_) return tl::unexpected<Error>(*failure_);
    group_sizes.push_back(group.size());
    for (const CommitRequest& request : group) {
      if (request.erase_range != nullptr) {
        rows.erase(rows.lower_bound(std::string(request.erase_range->from)),
                   rows.lower_bound(std::string(request.erase_range->to)));
        continue;
      }
      for (const Write& put : request.batch->puts) rows[std::string(put.key)] = put.value;
      for (const std::string_view key : request.batch->erases) rows.erase(std::string(key));
    }
    return {};
  }
  Result<void> recover() override {
    const std::lock_guard lock(mutex_);
    ++recoveries_;
    changed_.notify_all();
    if (failure_) return tl::unexpected<Error>(*failure_);
    return {};
  }

  void hold() {
    set([&] { held_ = true; });
  }
  void be_behind() {
    set([&] { behind_ = true; });
  }
  void let_go() {
    set([&] { held_ = false; });
  }
  void fail_with(std::optional<Error> failure) {
    set([&] { failure_ = std::move(failure); });
  }
  void wait_until_begun(int writes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ >= writes; });
  }
  void wait_until_recovery_tried(int times) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return recoveries_ >= times; });
  }

  std::map<std::string, std::string> rows;
  std::vector<std::size_t> group_sizes;
  std::vector<std::thread::id> writers;

 private:
  template <class Change>
  void set(Change change) {
    const std::lock_guard lock(mutex_);
    change();
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool behind_ = false;
  int begun_ = 0;
  int recoveries_ = 0;
  std::optional<Error> failure_;
};

// A commit under way, with the bytes that it refers to.
struct Commit {
  std::string key;
  std::string value;
  Batch batch;
  std::optional<Result<void>> answer;
  bool answered = false;
};

class CommitQueueTest : public testing::Test {
 protected:
  explicit CommitQueueTest(bool write_in_place = false)
      : CommitQueueTest({.write_in_place = write_in_place, .retry_interval = std::chrono::milliseconds(0)}) {}
  explicit CommitQueueTest(CommitQueue::Options options) : queue_(sink_, slots_, options) {}
  ~CommitQueueTest() override { sink_.let_go(); }

  base::Detached run(Commit& commit) {
    commit.answer = co_await queue_.commit(commit.batch);
    commit.answered = true;
  }
  // Starts a put; the answer comes when the test waits for it.
  Commit& start(std::string key, std::string value, std::optional<Version> guard = std::nullopt) {
    Commit& commit = *commits_.emplace_back(std::make_unique<Commit>());
    commit.key = std::move(key);
    commit.value = std::move(value);
    if (guard) commit.batch.guards.push_back({commit.key, *guard});
    commit.batch.puts.push_back({commit.key, commit.value});
    run(commit);
    return commit;
  }
  Commit& start_patient(std::string key, std::string value) {
    Commit& commit = *commits_.emplace_back(std::make_unique<Commit>());
    commit.key = std::move(key);
    commit.value = std::move(value);
    commit.batch.puts.push_back({commit.key, commit.value});
    commit.batch.patient = true;
    run(commit);
    return commit;
  }
  Commit& start_validation(std::string key, Version guard) {
    Commit& commit = *commits_.emplace_back(std::make_unique<Commit>());
    commit.key = std::move(key);
    commit.batch.guards.push_back({commit.key, guard});
    run(commit);
    return commit;
  }
  Result<void> answer_of(Commit& commit) {
    executor_.run_until(commit.answered);
    return *commit.answer;
  }
  ErrorCode error_of(Commit& commit) {
    const Result<void> answer = answer_of(commit);
    return answer ? ErrorCode::internal : answer.error().code;
  }
  // The pending value of a key, or what became of it.
  std::string pending(std::string_view key, Version* version = nullptr) {
    Row row;
    const CommitQueue::Pending found = queue_.find_pending(key, slots_.hash(key), row);
    if (version != nullptr) *version = row.version;
    if (found == CommitQueue::Pending::none) return "<none>";
    return row.exists ? std::string(row.value.view()) : "<erased>";
  }

  base::WaitingExecutor executor_;
  FakeSink sink_;
  VersionSlots slots_;
  std::vector<std::unique_ptr<Commit>> commits_;
  CommitQueue queue_;
};

}  // namespace stator::store
