#include "store/rocksdb/commit_queue_test_support.h"

namespace stator::store {
namespace {

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

}  // namespace
}  // namespace stator::store
