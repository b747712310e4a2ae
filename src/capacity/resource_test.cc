#include "capacity/resource.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

TEST(Resource, ServesTheShopAsComputedByHand) {
  Resource table(ResourceKind::table, provisioned(1000, 1500), Tuning{}, kTestStart);
  Player writes{table};
  writes.play(Direction::write, 500, 60, write_cost(2560), spread);
  EXPECT_EQ(0, writes.refused);
  Player reads{table};
  reads.play(Direction::read, 2000, 60, read_cost(3 * 1024, Consistency::eventual), spread);
  EXPECT_EQ(0, reads.refused);
  const ResourceSnapshot snapshot = table.snapshot(reads.now, false);
  EXPECT_EQ(2 * 1500 * 60, snapshot.side(Direction::write).consumed);
  EXPECT_EQ(2 * 1000 * 60, snapshot.side(Direction::read).consumed);
}

TEST(Resource, RefusesWhatIsAboveWhatIsProvisioned) {
  Resource table(ResourceKind::table, provisioned(1000, 1499), Tuning{}, kTestStart);
  Player player{table};
  // One unit too much in each second: the first second's saving of 1,499 units lasts for 1,499 seconds.
  player.play(Direction::write, 500, 1490, write_cost(2560), spread);
  EXPECT_EQ(0, player.refused);
  player.play(Direction::write, 500, 300, write_cost(2560), spread);
  EXPECT_NEAR(291 / 3.0, static_cast<double>(player.refused), 2);
  EXPECT_EQ("TableWriteProvisionedThroughputExceeded", reason_name(player.last_refusal.reason));
}

TEST(Resource, GivesBackWhatWasNotDone) {
  Resource table(ResourceKind::table, provisioned(1, 4), Tuning{}, kTestStart);
  const Charge charge{&table, Direction::write, 8, one_key(0), {}};
  EXPECT_TRUE(admit({&charge, 1}, Mode::enforce, kTestStart).allowed);
  EXPECT_FALSE(would_admit(charge, kTestStart));
  table.give_back(Direction::write, 8, charge.place, false, kTestStart);
  EXPECT_TRUE(would_admit(charge, kTestStart));
  const ResourceSnapshot snapshot = table.snapshot(kTestStart, true);
  EXPECT_EQ(0, snapshot.side(Direction::write).consumed);
  EXPECT_EQ(0u, snapshot.side(Direction::write).requests);
  EXPECT_EQ(0, snapshot.partitions.front().sides[static_cast<std::size_t>(Direction::write)].consumed);
  EXPECT_NEAR(4, snapshot.side(Direction::write).burst, 1e-6);
}

// The table has enough; the partition is what stands against the next request, and has to get its part back too.
TEST(Resource, GivesBackToAPartitionAtItsCeiling) {
  for (const Direction direction : {Direction::read, Direction::write}) {
    Resource table(ResourceKind::table, provisioned(1000, 500), Tuning{}, kTestStart);
    const Ticks now = kTestStart + seconds(300);
    ASSERT_EQ(1, table.snapshot(now, false).partition_count);
    const Charge charge{&table, direction, 20'000, one_key(0), {}};
    ASSERT_TRUE(admit({&charge, 1}, Mode::enforce, now).allowed);
    ASSERT_EQ(Limit::key_range, table.refusal(direction, charge.place, now));
    table.give_back(direction, charge.cost, charge.place, false, now);
    EXPECT_TRUE(would_admit(charge, now));
    // And no more than that: the ceiling holds a second's worth.
    const HalfUnits second = direction == Direction::read ? 6000 : 2000;
    const Charge all{&table, direction, second, charge.place, {}};
    EXPECT_TRUE(admit({&all, 1}, Mode::enforce, now).allowed);
    EXPECT_FALSE(would_admit(all, now));
  }
}

// The service's own example: 150 units idle for five minutes save 45,000, which carry 200 for 15 minutes.
TEST(Resource, BurstsForThreeHundredSecondsOfSaving) {
  Resource table(ResourceKind::table, provisioned(150, 1), Tuning{}, kTestStart);
  Player player{table};
  player.wait(300);
  EXPECT_NEAR(45000, table.snapshot(player.now, false).side(Direction::read).burst, 1);
  player.play(Direction::read, 200, 900, 2, spread);
  EXPECT_EQ(0, player.refused);
  player.play(Direction::read, 200, 100, 2, spread);
  EXPECT_NEAR(100 * 50, static_cast<double>(player.refused), 2);
}

// The same for a day: 72 times five idle minutes and fifteen busy ones.
TEST(Resource, BurstsAllDayWhenTheSavingsMatch) {
  for (const auto& [rate, refused_a_day] :
       {std::pair{200, 0}, std::pair{201, 72 * 900}, std::pair{250, 72 * 45000}}) {
    Resource table(ResourceKind::table, provisioned(150, 1), Tuning{}, kTestStart);
    Player player{table};
    for (int cycle = 0; cycle < 72; ++cycle) {
      player.wait(300);
      player.play(Direction::read, rate, 900, 2, spread);
    }
    EXPECT_EQ(kTestStart + seconds(86400), player.now);
    EXPECT_NEAR(refused_a_day, static_cast<double>(player.refused), 72 * 2) << rate;
    EXPECT_EQ(72LL * 900 * rate, player.admitted + player.refused);
    EXPECT_EQ(2 * player.admitted, table.snapshot(player.now, false).side(Direction::read).consumed);
  }
}

TEST(Resource, DoesNotBurstPastThePartitionCeiling) {
  Resource table(ResourceKind::table, provisioned(1, 100), Tuning{}, kTestStart);  // one partition
  Player player{table};
  player.wait(300);
  player.play(Direction::write, 3000, 10, 2, spread);
  // 10 s at the ceiling of 1,000 and the second that the ceiling itself holds.
  EXPECT_NEAR(11000, static_cast<double>(player.admitted), 3);
  EXPECT_EQ("TableWriteKeyRangeThroughputExceeded", reason_name(player.last_refusal.reason));
}

TEST(Resource, LendsUnusedThroughputToAHotPartitionAtOnce) {
  Resource table(ResourceKind::table, provisioned(1, 4000), Tuning{}, kTestStart);
  ASSERT_EQ(5, table.snapshot(kTestStart, false).partition_count);  // a share of 800 each
  Player player{table};
  player.play(Direction::write, 1000, 60, 2, one_key);
  EXPECT_EQ(0, player.refused);
  player.play(Direction::write, 10, 60, 2, spread);  // the next minute: the first is accounted for
  HalfUnits lent = 0;
  for (const PartitionSnapshot& partition : table.snapshot(player.now, true).partitions)
    lent += partition.sides[1].lent;
  EXPECT_NEAR(200 * 60 * 2, static_cast<double>(lent), 4);
}

TEST(Resource, LendsNothingThatTheTableDoesNotHave) {
  Resource table(ResourceKind::table, provisioned(3000, 500), Tuning{}, kTestStart);
  Player player{table};
  player.play(Direction::write, 700, 60, 2, one_key);
  EXPECT_NEAR(500 * 61, static_cast<double>(player.admitted), 2);
  EXPECT_EQ(Limit::provisioned, player.last_refusal.reason.limit);
}

TEST(Resource, OnDemandStartsWithFourPartitions) {
  Resource table(ResourceKind::table, Settings{}, Tuning{}, kTestStart);
  const ResourceSnapshot snapshot = table.snapshot(kTestStart, false);
  EXPECT_EQ(4, snapshot.partition_count);
  EXPECT_EQ(kOnDemandAtBirth, snapshot.warm);
  Player player{table};
  player.play(Direction::write, 3900, 20, 2, spread);
  EXPECT_EQ(0, player.refused);
  player.play(Direction::write, 6000, 20, 2, spread);
  EXPECT_GT(player.refused, 20 * 1500);
  EXPECT_EQ("TableWriteKeyRangeThroughputExceeded", reason_name(player.last_refusal.reason));
}

TEST(Resource, OnDemandServesTwiceThePreviousPeakAfterHalfAnHour) {
  Tuning tuning;
  tuning.hot_minutes = 1000;  // no split for heat in this test
  Resource table(ResourceKind::table, Settings{}, tuning, kTestStart);
  Player player{table};
  player.play(Direction::write, 3500, 25 * 60, 2, spread);
  EXPECT_EQ(4, table.snapshot(player.now, false).partition_count);
  player.play(Direction::write, 3500, 7 * 60, 2, spread);
  const ResourceSnapshot grown = table.snapshot(player.now, false);
  EXPECT_EQ(8, grown.partition_count);
  EXPECT_NEAR(7000, static_cast<double>(grown.warm.write), 2);
  EXPECT_EQ(0, player.refused);
  player.play(Direction::write, 7000, 20, 2, spread);
  EXPECT_EQ(0, player.refused);
}

TEST(Resource, KeepsToTheOwnersMaximumAndTheAccountsQuota) {
  Settings settings;
  settings.max_on_demand = {.read = 0, .write = 100};
  settings.warm = {.read = 90000, .write = 4000};
  Resource table(ResourceKind::table, settings, Tuning{}, kTestStart);
  Player writes{table};
  writes.play(Direction::write, 200, 60, 2, spread);
  EXPECT_NEAR(61 * 100, static_cast<double>(writes.admitted), 2);
  EXPECT_EQ("TableWriteMaxOnDemandThroughputExceeded", reason_name(writes.last_refusal.reason));
  Player reads{table};
  reads.play(Direction::read, 5000, 5, 20, spread);  // 50,000 units a second
  EXPECT_NEAR(6 * 4000, static_cast<double>(reads.admitted), 3);
  EXPECT_EQ("TableReadAccountLimitExceeded", reason_name(reads.last_refusal.reason));
}

TEST(Resource, ReportsAndKeepsWarmThroughput) {
  Resource table(ResourceKind::table, provisioned(100, 100), Tuning{}, kTestStart);
  EXPECT_EQ((Throughput{100, 100}), table.warm());
  table.apply(provisioned(5000, 2000), kTestStart);
  EXPECT_EQ(4, table.snapshot(kTestStart, false).partition_count);
  table.apply(provisioned(1, 1), kTestStart);
  EXPECT_EQ((Throughput{5000, 2000}), table.warm());
  EXPECT_EQ(4, table.snapshot(kTestStart, false).partition_count) << "partitions are never merged";
  table.apply(Settings{}, kTestStart);
  EXPECT_EQ(kOnDemandAtBirth, table.warm());
  Settings warm;
  warm.warm = {.read = 30000, .write = 10000};
  table.apply(warm, kTestStart);
  EXPECT_EQ((Throughput{30000, 10000}), table.warm());
  EXPECT_GE(table.snapshot(kTestStart, false).partition_count, 10);
  table.apply(provisioned(5, 5), kTestStart);
  EXPECT_EQ((Throughput{30000, 10000}), table.warm());
}

// Of what was provisioned, reads and writes each by themselves stay warm in the other mode.
TEST(Resource, KeepsWarmReadsWhenItGoesOnDemand) {
  Resource table(ResourceKind::table, provisioned(40'000, 100), Tuning{}, kTestStart);
  table.apply(Settings{}, kTestStart);
  EXPECT_EQ((Throughput{40'000, kOnDemandAtBirth.write}), table.warm());
  Resource written(ResourceKind::table, provisioned(100, 30'000), Tuning{}, kTestStart);
  written.apply(Settings{}, kTestStart);
  EXPECT_EQ((Throughput{kOnDemandAtBirth.read, 30'000}), written.warm());
}

TEST(Resource, GrowsWithItsSize) {
  Resource table(ResourceKind::table, provisioned(5, 5), Tuning{}, kTestStart);
  table.set_size(35ULL << 30, kTestStart);
  EXPECT_EQ(4, table.snapshot(kTestStart, false).partition_count);
}

TEST(Resource, ThrottlesAgainAtOnceWhenLowered) {
  Resource table(ResourceKind::table, provisioned(1, 1000), Tuning{}, kTestStart);
  Player player{table};
  player.wait(300);
  table.apply(provisioned(1, 1), player.now);
  EXPECT_NEAR(300, table.snapshot(player.now, false).side(Direction::write).burst, 1);
  player.play(Direction::write, 900, 10, 2, spread);
  EXPECT_NEAR(310, static_cast<double>(player.admitted), 2);
}

}  // namespace
}  // namespace stator::capacity
