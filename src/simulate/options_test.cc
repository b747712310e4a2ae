#include "simulate/options.h"

#include <gtest/gtest.h>

namespace stator::simulate {
namespace {

TEST(Options, ReadDurations) {
  EXPECT_EQ(90, *parse_duration("90"));
  EXPECT_EQ(90, *parse_duration("90s"));
  EXPECT_EQ(900, *parse_duration("15m"));
  EXPECT_EQ(86'400, *parse_duration("24h"));
  EXPECT_EQ(604'800, *parse_duration("7d"));
  for (const std::string_view wrong : {"", "h", "0", "-1h", "1.5h", "1w", "401d", "99999999999999999999s"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

TEST(Options, ReadShards) {
  EXPECT_EQ((std::vector<int>{1, 2, 10}), *parse_shards("1,2,10"));
  EXPECT_TRUE(parse_shards("")->empty());
  for (const std::string_view wrong : {"0", "1,,2", "a", "1001", "-2"}) EXPECT_FALSE(parse_shards(wrong)) << wrong;
}

TEST(Options, ReadCapacities) {
  CapacityOverrides overrides;
  ASSERT_TRUE(overrides.add("on-demand"));
  ASSERT_TRUE(overrides.add("orders=100/50"));
  ASSERT_TRUE(overrides.add("orders/GSI1=7/8"));
  EXPECT_EQ(capacity::BillingMode::on_demand, overrides.find("other", "")->billing);
  EXPECT_EQ((capacity::Throughput{100, 50}), overrides.find("orders", "")->provisioned);
  EXPECT_EQ((capacity::Throughput{7, 8}), overrides.find("orders", "GSI1")->provisioned);
  EXPECT_EQ(capacity::BillingMode::on_demand, overrides.find("orders", "GSI2")->billing);
  for (const std::string_view wrong : {"", "5", "0/1", "1/0", "a/b", "orders=", "1/2/3"})
    EXPECT_FALSE(overrides.add(wrong)) << wrong;
  EXPECT_FALSE(CapacityOverrides().find("orders", ""));
}

}  // namespace
}  // namespace stator::simulate
