#include "simulate/provision.h"

#include <gtest/gtest.h>

#include "simulate/report.h"
#include "simulate/test_support.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::HalfUnits;

TEST(MinimumProvisioned, IsTheRateOfEvenTraffic) {
  const std::vector<HalfUnits> even(1000, 2 * 150);
  EXPECT_EQ(150, minimum_provisioned(even, 300));
  EXPECT_EQ(150, minimum_provisioned(even, 0));
  EXPECT_EQ(1, minimum_provisioned({}, 300));
}

TEST(MinimumProvisioned, LetsBurstCarryAPeak) {
  // Five idle minutes at 150 save 45,000 units, which carry 200 for fifteen minutes.
  std::vector<HalfUnits> demand(300, 0);
  demand.insert(demand.end(), 900, 2 * 200);
  EXPECT_EQ(150, minimum_provisioned(demand, 300));
  EXPECT_EQ(200, minimum_provisioned(demand, 0));
}

TEST(MinimumProvisioned, IsEnoughWhenPlayed) {
  Workload workload = shipments(0, 1);
  workload.streams[0].average = 20;
  workload.streams[0].peak = 90;
  workload.profile = Profile::day;
  workload.duration_s = 86'400;
  SyntheticSource once(workload);
  const Result<Outcome> first = run(once, {});
  ASSERT_TRUE(first);
  const Need need = need_of(first->targets[0].of(Direction::write));
  EXPECT_LT(need.with_burst, need.without_burst);
  EXPECT_NEAR(90, need.peak_second, 50);

  for (const auto& [units, should_do] :
       {std::pair{need.with_burst + 1, true}, std::pair{need.with_burst * 95 / 100, false}}) {
    workload.targets[0] = provisioned_table(1, units);
    SyntheticSource again(workload);
    const Result<Outcome> second = run(again, {});
    ASSERT_TRUE(second);
    EXPECT_EQ(should_do, throttles_of(second->targets[0], Direction::write, capacity::Limit::provisioned) == 0)
        << units;
  }
}

// The shop by hand: 1,500 WCU and 1,000 RCU all month.
TEST(MonthlyCost, IsWhatOneComputesByHand) {
  TargetOutcome target;
  target.series[1].demand.assign(3600, 2 * 1500);
  target.series[0].demand.assign(3600, 2 * 1000);
  design::Prices prices;
  prices.hours_per_month = 730;
  prices.on_demand_write_per_million = 1.25;
  prices.on_demand_read_per_million = 0.25;
  prices.write_unit_hour = 0.00065;
  prices.read_unit_hour = 0.00013;
  const Cost cost = monthly_cost(target, 3600, prices);
  EXPECT_NEAR(1500.0 * 3600 * 730 / 1e6 * 1.25 + 1000.0 * 3600 * 730 / 1e6 * 0.25, cost.on_demand, 0.01);
  EXPECT_NEAR((1500 * 0.00065 + 1000 * 0.00013) * 730, cost.provisioned, 0.01);
}

TEST(Profile, ADayHasItsAverageAndItsPeak) {
  for (const auto& [average, peak] : {std::pair{100.0, 150.0}, std::pair{100.0, 400.0}, std::pair{100.0, 5000.0}}) {
    double sum = 0;
    double highest = 0;
    for (int second = 0; second < 86'400; ++second) {
      const double rate = rate_at(Profile::day, average, peak, second);
      EXPECT_GE(rate, 0);
      sum += rate;
      highest = std::max(highest, rate);
    }
    EXPECT_NEAR(average, sum / 86'400, average * 0.01) << peak;
    EXPECT_NEAR(peak, highest, peak * 0.001);
  }
  EXPECT_EQ(7, rate_at(Profile::flat, 7, 9, 5));
  EXPECT_EQ(9, rate_at(Profile::peak, 7, 9, 5));
}

TEST(SyntheticSource, GivesTheSameRequestsAgain) {
  SyntheticSource source(shipments(0.5, 3));
  Request request;
  std::vector<std::uint64_t> hashes;
  std::int64_t before = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(*source.next(request));
    EXPECT_GE(request.time_us, before);
    before = request.time_us;
    hashes.push_back(request.parts[0].key_hash);
  }
  ASSERT_TRUE(source.rewind());
  for (const std::uint64_t hash : hashes) {
    ASSERT_TRUE(*source.next(request));
    EXPECT_EQ(hash, request.parts[0].key_hash);
  }
}

}  // namespace
}  // namespace stator::simulate
