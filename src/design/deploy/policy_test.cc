#include "design/deploy/policy.h"

#include <gtest/gtest.h>

#include "design/deploy/table_definition.h"
#include "design/load.h"

namespace stator::design {
namespace {

std::string leading(const char* text) {
  Principal tenant;
  tenant.parameter = "tenantId";
  tenant.variable = "aws:PrincipalTag/tenantId";
  return leading_key(*Template::parse(text), tenant, '#');
}

TEST(LeadingKey, HoldsThePrincipalAndStarsForTheRest) {
  EXPECT_EQ(leading("TENANT#{tenantId}#SHOW#{showId}"), "TENANT#${aws:PrincipalTag/tenantId}#SHOW#*");
  EXPECT_EQ(leading("TENANT#{tenantId}"), "TENANT#${aws:PrincipalTag/tenantId}");
  EXPECT_EQ(leading("{tenantId}#{shard(showId, 10)}"), "${aws:PrincipalTag/tenantId}#*");
}

TEST(LeadingKey, IsRefusedWhereOthersWouldMatch) {
  EXPECT_EQ(leading("SHOW#{showId}"), "");                    // not in it
  EXPECT_EQ(leading("TENANT{tenantId}#SHOW"), "");            // not a whole component: TENANTa is the end of TENANTxa
  EXPECT_EQ(leading("TENANT#{tenantId}-{showId}"), "");       // acme-* is acme-corp-1 as well
  EXPECT_EQ(leading("SHOW#{showId}#TENANT#{tenantId}"), "");  // the star could swallow another tenant
  EXPECT_EQ(leading("TENANT#{tenantId:upper}#SHOW#{showId}"), "");  // the variable is not in capitals
}

constexpr const char* kPolicyModel = R"(
stator_model: 1
name: small
table: {name: my-table, partition_key: PK, sort_key: SK, type_attribute: type, stream: NEW_IMAGE}
indexes:
  ByState: {partition_key: state, sort_key: {name: at, type: N}, projection: [note]}
  Local: {kind: local, sort_key: note, projection: keys_only}
entities:
  Thing:
    count: 10
    attributes:
      id: {format: id, unique: true, stored: false}
      state: {values: [A, B], stored: false}
      at: {format: epoch, stored: false}
      note: {size: 10, stored: false}
      gone: {format: epoch}
    keys: {PK: "THING#{id}", SK: META, state: "{state}", at: "{at}", note: "{note}"}
    ttl: gone
patterns:
  read: {kind: get, entity: Thing, key: {PK: "THING#{id}", SK: META}, rate: 1}
  add: {kind: put, entity: Thing, rate: 1}
)";

class SmallTable : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kPolicyModel, "small.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
  }
  Model model_;
};

TEST_F(SmallTable, WithoutPrincipalsThePolicyAllowsThePatternsAlone) {
  const auto policies = policies_of(model_, {});
  ASSERT_EQ(policies.size(), 1u);
  EXPECT_EQ(policies[0].principal, "application");
  EXPECT_EQ(
      policies[0].document["Statement"].dump(),
      R"([{"Sid":"ReadTable","Effect":"Allow","Action":["dynamodb:GetItem"],"Resource":"arn:aws:dynamodb:*:*:table/my-table"},)"
      R"({"Sid":"WriteTable","Effect":"Allow","Action":["dynamodb:PutItem"],"Resource":"arn:aws:dynamodb:*:*:table/my-table"}])");
}

TEST_F(SmallTable, RequestHasEveryPart) {
  const nlohmann::json request = create_table_request(model_);
  EXPECT_EQ(request["AttributeDefinitions"].size(), 5u);
  EXPECT_EQ(request["GlobalSecondaryIndexes"][0]["Projection"]["NonKeyAttributes"][0], "note");
  EXPECT_EQ(request["LocalSecondaryIndexes"][0]["KeySchema"][0]["AttributeName"], "PK");
  EXPECT_EQ(request["StreamSpecification"]["StreamViewType"], "NEW_IMAGE");
  EXPECT_EQ(time_to_live_request(model_)["TimeToLiveSpecification"]["AttributeName"], "gone");
}

TEST_F(SmallTable, DifferencesAreNamed) {
  nlohmann::json description = create_table_request(model_);
  EXPECT_EQ(table_difference(model_, description), "");
  description["GlobalSecondaryIndexes"][0]["Projection"]["ProjectionType"] = "ALL";
  EXPECT_EQ(table_difference(model_, description), "index ByState projects ALL");
  description.erase("LocalSecondaryIndexes");
  description["GlobalSecondaryIndexes"] = nlohmann::json::array();
  EXPECT_EQ(table_difference(model_, description), "it has no index ByState");
  description["KeySchema"].erase(1);
  EXPECT_EQ(table_difference(model_, description), "the table has the key PK, the model PK, SK");
}

TEST(Identifiers, AreWhatTheToolsTake) {
  EXPECT_EQ(resource_identifier("app-main", false), "AppMain");
  EXPECT_EQ(resource_identifier("app-main", true), "app_main");
  EXPECT_EQ(resource_identifier("2nd.table", false), "Table2ndTable");
}

}  // namespace
}  // namespace stator::design
