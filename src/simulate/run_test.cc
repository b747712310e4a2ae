#include "simulate/run.h"

#include <gtest/gtest.h>

#include "simulate/report.h"
#include "simulate/test_support.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::Limit;

TEST(Run, ShipmentsAreThrottledByOneKeyAndCuredByTenShards) {
  SyntheticSource before(shipments(0.6, 1));  // 1,560 WCU on one key of a table with 6,000
  const Result<Outcome> hot = run(before, {});
  ASSERT_TRUE(hot);
  EXPECT_GT(hot->throttled, 100'000U);
  EXPECT_EQ(hot->throttled, throttles_of(hot->targets[0], Direction::write, Limit::key_range));
  const std::vector<const KeyStory*> worst = worst_keys(*hot, 1);
  ASSERT_EQ(1U, worst.size());
  EXPECT_EQ("SHIPMENT#{shipmentId} (the busiest)", worst[0]->name);
  EXPECT_EQ(Limit::key_range, main_limit(*worst[0]));
  EXPECT_GT(worst[0]->peak_second[1], 2 * 1000);

  SyntheticSource after(shipments(0.6, 10));
  const Result<Outcome> cured = run(after, {});
  ASSERT_TRUE(cured);
  EXPECT_EQ(0U, cured->throttled);
  EXPECT_TRUE(cured->keys.empty());
}

TEST(Run, ShardsHotKeysAloneWhenAsked) {
  SyntheticSource source(shipments(0.9, 1));  // 2,340 WCU: too much for two shards
  const Result<Outcome> hot = run(source, {});
  ASSERT_TRUE(hot);
  std::uint64_t before = hot->throttled;
  for (const int count : {2, 10}) {
    const Sharding sharding = shard_hot_keys(*hot, count);
    EXPECT_EQ(1U, sharding.keys.size()) << "its neighbours are throttled, and not hot";
    RunOptions options;
    options.sharding = &sharding;
    const Result<Outcome> sharded = run(source, options);
    ASSERT_TRUE(sharded);
    EXPECT_EQ(hot->requests, sharded->requests) << "the same requests";
    EXPECT_LT(sharded->throttled, before) << count;
    before = sharded->throttled;
  }
  EXPECT_EQ(0U, before);
}

TEST(Run, AQueryOfAShardedKeyBecomesOneForEachShard) {
  ListSource source;
  source.all_targets = {provisioned_table(1000, 10)};
  Part part{.target = 0, .direction = Direction::read, .whole_collection = true, .cost = 12, .key_hash = 5};
  for (int i = 0; i < 10; ++i) source.requests.push_back({.time_us = i * 1000, .parts = {part}});
  Sharding sharding{.count = 4, .keys = {Sharding::shard_id(0, 5)}};
  RunOptions options;
  options.sharding = &sharding;
  const Result<Outcome> outcome = run(source, options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(10 * 4 * 3, outcome->targets[0].end.side(Direction::read).consumed);
  EXPECT_EQ(40U, outcome->targets[0].end.side(Direction::read).requests);
}

TEST(Run, AnIndexWithoutCapacityThrottlesTheTablesWrites) {
  ListSource source;
  source.all_targets = {provisioned_table(1, 1000), provisioned_table(1, 10)};
  source.all_targets[1].index = "GSI1";
  for (int i = 0; i < 1000; ++i) {
    const auto hash = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL;
    source.requests.push_back({.time_us = i * 10'000,
                               .parts = {{.target = 0, .direction = Direction::write, .cost = 2, .key_hash = hash},
                                         {.target = 1, .direction = Direction::write, .cost = 2, .key_hash = hash}}});
  }
  const Result<Outcome> outcome = run(source, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(1000U, outcome->requests);
  EXPECT_EQ(outcome->throttled, throttles_of(outcome->targets[1], Direction::write, Limit::provisioned));
  EXPECT_NEAR(1000 - 110, static_cast<double>(outcome->throttled), 2);
  EXPECT_EQ(0U, outcome->targets[0].end.side(Direction::write).throttles());
}

TEST(Run, SeriesAddUpToTheMeters) {
  SyntheticSource source(shipments(0.6, 1));
  const Result<Outcome> outcome = run(source, {});
  ASSERT_TRUE(outcome);
  const Series& writes = outcome->targets[0].of(Direction::write);
  capacity::HalfUnits demand = 0;
  capacity::HalfUnits consumed = 0;
  std::uint64_t throttled = 0;
  for (std::size_t i = 0; i < writes.demand.size(); ++i) {
    demand += writes.demand[i];
    consumed += writes.consumed[i];
    throttled += writes.throttled[i];
  }
  EXPECT_EQ(300U, writes.demand.size());
  EXPECT_EQ(static_cast<capacity::HalfUnits>(outcome->requests) * 2, demand);
  EXPECT_EQ(outcome->targets[0].end.side(Direction::write).consumed, consumed);
  EXPECT_EQ(outcome->throttled, throttled);
}

TEST(Run, RefusesTimesThatCannotBe) {
  ListSource source;
  source.all_targets = {provisioned_table(1, 1)};
  source.requests = {{.time_us = 0, .parts = {}}, {.time_us = 1000LL * 86'400 * 1'000'000, .parts = {}}};
  const Result<Outcome> outcome = run(source, {});
  ASSERT_FALSE(outcome);
  EXPECT_NE(std::string::npos, outcome.error().message.find("400 days"));
}

}  // namespace
}  // namespace stator::simulate
