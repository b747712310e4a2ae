#include "capacity/admission.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

TEST(Admission, AnIndexWithoutCapacityThrottlesItsTable) {
  Resource table(ResourceKind::table, provisioned(1, 1000), Tuning{}, kTestStart);
  Resource index(ResourceKind::index, provisioned(1, 100), Tuning{}, kTestStart);
  int allowed = 0;
  Decision last;
  for (int i = 0; i < 5000; ++i) {  // 500 writes a second for 10 s
    const Ticks now = kTestStart + seconds(i / 500.0);
    const std::array charges{Charge{&table, Direction::write, 2, spread(i), {}},
                             Charge{&index, Direction::write, 2, spread(i), {}}};
    const Decision decision = admit(charges, Mode::enforce, now);
    decision.allowed ? static_cast<void>(++allowed) : static_cast<void>(last = decision);
  }
  EXPECT_NEAR(1100, allowed, 2);
  EXPECT_EQ("IndexWriteProvisionedThroughputExceeded", reason_name(last.reason));
  EXPECT_EQ(&index, last.resource);
  const ResourceSnapshot of_table = table.snapshot(kTestStart, false);
  EXPECT_EQ(2 * allowed, of_table.side(Direction::write).consumed) << "a refused write costs the table nothing";
  EXPECT_EQ(0U, of_table.side(Direction::write).throttles());
  EXPECT_EQ(5000U - static_cast<unsigned>(allowed),
            index.snapshot(kTestStart, false).side(Direction::write).refused[static_cast<int>(Limit::provisioned)]);
}

TEST(Admission, ObserveLetsAllPassAndCounts) {
  Resource table(ResourceKind::table, provisioned(1, 10), Tuning{}, kTestStart);
  int would = 0;
  for (int i = 0; i < 1000; ++i) {
    const Charge charge{&table, Direction::write, 3, spread(i), {}};
    const Decision decision = admit({&charge, 1}, Mode::observe, kTestStart + seconds(i / 100.0));
    EXPECT_TRUE(decision.allowed);
    would += decision.throttled;
  }
  const SideSnapshot side = table.snapshot(kTestStart, false).side(Direction::write);
  EXPECT_EQ(3000, side.consumed) << "what was served is metered to the half unit";
  EXPECT_EQ(1000U, side.requests);
  EXPECT_EQ(static_cast<unsigned>(would), side.would_throttle[static_cast<int>(Limit::provisioned)]);
  EXPECT_EQ(0U, side.refused[static_cast<int>(Limit::provisioned)]);
  EXPECT_NEAR(1000 - 110 / 1.5, would, 2) << "as many as enforcing would have refused";
}

TEST(Admission, PeekingChangesNothing) {
  Resource table(ResourceKind::table, provisioned(1, 10), Tuning{}, kTestStart);
  const Charge charge{&table, Direction::write, 20, spread(1), {}};
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(would_admit(charge, kTestStart));
  EXPECT_TRUE(admit({&charge, 1}, Mode::enforce, kTestStart).allowed);
  EXPECT_FALSE(would_admit(charge, kTestStart));
  EXPECT_EQ(20, table.snapshot(kTestStart, false).side(Direction::write).consumed);
}

TEST(Admission, MetersAgreeUnderThreads) {
  Resource table(ResourceKind::table, provisioned(1000, 1000), Tuning{}, kTestStart);
  constexpr int kThreads = 4;
  constexpr int kEach = 20000;
  std::vector<std::thread> threads;
  std::array<HalfUnits, kThreads> allowed{};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const Charge charge{&table, Direction::read, 1, spread(i * kThreads + t), "k"};
        if (admit({&charge, 1}, Mode::enforce, kTestStart + seconds(i / 100.0)).allowed) ++allowed[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  const ResourceSnapshot snapshot = table.snapshot(kTestStart, true);
  HalfUnits sum = 0;
  for (const HalfUnits each : allowed) sum += each;
  HalfUnits in_partitions = 0;
  for (const PartitionSnapshot& partition : snapshot.partitions) in_partitions += partition.sides[0].consumed;
  EXPECT_EQ(sum, snapshot.side(Direction::read).consumed);
  EXPECT_EQ(sum, in_partitions);
  EXPECT_EQ(static_cast<std::uint64_t>(kThreads * kEach),
            snapshot.side(Direction::read).requests + snapshot.side(Direction::read).throttles());
}

TEST(ThrottleError, CarriesReasonAndResource) {
  Resource index(ResourceKind::index, provisioned(1, 1), Tuning{}, kTestStart);
  Decision decision{.allowed = false,
                    .throttled = true,
                    .reason = {ResourceKind::index, Direction::write, Limit::provisioned},
                    .resource = &index};
  const Error error = throttle_error(decision, "arn:aws:dynamodb:us-east-1:1:table/orders", "GSI2");
  EXPECT_EQ(ErrorCode::throughput_exceeded, error.code);
  const auto* detail = dynamic_cast<const ThrottleDetail*>(error.detail.get());
  ASSERT_NE(nullptr, detail);
  ASSERT_EQ(1U, detail->reasons.size());
  EXPECT_EQ("IndexWriteProvisionedThroughputExceeded", detail->reasons[0].reason);
  EXPECT_EQ("arn:aws:dynamodb:us-east-1:1:table/orders/index/GSI2", detail->reasons[0].resource);

  Resource on_demand(ResourceKind::table, Settings{}, Tuning{}, kTestStart);
  decision.resource = &on_demand;
  decision.reason = {ResourceKind::table, Direction::read, Limit::account};
  const Error account = throttle_error(decision, "arn", "");
  EXPECT_EQ(ErrorCode::throttled, account.code);
  EXPECT_TRUE(dynamic_cast<const ThrottleDetail*>(account.detail.get())->account_limit);
}

}  // namespace
}  // namespace stator::capacity
