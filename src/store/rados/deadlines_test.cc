#include "store/rados/deadlines.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

namespace stator::store::rados {
namespace {

using std::chrono::milliseconds;

// Operations that a test answers in the place of librados.
struct Operation {
  std::atomic<int> answers{0};
  std::atomic<int> status{1};

  std::shared_ptr<Pending> start(const std::string& object = "object", std::size_t bytes = 1) {
    return std::make_shared<Pending>(object, bytes, answered, this);
  }
  static void answered(void* self, Reply reply) {
    auto* const operation = static_cast<Operation*>(self);
    operation->status = reply.status;
    ++operation->answers;
    operation->answers.notify_all();
  }
  void wait() const { answers.wait(0); }
};

void answer_in_time(Deadlines& deadlines, Pending& pending) {
  ASSERT_TRUE(deadlines.end(pending));
  pending.answer(0);
  deadlines.answered();
}

constexpr milliseconds kLong{3'600'000};

TEST(Deadlines, AnAnswerInTimeIsPassedOn) {
  Deadlines deadlines({.timeout = kLong});
  Operation operation;
  const auto pending = operation.start();
  ASSERT_TRUE(deadlines.begin(pending));
  answer_in_time(deadlines, *pending);
  EXPECT_EQ(operation.status, 0);
  EXPECT_TRUE(deadlines.drain().empty());
  EXPECT_EQ(deadlines.statistics().timeouts, 0);
}

TEST(Deadlines, WhatIsNotAnsweredTimesOutAndItsLateAnswerIsDropped) {
  Deadlines deadlines({.timeout = milliseconds(1)});
  Operation operation;
  auto pending = operation.start();
  ASSERT_TRUE(deadlines.begin(pending));
  operation.wait();
  EXPECT_EQ(operation.status, -ETIMEDOUT);
  EXPECT_EQ(deadlines.statistics().late, 1);
  EXPECT_FALSE(deadlines.end(*pending));
  EXPECT_EQ(deadlines.statistics().late, 0);
  EXPECT_EQ(deadlines.statistics().timeouts, 1);
  EXPECT_EQ(operation.answers, 1);
}

TEST(Deadlines, ARecordLivesUntilItsLateAnswer) {
  Deadlines deadlines({.timeout = milliseconds(1)});
  Operation operation;
  auto pending = operation.start();
  ASSERT_TRUE(deadlines.begin(pending));
  operation.wait();
  EXPECT_EQ(deadlines.drain().size(), 1);  // and the thread that has answered holds it no more
  const std::weak_ptr<Pending> record = pending;
  Pending* const librados = pending.get();
  pending.reset();
  ASSERT_FALSE(record.expired());
  EXPECT_FALSE(deadlines.end(*librados));
  EXPECT_TRUE(record.expired());
}

TEST(Deadlines, AnObjectWithTooManyLateOperationsIsAnsweredAtOnceAndOthersAreNot) {
  Deadlines deadlines({.timeout = milliseconds(1), .late_of_object_max = 2});
  Operation late[2];
  std::shared_ptr<Pending> records[2];
  for (int i = 0; i < 2; ++i) {
    records[i] = late[i].start("dead");
    ASSERT_TRUE(deadlines.begin(records[i]));
    late[i].wait();
  }
  Operation refused, other;
  EXPECT_FALSE(deadlines.begin(refused.start("dead")));
  EXPECT_EQ(refused.answers, 1);
  EXPECT_EQ(refused.status, -ETIMEDOUT);
  const auto elsewhere = other.start("alive");
  EXPECT_TRUE(deadlines.begin(elsewhere));
  other.wait();

  EXPECT_FALSE(deadlines.end(*records[0]));  // one place is free again
  Operation again;
  const auto accepted = again.start("dead");
  EXPECT_TRUE(deadlines.begin(accepted));
  again.wait();
  EXPECT_EQ(deadlines.drain().size(), 3);
}

TEST(Deadlines, BytesOfLateOperationsAreBounded) {
  Deadlines deadlines({.timeout = milliseconds(1), .late_bytes_max = 100});
  Operation large, refused;
  const auto record = large.start("one", 100);
  ASSERT_TRUE(deadlines.begin(record));
  large.wait();
  EXPECT_FALSE(deadlines.begin(refused.start("other")));
}

TEST(Deadlines, HasteEndsWhatIsUnderWayAndWhatHadNoDeadline) {
  Deadlines deadlines({.timeout = kLong});
  Operation usual, patient, after;
  const auto first = usual.start();
  const auto second = patient.start();
  ASSERT_TRUE(deadlines.begin(first));
  ASSERT_TRUE(deadlines.begin_patiently(second));
  deadlines.hasten(milliseconds(1));
  usual.wait();
  patient.wait();
  EXPECT_EQ(usual.status, -ETIMEDOUT);
  EXPECT_EQ(patient.status, -ETIMEDOUT);
  EXPECT_EQ(deadlines.drain().size(), 2);
  EXPECT_FALSE(deadlines.begin(after.start("other")));  // nobody answers any more
}

TEST(Deadlines, HasteLeavesAClusterThatAnswersAlone) {
  Deadlines deadlines({.timeout = kLong});
  deadlines.hasten(kLong);
  Operation operation;
  const auto pending = operation.start();
  ASSERT_TRUE(deadlines.begin(pending));
  answer_in_time(deadlines, *pending);
  EXPECT_EQ(operation.status, 0);
}

}  // namespace
}  // namespace stator::store::rados
