#include "store/rocksdb/commit_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "base/sync_wait.h"

namespace stator::store {
namespace {

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

TEST_F(CommitQueueTest, AnswersWhenTheSinkHasWritten) {
  Commit& commit = start("k", "v");
  EXPECT_TRUE(answer_of(commit));
  EXPECT_EQ(sink_.rows["k"], "v");
  EXPECT_EQ(pending("k"), "<none>");
}

TEST_F(CommitQueueTest, GathersWhileAGroupIsWritten) {
  sink_.hold();
  start("first", "v");
  sink_.wait_until_begun(1);
  for (int i = 0; i < 100; ++i) start("k" + std::to_string(i), "v");
  sink_.let_go();
  EXPECT_TRUE(answer_of(*commits_.back()));
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1, 100}));
  EXPECT_EQ(queue_.statistics().commits, 101u);
  EXPECT_EQ(queue_.statistics().groups, 2u);
}

// Each of them reads the newest value, decides, and guards on it; none has to wait for the disk to
// do so.
TEST_F(CommitQueueTest, WritersOfOneHotRowShareAFlush) {
  sink_.hold();
  start("hot", "0");
  sink_.wait_until_begun(1);
  for (int i = 1; i <= 100; ++i) {
    Version version = 0;
    const std::string seen = pending("hot", &version);
    start("hot", std::to_string(std::stoi(seen) + 1), version);
  }
  sink_.let_go();
  for (const auto& commit : commits_) EXPECT_TRUE(answer_of(*commit));
  EXPECT_EQ(sink_.rows["hot"], "100");
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1, 100}));
}

TEST_F(CommitQueueTest, GuardsSeeWritesThatAreNotDurableYet) {
  sink_.hold();
  const Version before = slots_.load(slots_.hash("k"));
  start("k", "first", before);
  EXPECT_EQ(error_of(start("k", "second", before)), ErrorCode::conflict);
  sink_.let_go();
  EXPECT_TRUE(answer_of(*commits_.front()));
  EXPECT_EQ(sink_.rows["k"], "first");
}

TEST_F(CommitQueueTest, ShowsTheNewestPendingWriteUntilItIsDurable) {
  sink_.hold();
  start("k", "1");
  sink_.wait_until_begun(1);
  EXPECT_EQ(pending("k"), "1");
  start("k", "2");
  EXPECT_EQ(pending("k"), "2");
  Commit& erase = *commits_.emplace_back(std::make_unique<Commit>());
  erase.batch.erases.push_back("k");
  run(erase);
  EXPECT_EQ(pending("k"), "<erased>");
  EXPECT_EQ(pending("other"), "<none>");
  sink_.let_go();
  EXPECT_TRUE(answer_of(erase));
  EXPECT_EQ(pending("k"), "<none>");
  EXPECT_FALSE(sink_.rows.contains("k"));
}

TEST_F(CommitQueueTest, DurableFollowsTheSink) {
  sink_.hold();
  Commit& commit = start("k", "v");
  sink_.wait_until_begun(1);
  EXPECT_GT(slots_.load(slots_.hash("k")), queue_.durable());
  sink_.let_go();
  ASSERT_TRUE(answer_of(commit));
  EXPECT_EQ(slots_.load(slots_.hash("k")), queue_.durable());
}

TEST_F(CommitQueueTest, ValidationWaitsForTheWritesThatItSaw) {
  sink_.hold();
  start("k", "v");
  sink_.wait_until_begun(1);
  Version version = 0;
  ASSERT_EQ(pending("k", &version), "v");
  Commit& validation = start_validation("k", version);
  EXPECT_FALSE(validation.answered);
  Commit& unrelated = start_validation("other", 0);
  EXPECT_TRUE(unrelated.answered) << "nothing pending is involved";
  sink_.let_go();
  EXPECT_TRUE(answer_of(validation));
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1})) << "a validation writes nothing";
}

TEST_F(CommitQueueTest, ValidationFailsWithTheWritesThatItSaw) {
  sink_.hold();
  sink_.fail_with(Error{ErrorCode::unavailable, "broken"});
  start("k", "v");
  sink_.wait_until_begun(1);
  Version version = 0;
  ASSERT_EQ(pending("k", &version), "v");
  Commit& validation = start_validation("k", version);
  sink_.let_go();
  EXPECT_EQ(error_of(validation), ErrorCode::unavailable);
}

TEST_F(CommitQueueTest, AFailedGroupTakesEverythingBehindItAlong) {
  sink_.hold();
  sink_.fail_with(Error{ErrorCode::corruption, "broken"});
  start("a", "v");
  sink_.wait_until_begun(1);
  for (int i = 0; i < 10; ++i) start("k" + std::to_string(i), "v");
  sink_.let_go();
  for (const auto& commit : commits_) EXPECT_EQ(error_of(*commit), ErrorCode::corruption);
  EXPECT_TRUE(sink_.rows.empty());
  EXPECT_EQ(pending("k3"), "<none>");
  EXPECT_EQ(queue_.statistics().commits, 0u);
}

TEST_F(CommitQueueTest, RefusesAfterAFailureEvenIfTheDiskWorksAgain) {
  sink_.fail_with(Error{ErrorCode::unavailable, "broken"});
  ASSERT_EQ(error_of(start("k", "v")), ErrorCode::unavailable);
  sink_.fail_with(std::nullopt);
  const Result<void> answer = answer_of(start("k", "v"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "broken");
  EXPECT_TRUE(sink_.rows.empty());
}

TEST_F(CommitQueueTest, GoesOnAfterAFullDiskWasRecovered) {
  sink_.hold();
  sink_.fail_with(Error{ErrorCode::out_of_space, "full"});
  start("k", "lost");
  sink_.wait_until_begun(1);
  Version lost = 0;
  ASSERT_EQ(pending("k", &lost), "lost");
  sink_.let_go();
  ASSERT_EQ(error_of(*commits_.front()), ErrorCode::out_of_space);
  EXPECT_EQ(error_of(start("k", "still full")), ErrorCode::out_of_space);
  sink_.wait_until_recovery_tried(1);
  sink_.fail_with(std::nullopt);
  // Refused ones ask for a recovery, which happens behind their back.
  ErrorCode code = ErrorCode::out_of_space;
  while (code == ErrorCode::out_of_space) code = error_of(start("other", "written"));
  EXPECT_EQ(sink_.rows["other"], "written");
  // Nobody may build on the value that was lost.
  EXPECT_EQ(error_of(start("k", "decided on the lost value", lost)), ErrorCode::conflict);
  EXPECT_TRUE(answer_of(start("k", "new", slots_.load(slots_.hash("k")))));
}

TEST_F(CommitQueueTest, BatchesWithManyKeysWork) {
  Commit& commit = *commits_.emplace_back(std::make_unique<Commit>());
  std::vector<std::string> keys;
  for (int i = 0; i < 1000; ++i) keys.push_back(std::to_string(i));
  for (const std::string& key : keys) {
    commit.batch.guards.push_back({key, 0});
    commit.batch.puts.push_back({key, key});
  }
  run(commit);
  EXPECT_TRUE(answer_of(commit));
  EXPECT_EQ(sink_.rows.size(), 1000u);
}

TEST_F(CommitQueueTest, LargeCommitsAreSplitIntoSeveralGroups) {
  sink_.hold();
  start("first", "v");
  sink_.wait_until_begun(1);
  for (int i = 0; i < 5; ++i) start("k" + std::to_string(i), std::string(6 << 20, 'v'));
  sink_.let_go();
  for (const auto& commit : commits_) EXPECT_TRUE(answer_of(*commit));
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1, 2, 2, 1}));
}

TEST_F(CommitQueueTest, CloseWritesWhatIsInLineAndRefusesTheRest) {
  sink_.hold();
  start("first", "v");
  sink_.wait_until_begun(1);
  start("second", "v");
  std::thread closer([&] { queue_.close(); });
  sink_.let_go();
  closer.join();
  EXPECT_TRUE(answer_of(*commits_[0]));
  EXPECT_TRUE(answer_of(*commits_[1]));
  EXPECT_EQ(error_of(start("third", "v")), ErrorCode::unavailable);
  EXPECT_EQ(sink_.rows.size(), 2u);
}

TEST_F(CommitQueueTest, AThreadThatIsNoExecutorBlocksUntilItsAnswer) {
  Commit commit;
  commit.batch.puts.push_back({"k", "v"});
  std::thread thread([&] { run(commit); });
  thread.join();
  ASSERT_TRUE(commit.answered);
  EXPECT_TRUE(*commit.answer);
  EXPECT_EQ(sink_.rows["k"], "v");
}

TEST_F(CommitQueueTest, EraseRangeBreaksEveryGuard) {
  const Version before = slots_.load(slots_.hash("k"));
  ASSERT_TRUE(base::sync_wait(queue_.erase_range({"a", "z"})));
  EXPECT_EQ(error_of(start("k", "v", before)), ErrorCode::conflict);
}

class CommitQueueInPlace : public CommitQueueTest {
 protected:
  CommitQueueInPlace() : CommitQueueTest(true) {}
};

TEST_F(CommitQueueInPlace, ALoneCommitIsWrittenByItsThreadAndAnsweredAtOnce) {
  EXPECT_TRUE(start("k", "v").answered);
  EXPECT_EQ(sink_.writers, (std::vector<std::thread::id>{std::this_thread::get_id()}));
  EXPECT_EQ(sink_.rows["k"], "v");
  EXPECT_EQ(pending("k"), "<none>");
  EXPECT_EQ(queue_.durable(), slots_.load(slots_.hash("k")));
}

TEST_F(CommitQueueInPlace, OthersGatherBehindIt) {
  sink_.hold();
  Commit first;
  first.batch.puts.push_back({"first", "v"});
  std::thread thread([&] { run(first); });
  sink_.wait_until_begun(1);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(start("k" + std::to_string(i), "v").answered);
  sink_.let_go();
  thread.join();
  for (const auto& commit : commits_) EXPECT_TRUE(answer_of(*commit));
  EXPECT_TRUE(first.answered);
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1, 10}));
}

TEST_F(CommitQueueInPlace, TheCommitterTakesOverWhenTheDiskIsBehind) {
  sink_.be_behind();
  Commit& commit = start("k", "v");
  EXPECT_FALSE(commit.answered);
  EXPECT_TRUE(answer_of(commit));
  EXPECT_EQ(sink_.rows["k"], "v");
  ASSERT_EQ(sink_.writers.size(), 2u);
  EXPECT_NE(sink_.writers[1], std::this_thread::get_id());
}

TEST_F(CommitQueueInPlace, AFailureTakesThoseBehindItAlong) {
  sink_.hold();
  sink_.fail_with(Error{ErrorCode::unavailable, "broken"});
  Commit first;
  first.batch.puts.push_back({"first", "v"});
  std::thread thread([&] { run(first); });
  sink_.wait_until_begun(1);
  for (int i = 0; i < 10; ++i) start("k" + std::to_string(i), "v");
  sink_.let_go();
  thread.join();
  ASSERT_TRUE(first.answered);
  EXPECT_FALSE(*first.answer);
  for (const auto& commit : commits_) EXPECT_EQ(error_of(*commit), ErrorCode::unavailable);
  EXPECT_TRUE(sink_.rows.empty());
}

TEST_F(CommitQueueInPlace, CloseWaitsForIt) {
  sink_.hold();
  Commit first;
  first.batch.puts.push_back({"first", "v"});
  std::thread thread([&] { run(first); });
  sink_.wait_until_begun(1);
  std::thread closer([&] { queue_.close(); });
  sink_.let_go();
  closer.join();
  thread.join();
  EXPECT_TRUE(*first.answer);
  EXPECT_EQ(sink_.rows["first"], "v");
}

// An erasure under way, and its range.
class CommitQueueErasure : public CommitQueueTest {
 protected:
  base::Detached erase(Range range) {
    const Result<void> done = co_await queue_.erase_range(range);
    EXPECT_EQ(done.has_value(), !fails_);
    erased_ = true;
  }
  // The sink is busy with something else, so that all that follows is in line.
  void SetUp() override {
    ASSERT_TRUE(answer_of(start("b", "old")));
    ASSERT_TRUE(answer_of(start("x", "old")));
    sink_.hold();
    start("first", "v");
    sink_.wait_until_begun(3);
  }

  bool fails_ = false;
  bool erased_ = false;
};

TEST_F(CommitQueueErasure, InLineShowsKeysOfItsRangeAsAbsentAndNoOthers) {
  start("c", "before");
  erase({"b", "m"});
  for (const char* key : {"b", "c", "d, never written"}) EXPECT_EQ(pending(key), "<erased>") << key;
  EXPECT_EQ(pending("a"), "<none>");
  EXPECT_EQ(pending("m"), "<none>") << "the end of the range is not in it";
  EXPECT_EQ(pending("first"), "<erased>") << "a write that is with the sink is before the erasure";
  start("c", "behind");
  EXPECT_EQ(pending("c"), "behind");
  sink_.let_go();
  executor_.run_until(erased_);
  for (const auto& commit : commits_) EXPECT_TRUE(answer_of(*commit));
  EXPECT_EQ(sink_.rows, (std::map<std::string, std::string>{{"c", "behind"}, {"x", "old"}}));
  EXPECT_EQ(pending("b"), "<none>");
}

TEST_F(CommitQueueErasure, InLineGivesVersionsThatGuardCommitsBehindIt) {
  erase({"b", "m"});
  Version inside = 0;
  Version outside = 0;
  ASSERT_EQ(pending("b", &inside), "<erased>");
  ASSERT_EQ(pending("x", &outside), "<none>");
  Commit& first = start("b", "new", inside);
  Commit& other = start("x", "new", outside);
  Commit& late = start("b", "decided on what was erased", inside);
  EXPECT_EQ(error_of(late), ErrorCode::conflict);
  Commit& validation = start_validation("c", inside);
  EXPECT_FALSE(validation.answered) << "that the row is absent is not durable yet";
  sink_.let_go();
  EXPECT_TRUE(answer_of(first));
  EXPECT_TRUE(answer_of(other));
  EXPECT_TRUE(answer_of(validation));
  EXPECT_EQ(sink_.rows, (std::map<std::string, std::string>{{"b", "new"}, {"x", "new"}}));
}

TEST_F(CommitQueueErasure, OfTheSameRangeTwiceIsKnownUntilBothAreDone) {
  erase({"b", "m"});
  start("c", "between");
  erase({"b", "m"});
  EXPECT_EQ(pending("c"), "<erased>");
  sink_.let_go();
  EXPECT_TRUE(answer_of(start("last", "v")));
  EXPECT_EQ(pending("c"), "<none>");
  EXPECT_FALSE(sink_.rows.contains("c"));
}

TEST_F(CommitQueueErasure, ThatFailsIsForgotten) {
  fails_ = true;
  sink_.fail_with(Error{ErrorCode::unavailable, "broken"});
  erase({"b", "m"});
  Version version = 0;
  ASSERT_EQ(pending("b", &version), "<erased>");
  sink_.let_go();
  executor_.run_until(erased_);
  Version after = 0;
  EXPECT_EQ(pending("b", &after), "<none>");
  EXPECT_NE(after, version) << "nobody may build on an erasure that never was";
}

// So patient that only company ends the wait.
class CommitQueuePatience : public CommitQueueTest {
 protected:
  CommitQueuePatience()
      : CommitQueueTest({.retry_interval = std::chrono::milliseconds(0),
                         .patience = std::chrono::hours(1),
                         .company_memory = std::chrono::hours(1)}) {}
};

TEST_F(CommitQueuePatience, GoesWithTheNextRequest) {
  EXPECT_TRUE(answer_of(start("request", "1")));
  Commit& first = start_patient("page", "1");
  Commit& second = start_patient("page", "2");
  EXPECT_EQ(pending("page"), "2");
  EXPECT_TRUE(answer_of(start("request", "2")));
  EXPECT_TRUE(answer_of(first));
  EXPECT_TRUE(answer_of(second));
  EXPECT_EQ(sink_.group_sizes, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(sink_.rows["page"], "2");
}

TEST_F(CommitQueuePatience, EndsWhenARequestBuildsOnIt) {
  EXPECT_TRUE(answer_of(start("request", "1")));
  Commit& page = start_patient("page", "1");
  Version version = 0;
  ASSERT_EQ(pending("page", &version), "1");
  EXPECT_TRUE(answer_of(start_validation("page", version)));
  EXPECT_TRUE(answer_of(page));
}

TEST_F(CommitQueuePatience, EndsWhenTheStoreIsClosed) {
  EXPECT_TRUE(answer_of(start("request", "1")));
  Commit& page = start_patient("page", "1");
  queue_.close();
  EXPECT_TRUE(answer_of(page));
  EXPECT_EQ(sink_.rows["page"], "1");
}

TEST_F(CommitQueueTest, APatientCommitWaitsForNobodyWhereThereAreNoRequests) {
  EXPECT_TRUE(answer_of(start_patient("page", "1")));
  EXPECT_TRUE(answer_of(start("request", "1")));
  EXPECT_TRUE(answer_of(start_patient("page", "2"))) << "and not for ever where there were some";
}

}  // namespace
}  // namespace stator::store
