// CreateTable, DescribeTable, UpdateTable and DeleteTable over the catalog.

#include <gtest/gtest.h>

#include "engine/create_table.h"
#include "engine/delete_table.h"
#include "engine/describe_table.h"
#include "engine/test_support.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::N;
using testing::S;

Result<TableReport> describe(Database& database, std::string_view name) {
  return sync_wait(describe_table(database.engine, name));
}
Result<TableReport> update(Database& database, const UpdateTableRequest& request) {
  return sync_wait(update_table(database.engine, request));
}
Result<TableReport> remove(Database& database, std::string_view name) {
  return sync_wait(delete_table(database.engine, name));
}

CreateTableRequest provisioned_request(std::string_view name) {
  CreateTableRequest request = testing::simple_request(name);
  request.billing.reset();
  request.throughput = ThroughputInput{5, 6};
  return request;
}

TEST(CreateTable, TakesItsTimeFromTheClock) {
  Database database;
  CreateTableRequest request = testing::simple_request("t");
  request.stream = StreamInput{true, "KEYS_ONLY"};
  const TablePtr table = database.create(request);
  EXPECT_EQ(table->created_ms, database.clock.now_ms());
  EXPECT_EQ(table->on_demand_since_ms, database.clock.now_ms());
  ASSERT_NE(table->stream(), nullptr);
  EXPECT_EQ(table->stream()->label, "2023-11-14T22:13:20.000");
  EXPECT_EQ(table->uuid.size(), 36u);
  EXPECT_NE(table->uuid, database.create(testing::simple_request("other"))->uuid);
}

TEST(CreateTable, RefusesANameThatIsTaken) {
  Database database;
  database.create(testing::simple_request("t"));
  EXPECT_EQ(error_of(sync_wait(create_table(database.engine, testing::simple_request("t")))),
            "Table already exists: t");
}

TEST(DescribeTable, CountsItemsOfTableAndIndexes) {
  Database database;
  const TablePtr table = database.create(testing::indexed_request("t"));
  ASSERT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}).has_value());
  ASSERT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("2")}}).has_value());
  const auto report = describe(database, "t");
  ASSERT_TRUE(report.has_value()) << error_of(report);
  EXPECT_EQ(report->statistics.items, 2);
  EXPECT_EQ(report->statistics.bytes, 9 + 7);
  const IndexId index = table->find_index("global_keys")->id;
  EXPECT_EQ(report->index_statistics.at(index).items, 1);
  EXPECT_EQ(report->index_statistics.at(index).bytes, 9);
  EXPECT_EQ(error_of(describe(database, "absent")),
            "Requested resource not found: Table: absent not found");
}

TEST(TableLifecycle, GoesThroughItsStatesByTheClock) {
  Database database({.transition_ms = 100});
  database.create(testing::simple_request("t"));
  const auto status = [&] { return describe(database, "t")->status; };
  EXPECT_EQ(status(), TableStatus::creating);
  EXPECT_EQ(error_of(database.put("t", {{"pk", S("a")}})), "Requested resource not found");
  const std::string in_use = "Attempt to change a resource which is still in use: Table is being ";
  EXPECT_EQ(error_of(remove(database, "t")), in_use + "created: t");
  database.clock.advance(100);
  EXPECT_EQ(status(), TableStatus::active);
  ASSERT_TRUE(database.put("t", {{"pk", S("a")}}).has_value());

  UpdateTableRequest change;
  change.name = "t";
  change.billing = BillingMode::provisioned;
  change.throughput = ThroughputInput{1, 1};
  ASSERT_TRUE(update(database, change).has_value());
  EXPECT_EQ(status(), TableStatus::updating);
  EXPECT_EQ(error_of(update(database, change)), in_use + "updated: t");
  EXPECT_EQ(error_of(remove(database, "t")), in_use + "updated: t");
  ASSERT_TRUE(database.put("t", {{"pk", S("b")}}).has_value());
  database.clock.advance(100);

  const auto deleted = remove(database, "t");
  ASSERT_TRUE(deleted.has_value()) << error_of(deleted);
  EXPECT_EQ(deleted->status, TableStatus::deleting);
  EXPECT_EQ(deleted->statistics.items, 2);
  EXPECT_EQ(status(), TableStatus::deleting);
  EXPECT_EQ(error_of(remove(database, "t")), in_use + "deleted: t");
  EXPECT_EQ(error_of(database.put("t", {{"pk", S("a")}})), "Requested resource not found");
  database.clock.advance(100);
  EXPECT_EQ(error_of(describe(database, "t")), "Requested resource not found: Table: t not found");
}

TEST(DeleteTable, KeepsAProtectedTable) {
  Database database;
  CreateTableRequest request = testing::simple_request("t");
  request.deletion_protection = true;
  database.create(request);
  EXPECT_EQ(error_of(remove(database, "t")),
            "Resource cannot be deleted as it is currently protected against deletion. Disable "
            "deletion protection first.");
  UpdateTableRequest change;
  change.name = "t";
  change.deletion_protection = false;
  ASSERT_TRUE(update(database, change).has_value());
  EXPECT_TRUE(remove(database, "t").has_value());
  EXPECT_FALSE(describe(database, "t").has_value());
}

TEST(DeleteTable, LeavesNothingForATableOfTheSameName) {
  Database database;
  database.create(testing::simple_request("t"));
  ASSERT_TRUE(database.put("t", {{"pk", S("a")}}).has_value());
  ASSERT_TRUE(remove(database, "t").has_value());
  database.create(testing::simple_request("t"));
  EXPECT_EQ(database.get("t", {{"pk", S("a")}}), "");
  EXPECT_EQ(describe(database, "t")->statistics.items, 0);
}

TEST(UpdateTable, CountsDecreasesOfADay) {
  Database database;
  database.create(provisioned_request("t"));
  UpdateTableRequest change;
  change.name = "t";
  const auto set = [&](std::int64_t read, std::int64_t write) {
    change.throughput = ThroughputInput{read, write};
    const Throughput before = describe(database, "t")->table->throughput;
    const auto report = update(database, change);
    EXPECT_TRUE(report.has_value()) << error_of(report);
    EXPECT_EQ(report->table->throughput.read_units, before.read_units);  // the answer comes before the change
    EXPECT_EQ(report->table->throughput.decreases_today, before.decreases_today);
    return describe(database, "t")->table->throughput;
  };
  const std::int64_t first_ms = database.clock.now_ms();
  EXPECT_EQ(set(10, 6).last_increase_ms, first_ms);
  EXPECT_EQ(set(9, 6).decreases_today, 1);
  EXPECT_EQ(set(8, 6).decreases_today, 2);
  EXPECT_EQ(set(8, 7).decreases_today, 2);
  database.clock.advance(24LL * 3600 * 1000);
  const Throughput next_day = set(7, 7);
  EXPECT_EQ(next_day.decreases_today, 1);
  EXPECT_EQ(next_day.last_decrease_ms, database.clock.now_ms());
  EXPECT_EQ(next_day.last_increase_ms, first_ms);
}

TEST(UpdateTable, RefusesWhatChangesNothing) {
  Database database;
  database.create(provisioned_request("t"));
  UpdateTableRequest change;
  change.name = "t";
  change.throughput = ThroughputInput{5, 6};
  EXPECT_EQ(error_of(update(database, change)),
            "The provisioned throughput for the table will not change. The requested value equals "
            "the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
            "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. "
            "Requested WriteCapacityUnits: 6. Refer to the Amazon DynamoDB Developer Guide for "
            "current limits and how to request higher limits.");
}

TEST(UpdateTable, SwitchesTheBillingMode) {
  Database database;
  database.create(provisioned_request("t"));
  UpdateTableRequest change;
  change.name = "t";
  change.billing = BillingMode::on_demand;
  const auto on_demand = update(database, change);
  ASSERT_TRUE(on_demand.has_value()) << error_of(on_demand);
  EXPECT_EQ(on_demand->table->billing, BillingMode::on_demand);
  EXPECT_EQ(on_demand->table->throughput.read_units, 0);
  EXPECT_EQ(on_demand->table->on_demand_since_ms, 0);
  EXPECT_EQ(describe(database, "t")->table->on_demand_since_ms, database.clock.now_ms());
  EXPECT_TRUE(on_demand->table->billing_mode_set);
  EXPECT_TRUE(update(database, change).has_value());

  change.billing = BillingMode::provisioned;
  EXPECT_EQ(error_of(update(database, change)),
            "One or more parameter values were invalid: ProvisionedThroughput must be specified "
            "when BillingMode is PROVISIONED");
  change.throughput = ThroughputInput{1, 1};
  EXPECT_TRUE(update(database, change).has_value());
  EXPECT_EQ(error_of(update(database, {.name = "absent", .deletion_protection = true})),
            "Requested resource not found: Table: absent not found");
}

}  // namespace
}  // namespace stator::engine
