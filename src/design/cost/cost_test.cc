#include "design/cost/cost.h"

#include <gtest/gtest.h>

#include "design/load.h"

namespace stator::design {
namespace {

Prices default_prices() { return *load_prices("", ""); }

TEST(Units, FollowTheExampleByHand) {
  // 500 writes/s of 2.5 KB = 1,500 WCU; 2,000 eventually consistent reads/s of 3 KB = 1,000 RCU.
  EXPECT_EQ(500 * write_units(2.5 * 1024), 1500);
  EXPECT_EQ(2000 * read_units(3 * 1024, Consistency::eventual), 1000);
}

TEST(Units, RoundUpAtTheirBorders) {
  EXPECT_EQ(write_units(0), 1);
  EXPECT_EQ(write_units(1024), 1);
  EXPECT_EQ(write_units(1025), 2);
  EXPECT_EQ(write_units(1025, true), 4);
  EXPECT_EQ(read_units(4096, Consistency::eventual), 0.5);
  EXPECT_EQ(read_units(4097, Consistency::eventual), 1);
  EXPECT_EQ(read_units(4096, Consistency::strong), 1);
  EXPECT_EQ(read_units(4096, Consistency::strong, true), 2);
}

TEST(Prices, OfTheBuiltInTableGiveTheMonth) {
  const Prices prices = default_prices();
  // 1,500 WCU all month: 1,500 * 3,600 * 730 / 10^6 * 1.25; provisioned 1,500 * 0.00065 * 730.
  EXPECT_NEAR(on_demand_month(1500, prices.on_demand_write_per_million, prices), 4927.5, 0.01);
  EXPECT_NEAR(provisioned_month(1500, prices.write_unit_hour, prices), 711.75, 0.01);
  EXPECT_NEAR(on_demand_month(1000, prices.on_demand_read_per_million, prices), 657, 0.01);
  EXPECT_NEAR(provisioned_month(1000, prices.read_unit_hour, prices), 94.9, 0.01);
}

TEST(Prices, SayWhatIsMissing) {
  EXPECT_NE(parse_prices("[]", "").error().message.find("tables"), std::string::npos);
  EXPECT_NE(parse_prices(built_in_prices(), "mars").error().message.find("there is: us-east-1"), std::string::npos);
  EXPECT_EQ(parse_prices(R"({"default":"a","tables":{"a":{"hoursPerMonth":730}}})", "").error().message,
            "price table \"a\": expected a number at onDemand/writePerMillion");
}

// A table with one sparse and one full index; sizes are chosen so that units are easy to follow.
constexpr const char* kPricedModel = R"(
stator_model: 1
name: small
table: {name: t, partition_key: PK, sort_key: SK, type_attribute: type}
indexes:
  ALL: {partition_key: APK, projection: all}
  FEW: {partition_key: FPK, projection: keys_only}
entities:
  Thing:
    count: 1000
    attributes:
      id: {format: id, unique: true, stored: false, size: 8}
      status: {values: {OPEN: 10, DONE: 90}}
      note: {size: 2500}
      seen: {type: N}
    keys: {PK: "THING#{id}", SK: META, APK: "STATUS#{status}", FPK: "OPEN"}
    sparse: {FEW: status = OPEN}
patterns:
  create: {kind: put, entity: Thing, rate: 10}
  see: {kind: update, entity: Thing, key: {PK: "THING#{id}", SK: META}, add: {seen: 1}, rate: {average: 5, peak: 50}}
  close: {kind: update, entity: Thing, key: {PK: "THING#{id}", SK: META}, set: {status: DONE}, rate: 10}
  read: {kind: get, entity: Thing, key: {PK: "THING#{id}", SK: META}, rate: 100}
)";

class Small : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kPricedModel, "small.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
  }
  PatternUnits units(const char* name) { return pattern_units(model_, *model_.pattern(name)); }
  Model model_;
};

TEST_F(Small, PutWritesTheTableAndEveryIndexThatHoldsTheItem) {
  const PatternUnits create = units("create");
  EXPECT_EQ(create.table_write, 3);             // 2.5 KB and keys
  EXPECT_DOUBLE_EQ(create.write, 3 + 3 + 0.1);  // all of it again; a tenth of the items in the sparse one
  EXPECT_EQ(create.read, 0);
}

TEST_F(Small, UpdateTouchesTheIndexesThatKeepWhatItChanges) {
  EXPECT_EQ(units("see").write, 3 + 3);        // `seen` is in ALL, not in FEW
  EXPECT_EQ(units("close").write, 3 + 6 + 1);  // a changed key is a delete and a put; the item leaves FEW
}

TEST_F(Small, ReadCostsHalfAUnitFor4Kilobytes) { EXPECT_EQ(units("read").read, 0.5); }

TEST_F(Small, PlansFollowAverageAndPeak) {
  const Prices prices = default_prices();
  const CostReport report = cost_of(model_, prices, {0.5});
  ASSERT_EQ(report.plans.size(), 5u);
  const double writes = 10 * 6.1 + 5 * 6 + 10 * 10;
  EXPECT_NEAR(report.plans[0].writes, on_demand_month(writes, 1.25, prices), 0.01);
  // At the peak `see` is ten times its average. Units are whole, table and indexes one by one.
  const double table = 30 + 150 + 30;
  const double all = 30 + 150 + 60;
  const double few = 1 + 10;
  EXPECT_NEAR(report.plans[1].writes, provisioned_month(table + all + few, 0.00065, prices), 0.01);
  EXPECT_NEAR(report.plans[2].writes, provisioned_month((75 + 105 + 11) / 0.5, 0.00065, prices), 0.01);
  EXPECT_NEAR(report.break_even_write, 0.1444, 0.0001);
  EXPECT_EQ(report.patterns[report.dearest_pattern].units.pattern->name, "close");
  // 382 units: 3 blocks of 100 and 82 by the hour.
  EXPECT_NEAR(report.plans[3].writes, 3 * (150.0 / 12 + 0.0128 * 730) + provisioned_month(82, 0.00065, prices), 0.01);
}

TEST_F(Small, StorageCountsIndexesAndOverhead) {
  const CostReport report = cost_of(model_, default_prices(), {});
  EXPECT_EQ(report.targets[0].items, 1000);
  EXPECT_EQ(report.targets[2].items, 100);
  EXPECT_GT(report.targets[0].bytes, 1000 * (2500 + 100));
  EXPECT_EQ(report.storage, 0);  // within what is free
}

}  // namespace
}  // namespace stator::design
