#include "capacity/reason.h"

#include <gtest/gtest.h>

#include <set>

namespace stator::capacity {
namespace {

TEST(Reason, HasSixteenNames) {
  std::set<std::string_view> names;
  for (const ResourceKind kind : {ResourceKind::table, ResourceKind::index})
    for (const Direction direction : {Direction::read, Direction::write})
      for (const Limit limit : kAllLimits) names.insert(reason_name({kind, direction, limit}));
  EXPECT_EQ(16U, names.size());
}

TEST(Reason, IsNamedAsTheServiceNamesIt) {
  EXPECT_EQ("TableReadProvisionedThroughputExceeded", reason_name({}));
  EXPECT_EQ("TableWriteKeyRangeThroughputExceeded",
            reason_name({ResourceKind::table, Direction::write, Limit::key_range}));
  EXPECT_EQ("IndexWriteAccountLimitExceeded", reason_name({ResourceKind::index, Direction::write, Limit::account}));
  EXPECT_EQ("IndexReadMaxOnDemandThroughputExceeded",
            reason_name({ResourceKind::index, Direction::read, Limit::max_on_demand}));
}

TEST(Reason, NamesItsResource) {
  EXPECT_EQ("arn:aws:dynamodb:us-west-2:123456789012:table/CustomerOrders",
            resource_arn("arn:aws:dynamodb:us-west-2:123456789012:table/CustomerOrders", ""));
  EXPECT_EQ("arn:aws:dynamodb:us-west-2:123456789012:table/CustomerOrders/index/OrderDateIndex",
            resource_arn("arn:aws:dynamodb:us-west-2:123456789012:table/CustomerOrders", "OrderDateIndex"));
}

TEST(Reason, HasTheTextOfItsMode) {
  const Reason hot{ResourceKind::table, Direction::write, Limit::key_range};
  EXPECT_TRUE(
      throttle_message(hot, BillingMode::provisioned).starts_with("The level of configured provisioned throughput"));
  EXPECT_TRUE(throttle_message(hot, BillingMode::on_demand).starts_with("Throughput exceeds the current capacity"));
  const Reason index{ResourceKind::index, Direction::write, Limit::provisioned};
  EXPECT_NE(std::string_view::npos,
            throttle_message(index, BillingMode::provisioned).find("global secondary indexes"));
}

}  // namespace
}  // namespace stator::capacity
