#include "base/thread_urgency.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

namespace stator::base {
namespace {

int niceness() { return getpriority(PRIO_PROCESS, 0); }

TEST(ThreadUrgencyTest, OneThreadGivesWayAndTheOthersStay) {
  const int before = niceness();
  std::thread([&] {
    const int wanted = std::min(before + 3, 19);  // the tests themselves may have been told to give way
    give_way_to_requests(wanted);
    EXPECT_EQ(niceness(), wanted);
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

// The length of a turn as the system tells it; 0 where it has none for each thread.
std::uint64_t turn_ns() {
  std::array<char, 48> attributes{};  // of sched_getattr(): runtime stands behind size, policy, flags, niceness, priority
  std::uint64_t turn = 0;
  if (syscall(SYS_sched_getattr, 0, attributes.data(), attributes.size(), 0) == 0) {
    std::memcpy(&turn, attributes.data() + 24, sizeof turn);
  }
  return turn;
}

TEST(ThreadUrgencyTest, TurnsAreShortWhereTheSystemKnowsThem) {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::thread([&] {
    before = turn_ns();
    let_nobody_wait();
    after = turn_ns();
  }).join();
  if (before == 0) GTEST_SKIP() << "this system has one length of turns for all";
  EXPECT_LT(after, before);
}

TEST(ThreadUrgencyTest, RequestsHaveShorterTurnsThanWorkThatCanWait) {
  std::uint64_t before = 0;
  std::uint64_t of_requests = 0;
  std::uint64_t of_other_work = 0;
  std::thread([&] {
    before = turn_ns();
    let_nobody_wait();
    of_requests = turn_ns();
  }).join();
  std::thread([&] {
    give_way_to_requests(niceness());
    of_other_work = turn_ns();
  }).join();
  if (before == 0) GTEST_SKIP() << "this system has one length of turns for all";
  EXPECT_LT(of_requests, of_other_work);
  EXPECT_LT(of_other_work, before);
}

TEST(ThreadUrgencyTest, ATurnEndsOnlyAfterItsTime) {
  using std::chrono::steady_clock;
  const auto before = steady_clock::now();
  Turns turns;
  bool ended = false;
  while (!ended) ended = turns.may_end();
  EXPECT_GE(steady_clock::now() - before, std::chrono::microseconds(100));
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
