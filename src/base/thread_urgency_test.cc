#include "base/thread_urgency.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <thread>

namespace stator::base {
namespace {

int niceness() { return getpriority(PRIO_PROCESS, 0); }

TEST(ThreadUrgencyTest, OneThreadGivesWayAndTheOthersStay) {
  const int before = niceness();
  std::thread([&] {
    give_way_to_requests(before + 3);
    EXPECT_EQ(niceness(), before + 3);
  }).join();
  EXPECT_EQ(niceness(), before);
}

TEST(ThreadUrgencyTest, ShortTurnsLeaveShareAndPolicyAsTheyWere) {
  std::thread([] {
    const int before = niceness();
    let_nobody_wait();
    EXPECT_EQ(niceness(), before);
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  }).join();
}

TEST(ThreadUrgencyTest, APolicyThatSomebodyChoseStays) {
  std::thread([] {
    const sched_param none{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
    let_nobody_wait();
    EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH);
  }).join();
}

}  // namespace
}  // namespace stator::base
