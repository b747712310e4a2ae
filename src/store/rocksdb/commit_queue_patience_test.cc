#include "store/rocksdb/commit_queue_test_support.h"

namespace stator::store {
namespace {

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
