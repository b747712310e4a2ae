#include "store/rocksdb/commit_queue_test_support.h"

namespace stator::store {
namespace {

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

}  // namespace
}  // namespace stator::store
