#include "engine/lease.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/sync_wait.h"
#include "engine/hooked_store.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::error_of;
using testing::HookedStore;
using namespace std::chrono_literals;

class LeasesTest : public ::testing::Test {
 protected:
  LeasesTest() { store_.is_shared = true; }

  void tick(Leases& leases) {
    const Result<void> ticked = sync_wait(leases.tick(now_));
    ASSERT_TRUE(ticked.has_value()) << error_of(ticked);
  }
  // Both, until nothing moves any more.
  void settle(Leases& a, Leases& b) {
    for (int i = 0; i < 3; ++i) {
      tick(a);
      tick(b);
    }
  }
  static std::size_t both(const Leases& a, const Leases& b) {
    std::size_t count = 0;
    for (TableId table = 0; table < Leases::kShares; ++table) {
      if (a.holds(table) && b.holds(table)) ++count;
    }
    return count;
  }

  HookedStore store_;
  Leases::Moment now_ = std::chrono::steady_clock::now();
};

TEST_F(LeasesTest, AreAllHeldWhereTheStoreIsNotShared) {
  store_.is_shared = false;
  const Leases only(store_);
  EXPECT_TRUE(only.holds(1));
  EXPECT_EQ(only.held(), Leases::kShares);
}

TEST_F(LeasesTest, AreTakenByTheFirstNodeAndDividedWithTheSecond) {
  Leases a(store_, "a");
  EXPECT_FALSE(a.holds(1));
  tick(a);
  EXPECT_EQ(a.held(), Leases::kShares);
  Leases b(store_, "b");
  settle(a, b);
  EXPECT_EQ(a.held() + b.held(), Leases::kShares);
  EXPECT_EQ(both(a, b), 0u);
  EXPECT_GT(a.held(), Leases::kShares / 4);
  EXPECT_GT(b.held(), Leases::kShares / 4);
  EXPECT_EQ(b.nodes(), 2u);
}

TEST_F(LeasesTest, OfANodeThatDiedAreTakenOverWhenItsHeartbeatHasStoodStillForTheirLength) {
  Leases a(store_, "a");
  Leases b(store_, "b");
  settle(a, b);
  tick(a);  // sees the last heartbeat
  const std::size_t own = a.held();
  now_ += Leases::kLength - 1ms;
  tick(a);
  EXPECT_EQ(a.held(), own);
  now_ += 1ms;
  tick(a);
  EXPECT_EQ(a.held(), Leases::kShares);
  EXPECT_EQ(a.nodes(), 1u);
}

TEST_F(LeasesTest, AreNotTakenFromANodeThatCameBackInBetween) {
  Leases a(store_, "a");
  Leases b(store_, "b");
  settle(a, b);
  tick(a);
  const std::size_t own = a.held();
  now_ += Leases::kLength;
  // The heartbeat comes after the look at all rows and before the first takeover.
  int changes = 0;
  store_.before_change = [&]() -> std::optional<Error> {
    if (++changes == 2) tick(b);
    return std::nullopt;
  };
  tick(a);
  store_.before_change = nullptr;
  EXPECT_EQ(a.held(), own);
  settle(a, b);
  EXPECT_EQ(both(a, b), 0u);
}

TEST_F(LeasesTest, AreGivenBackAtTheEnd) {
  Leases a(store_, "a");
  Leases b(store_, "b");
  settle(a, b);
  ASSERT_TRUE(sync_wait(b.release()).has_value());
  tick(a);
  EXPECT_EQ(a.held(), Leases::kShares);
}

TEST_F(LeasesTest, AreNotHeldAnyMoreByANodeWhoseHeartbeatFails) {
  Leases a(store_, "a");
  now_ -= Leases::kLength;  // long ago
  tick(a);
  EXPECT_EQ(a.held(), Leases::kShares);
  EXPECT_FALSE(a.holds(1));
}

TEST_F(LeasesTest, ForgetNodesThatAreGone) {
  Leases a(store_, "a");
  {
    Leases b(store_, "b");
    settle(a, b);
    tick(a);
  }
  const auto rows = [&] { return testing::count_rows(store_, 0); };
  now_ += 59s;
  tick(a);
  const std::size_t before = rows();
  now_ += 1s;
  tick(a);
  EXPECT_EQ(rows(), before - 1);
}

}  // namespace
}  // namespace stator::engine
