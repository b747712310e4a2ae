#include "server/process_limits.h"

#include <gtest/gtest.h>

#include "net/server.h"

namespace stator::server {
namespace {

TEST(DescriptorPlanTest, GivesConnectionsWhatTheyWantWhereThereIsPlenty) {
  const Result<DescriptorPlan> plan = plan_descriptors(1 << 20, 10'000, 8);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->connections_max, 10'000u);
  EXPECT_EQ(plan->store_files_max, -1);
}

TEST(DescriptorPlanTest, KeepsAQuarterForTheStore) {
  for (const std::size_t limit : {320u, 1024u, 4096u, 10'000u}) {
    const Result<DescriptorPlan> plan = plan_descriptors(limit, 10'000, 2);
    ASSERT_TRUE(plan);
    EXPECT_GT(plan->connections_max, 0u);
    EXPECT_GE(static_cast<std::size_t>(plan->store_files_max) * 4, (limit - 200) - 4) << limit;
    EXPECT_LT(plan->connections_max + net::kSpareConnectionsMax + static_cast<std::size_t>(plan->store_files_max), limit);
  }
}

TEST(DescriptorPlanTest, SaysThatThereAreTooFew) {
  const Result<DescriptorPlan> plan = plan_descriptors(100, 10'000, 2);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "this process may open 100 files, and needs 272 (see ulimit -n)");
}

}  // namespace
}  // namespace stator::server
