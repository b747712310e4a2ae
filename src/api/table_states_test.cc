#include <gtest/gtest.h>

#include "api/test_support.h"
#include "engine/test_support.h"

// What is said of a table's settings while it comes and goes.
namespace stator::api {
namespace {

class TableStatesTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kTransitionMs = 1000;

  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.transition_ms = kTransitionMs;
    return options;
  }

  std::string call(std::string_view operation, std::string_view members = "") {
    return client_
        .call(operation, std::string(R"({"TableName":"orders")").append(members).append("}"))
        .body;
  }
  static std::string validation(std::string_view text) {
    return std::string(R"({"__type":"com.amazon.coral.validate#ValidationException","message":")")
        .append(text)
        .append(R"("})");
  }

  engine::testing::Database database_{options()};
  testing::Client client_{database_.engine};
  static constexpr std::string_view kEnable =
      R"(,"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true})";
  static constexpr std::string_view kOff =
      R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})";
};

TEST_F(TableStatesTest, TimeToLiveIsNeitherToldNorSwitchedWhileATableIsCreated) {
  database_.create(engine::testing::simple_request("orders"));
  EXPECT_EQ(call("DescribeTimeToLive"),
            validation("Cannot describe time to live while table is in CREATING state: "
                       "Current table state is CREATING"));
  EXPECT_EQ(
      call("UpdateTimeToLive", kEnable),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"Attempt to change a )"
      R"(resource which is still in use: Table orders is being created"})");
  database_.clock.advance(kTransitionMs);
  EXPECT_EQ(call("DescribeTimeToLive"), kOff);
  EXPECT_EQ(call("UpdateTimeToLive", kEnable),
            R"({"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true}})");
}

TEST_F(TableStatesTest, TimeToLiveIsNotToldWhileATableIsDeleted) {
  database_.create(engine::testing::simple_request("orders"));
  database_.clock.advance(kTransitionMs);
  EXPECT_EQ(client_.call("DeleteTable", R"({"TableName":"orders"})").status, 200);
  EXPECT_EQ(call("DescribeTimeToLive"),
            validation("Cannot describe time to live while table is in DELETING state: "
                       "Current table state is DELETING"));
}

TEST_F(TableStatesTest, TimeToLiveIsSwitchedWhileATableIsUpdated) {
  database_.create(engine::testing::simple_request("orders"));
  database_.clock.advance(kTransitionMs);
  constexpr std::string_view kStream =
      R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  EXPECT_NE(call("UpdateTable", kStream).find(R"("TableStatus":"UPDATING")"), std::string::npos);
  EXPECT_NE(call("DescribeTable").find(R"("TableStatus":"UPDATING")"), std::string::npos);
  EXPECT_EQ(call("DescribeTimeToLive"), kOff);
  EXPECT_EQ(call("UpdateTimeToLive", kEnable),
            R"({"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true}})");
}

class TableWithNewIndexTest : public TableStatesTest {
 protected:
  void SetUp() override {
    database_.create(engine::testing::simple_request("orders"));
    database_.clock.advance(kTransitionMs);
    ASSERT_NE(call("UpdateTable", kAdd).find(R"("IndexStatus":"CREATING")"), std::string::npos);
  }
  static std::string in_use(std::string_view text) {
    return std::string(R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"Attempt to )"
                       R"(change a resource which is still in use: )")
        .append(text)
        .append(R"("})");
  }

  static constexpr std::string_view kAdd =
      R"(,"AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":)"
      R"({"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}])";
  static constexpr std::string_view kRemove = R"(,"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-g"}}])";
  static constexpr std::string_view kStream =
      R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
};

TEST_F(TableWithNewIndexTest, TheIndexIsCreatingAsLongAsTheTableIsUpdated) {
  constexpr std::string_view kQuery =
      R"(,"IndexName":"by-g","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"a"}})";
  EXPECT_NE(call("DescribeTable").find(R"("IndexStatus":"CREATING","Backfilling":false)"), std::string::npos);
  EXPECT_EQ(call("Query", kQuery), validation("Cannot read from backfilling global secondary index: by-g"));
  database_.clock.advance(kTransitionMs);
  EXPECT_NE(call("DescribeTable").find(R"("IndexStatus":"CREATING","Backfilling":true)"), std::string::npos);
}

TEST_F(TableWithNewIndexTest, SomeChangesHaveToWaitForIt) {
  const std::string billing = R"(,"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,)"
                              R"("WriteCapacityUnits":1})";
  EXPECT_EQ(call("UpdateTable", billing),
            in_use("Can't change table IOPS when an index is being created. Table: orders Indexes: [by-g]"));
  EXPECT_EQ(call("UpdateTable", kStream),
            in_use("Can't change stream status when an index is being created. Table: orders Indexes: [by-g]"));
  EXPECT_EQ(call("UpdateTable", kRemove),
            in_use("Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the "
                   "index is active. Table: orders Index: by-g"));
  EXPECT_EQ(call("DeleteTable"),
            in_use("Cannot delete table while indexes are being created, updated, or deleted."));
  database_.clock.advance(kTransitionMs);
  EXPECT_NE(call("UpdateTable", kRemove).find(R"("IndexStatus":"DELETING")"), std::string::npos);
  EXPECT_EQ(call("UpdateTable", kStream),
            in_use("Can't change stream status when an index is being deleted. Table: orders Indexes: [by-g]"));
}

TEST_F(TableWithNewIndexTest, OthersAreMadeMeanwhile) {
  const std::string protected_table = call("UpdateTable", R"(,"DeletionProtectionEnabled":true)");
  EXPECT_NE(protected_table.find(R"("DeletionProtectionEnabled":true)"), std::string::npos);
  EXPECT_NE(protected_table.find(R"("TableStatus":"UPDATING")"), std::string::npos);
  EXPECT_EQ(call("UpdateTimeToLive", kEnable), R"({"TimeToLiveSpecification":{"AttributeName":"e","Enabled":true}})");
}

TEST_F(TableStatesTest, InsightsAreNotEnabledBeforeATableIsActive) {
  database_.create(engine::testing::simple_request("orders"));
  constexpr std::string_view kAction = R"(,"ContributorInsightsAction":"ENABLE")";
  const std::string refused = validation(
      "Table or Index is not in a valid state to update Key Access Insights: TableStatus must be "
      "ACTIVE to "
      "enable ContributorInsights.");
  EXPECT_EQ(call("UpdateContributorInsights", kAction), refused);
  database_.clock.advance(kTransitionMs);
  EXPECT_NE(call("UpdateContributorInsights", kAction), refused);
}

TEST_F(TableStatesTest, InsightsAreNotEnabledBeforeAnIndexIsActive) {
  database_.create(engine::testing::simple_request("orders"));
  database_.clock.advance(kTransitionMs);
  // Nobody builds it here, so it stays what it is at first.
  const std::string made =
      call("UpdateTable",
           R"(,"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
           R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-a","KeySchema":)"
           R"([{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}])");
  ASSERT_NE(made.find(R"("IndexStatus":"CREATING")"), std::string::npos) << made;
  EXPECT_EQ(call("UpdateContributorInsights",
                 R"(,"IndexName":"by-a","ContributorInsightsAction":"ENABLE")"),
            validation("Table or Index is not in a valid state to update Key Access Insights: "
                       "IndexStatus must be "
                       "ACTIVE to enable ContributorInsights."));
}

TEST_F(TableStatesTest, BackupsBeginWhenATableIsActive) {
  database_.create(engine::testing::simple_request("orders"));
  constexpr std::string_view kPoint =
      R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})";
  const auto expected = [&](std::string_view status) {
    return std::string(R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":")")
        .append(status)
        .append(R"(",)")
        .append(kPoint);
  };
  EXPECT_EQ(call("DescribeContinuousBackups"), expected("DISABLED"));
  database_.clock.advance(kTransitionMs);
  EXPECT_EQ(call("DescribeContinuousBackups"), expected("ENABLED"));
}

}  // namespace
}  // namespace stator::api
