#include "design/migrate/throttle.h"

#include <gtest/gtest.h>

namespace stator::design {
namespace {

using Clock = RateLimit::Clock;
using std::chrono::milliseconds;

// A clock that goes on only when told.
struct HandClock {
  Clock::time_point now{};
  RateLimit limit(double rate) {
    return RateLimit(rate, [this] { return now; });
  }
};

TEST(RateLimit, NeverGivesMoreThanTheRate) {
  HandClock clock;
  RateLimit limit = clock.limit(100);
  double used = 0;
  for (int call = 0; call < 500; ++call) {
    clock.now += limit.take(3);
    const double seconds = std::chrono::duration<double>(clock.now.time_since_epoch()).count();
    EXPECT_LE(used, 100 * seconds + 1e-6);  // what was used before this call
    used += 3;
  }
  EXPECT_EQ(used, 1500);
}

TEST(RateLimit, DoesNotSaveUpWhatWasNotUsed) {
  HandClock clock;
  RateLimit limit = clock.limit(10);
  clock.now += milliseconds(60'000);
  EXPECT_EQ(limit.take(10), Clock::duration::zero());
  EXPECT_EQ(limit.take(10), milliseconds(1000));
}

TEST(RateLimit, CountsWhatACallReallyTook) {
  HandClock clock;
  RateLimit limit = clock.limit(10);
  EXPECT_EQ(limit.take(1), Clock::duration::zero());
  limit.correct(9);
  EXPECT_EQ(limit.take(1), milliseconds(1000));
  limit.correct(-1);
  EXPECT_EQ(limit.take(1), milliseconds(1000));
}

TEST(RateLimit, IsSlowerAfterARefusalAndComesBack) {
  HandClock clock;
  RateLimit limit = clock.limit(10);
  limit.slow_down();
  EXPECT_EQ(limit.take(1), Clock::duration::zero());
  EXPECT_EQ(limit.take(1), milliseconds(200));
  for (int call = 0; call < 1000; ++call) limit.speed_up();
  clock.now += milliseconds(10'000);
  EXPECT_EQ(limit.take(1), Clock::duration::zero());
  EXPECT_EQ(limit.take(1), milliseconds(100));
}

TEST(RateLimit, ZeroIsNoLimit) {
  HandClock clock;
  RateLimit limit = clock.limit(0);
  for (int call = 0; call < 100; ++call) EXPECT_EQ(limit.take(1000), Clock::duration::zero());
}

}  // namespace
}  // namespace stator::design
