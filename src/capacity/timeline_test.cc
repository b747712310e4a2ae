#include "capacity/timeline.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace stator::capacity {
namespace {

constexpr std::int64_t kNow = 1'780'000'000'000'000;  // microseconds since the epoch
constexpr std::int64_t kSecond = 1'000'000;

TEST(Timeline, GoesWithTheClock) {
  Timeline timeline;
  const Ticks start = timeline.at(kNow);
  EXPECT_EQ(kTicksPerSecond, timeline.at(kNow + kSecond) - start);
  EXPECT_EQ(10 * kTicksPerSecond, timeline.at(kNow + 10 * kSecond) - start);
}

TEST(Timeline, GoesOnWhenTheClockIsSetBack) {
  Timeline timeline;
  (void)timeline.at(kNow);
  const Ticks before = timeline.at(kNow + 3600 * kSecond);
  const Ticks after = timeline.at(kNow);  // an hour back
  EXPECT_EQ(before, after);
  EXPECT_EQ(5 * kTicksPerSecond, timeline.at(kNow + 5 * kSecond) - after);
}

TEST(Timeline, ToleratesThreadsThatDisagree) {
  Timeline timeline;
  (void)timeline.at(kNow);
  const Ticks late = timeline.at(kNow + kSecond);
  const Ticks early = timeline.at(kNow + kSecond - 50);  // another thread read its clock a little earlier
  EXPECT_EQ(50 * kTicksPerMicrosecond, late - early);
  EXPECT_EQ(late, timeline.at(kNow + kSecond));
}

TEST(Timeline, TakesALongJumpForADay) {
  Timeline timeline;
  const Ticks start = timeline.at(kNow);
  const Ticks after = timeline.at(kNow + 1000LL * 365 * 86400 * kSecond);  // a thousand years
  EXPECT_EQ(86400 * kTicksPerSecond, after - start);
  EXPECT_GE(timeline.at(kNow), after);  // and back
}

TEST(Timeline, IsOneForAllThreads) {
  Timeline timeline;
  const Ticks start = timeline.at(kNow);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) (void)timeline.at(kNow + i);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(20000 * kTicksPerMicrosecond, timeline.at(kNow + 20000) - start);
}

}  // namespace
}  // namespace stator::capacity
