#include <chrono>
#include <thread>

#include "embed/test_support.h"

namespace stator {
namespace {

class Tables : public AppTest {};
STATOR_ON_BOTH_BACKENDS(Tables);

TEST_P(Tables, AreDescribedAsTheyWereCreated) {
  const CreateTableRequest request = {
      .table_name = "full",
      .key = {.partition = {"PK"}, .sort = {{"SK", ScalarType::number}}},
      .global_secondary_indexes = {{.index_name = "global",
                                    .key = {.partition = {{"g", ScalarType::binary}}},
                                    .projection = ProjectionType::include,
                                    .non_key_attributes = {"a", "b"},
                                    .provisioned_throughput = {{3, 4}}}},
      .local_secondary_indexes = {{.index_name = "local",
                                   .key = {.partition = {"PK"}, .sort = {"l"}},
                                   .projection = ProjectionType::keys_only}},
      .provisioned_throughput = {{5, 6}},
      .stream = StreamViewType::new_and_old_images,
      .table_class = TableClass::standard_infrequent_access,
      .deletion_protection = true};
  const TableDescription created = db().create_table(request).value();
  EXPECT_EQ(created.status, TableStatus::active);
  db().put_item({.table_name = "full", .item = {{"PK", "a"}, {"SK", 1}, {"l", "x"}}}).value();

  const TableDescription table = db().describe_table({.table_name = "full"}).value();
  EXPECT_EQ(table.table_name, "full");
  EXPECT_EQ(table.table_id, created.table_id);
  EXPECT_EQ(table.created, created.created);
  EXPECT_EQ(table.status, TableStatus::active);
  EXPECT_EQ(table.key, request.key);
  EXPECT_EQ(table.billing_mode, BillingMode::provisioned);
  EXPECT_EQ(table.provisioned_throughput, *request.provisioned_throughput);
  EXPECT_EQ(table.stream, StreamViewType::new_and_old_images);
  EXPECT_EQ(table.table_class, TableClass::standard_infrequent_access);
  EXPECT_TRUE(table.deletion_protection);
  EXPECT_EQ(table.item_count, 1);
  ASSERT_EQ(table.global_secondary_indexes.size(), 1U);
  const IndexDescription& global = table.global_secondary_indexes.front();
  EXPECT_EQ(global.index_name, "global");
  EXPECT_EQ(global.key, request.global_secondary_indexes.front().key);
  EXPECT_EQ(global.projection, ProjectionType::include);
  EXPECT_EQ(global.non_key_attributes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(global.provisioned_throughput, (ProvisionedThroughput{3, 4}));
  EXPECT_EQ(global.item_count, 0);
  ASSERT_EQ(table.local_secondary_indexes.size(), 1U);
  EXPECT_EQ(table.local_secondary_indexes.front().projection, ProjectionType::keys_only);
  EXPECT_EQ(table.local_secondary_indexes.front().item_count, 1);
}

TEST_P(Tables, AreOnDemandUnlessAThroughputIsGiven) {
  EXPECT_EQ(db().describe_table({.table_name = "app"}).value().billing_mode,
            BillingMode::pay_per_request);
}

TEST_P(Tables, AreUpdated) {
  const auto provisioned = db().update_table({.table_name = "app",
                                              .billing_mode = BillingMode::provisioned,
                                              .provisioned_throughput = {{7, 8}},
                                              .update_indexes = {{"by-status", {9, 10}}}});
  const TableDescription& table = provisioned.value();
  EXPECT_EQ(table.status, TableStatus::active);
  EXPECT_EQ(table.billing_mode, BillingMode::provisioned);
  EXPECT_EQ(table.provisioned_throughput, (ProvisionedThroughput{7, 8}));
  EXPECT_EQ(table.global_secondary_indexes.front().provisioned_throughput,
            (ProvisionedThroughput{9, 10}));

  const auto streaming =
      db().update_table({.table_name = "app", .enable_stream = StreamViewType::keys_only});
  EXPECT_EQ(streaming.value().stream, StreamViewType::keys_only);
  EXPECT_FALSE(db().update_table({.table_name = "app", .disable_stream = true}).value().stream);
  EXPECT_TRUE(db().update_table({.table_name = "app", .deletion_protection = true})
                  .value()
                  .deletion_protection);
  EXPECT_FALSE(db().delete_table({.table_name = "app"}));
}

TEST_P(Tables, GetAndLoseIndexesWhileTheyAreUsed) {
  put({{"PK", "a"}, {"SK", "1"}, {"city", "Bonn"}, {"zip", 53111}});
  put({{"PK", "b"}, {"SK", "1"}});
  db().update_table({.table_name = "app",
                     .create_indexes = {{.index_name = "by-city",
                                         .key = {.partition = {"city"},
                                                 .sort = {{"zip", ScalarType::number}}}}}})
      .value();
  const auto index_status = [this]() -> std::optional<TableStatus> {
    const TableDescription table = db().describe_table({.table_name = "app"}).value();
    for (const IndexDescription& index : table.global_secondary_indexes) {
      if (index.index_name == "by-city") return index.status;
    }
    return std::nullopt;
  };
  const auto wait_for = [&](std::optional<TableStatus> status) {
    for (int i = 0; i < 3000 && index_status() != status; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return index_status() == status;
  };
  ASSERT_TRUE(wait_for(TableStatus::active));
  const auto found = db().query({.table_name = "app",
                                 .index_name = "by-city",
                                 .key_condition = "city = :c AND zip > :z",
                                 .values = {{":c", "Bonn"}, {":z", 50000}}});
  EXPECT_EQ(found.value().count, 1);
  db().update_table({.table_name = "app", .delete_indexes = {"by-city"}}).value();
  EXPECT_TRUE(wait_for(std::nullopt));
}

TEST_P(Tables, AreNotUpdatedByBadRequests) {
  const struct {
    UpdateTableRequest request;
    std::string error;
  } cases[] = {
      {{.table_name = "none", .deletion_protection = true},
       "ResourceNotFoundException: Requested resource not found: Table: none not found"},
      {{.table_name = "app"},
       "ValidationException: At least one of ProvisionedThroughput, BillingMode, "
       "UpdateStreamEnabled, "
       "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
       "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
       "OnDemandThroughput, "
       "WarmThroughput or TableClass is required"},
      {{.table_name = "app",
        .update_indexes = {{"by-status", {1, 1}}},
        .delete_indexes = {"by-status"}},
       "ValidationException: One or more parameter values were invalid: Only one global secondary "
       "index update per "
       "index is allowed simultaneously. Index: by-status"},
      {{.table_name = "app", .create_indexes = {{.index_name = "keyless"}}},
       "ValidationException: 1 validation error detected: Value '[]' at "
       "'globalSecondaryIndexUpdates.1.member.create.keySchema' failed to satisfy constraint: "
       "Member must have length "
       "greater than or equal to 1"},
  };
  for (const auto& [request, error] : cases)
    EXPECT_EQ(error_text(db().update_table(request)), error);
}

TEST_P(Tables, AreGoneWhenDeleted) {
  put({{"PK", "a"}, {"SK", "1"}});
  EXPECT_EQ(db().delete_table({.table_name = "app"}).value().status, TableStatus::deleting);
  EXPECT_EQ(error_text(db().describe_table({.table_name = "app"})),
            "ResourceNotFoundException: Requested resource not found: Table: app not found");
  db().create_table(app_table()).value();
  EXPECT_FALSE(get("a", "1"));
}

TEST_P(Tables, AreListedInPages) {
  for (const char* name : {"zebra", "beta", "mid"}) {
    db().create_table({.table_name = name, .key = {.partition = {"id"}}}).value();
  }
  EXPECT_EQ(db().list_tables().value().table_names,
            (std::vector<std::string>{"app", "beta", "mid", "zebra"}));
  const ListTablesResponse first = db().list_tables({.limit = 3}).value();
  EXPECT_EQ(first.last_evaluated_table_name, "mid");
  const ListTablesResponse rest =
      db().list_tables({.exclusive_start_table_name = first.last_evaluated_table_name, .limit = 3})
          .value();
  EXPECT_EQ(rest.table_names, std::vector<std::string>{"zebra"});
  EXPECT_FALSE(rest.last_evaluated_table_name);
}

TEST_P(Tables, AreRefusedWithTheTextsOfTheService) {
  const KeySchema id = {.partition = {"id"}};
  const struct {
    CreateTableRequest request;
    std::string error;
  } cases[] = {
      {app_table(), "ResourceInUseException: Table already exists: app"},
      {{.table_name = "a b", .key = id},
       "ValidationException: 1 validation error detected: Value 'a b' at 'tableName' failed to "
       "satisfy constraint: "
       "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
      {{.table_name = "none"},
       "ValidationException: 1 validation error detected: Value '[]' at 'keySchema' failed to "
       "satisfy constraint: "
       "Member must have length greater than or equal to 1"},
      {{.table_name = "sort", .key = {.sort = {"SK"}}},
       "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
      {{.table_name = "zero", .key = id, .provisioned_throughput = {{1, 0}}},
       "ValidationException: 1 validation error detected: Value '0' at "
       "'provisionedThroughput.writeCapacityUnits' "
       "failed to satisfy constraint: Member must have value greater than or equal to 1"},
      {{.table_name = "types",
        .key = id,
        .global_secondary_indexes = {{.index_name = "other",
                                      .key = {.partition = {{"id", ScalarType::number}}}}}},
       "ValidationException: Attribute Name is duplicated: id"},
      {{.table_name = "include",
        .key = id,
        .global_secondary_indexes = {{.index_name = "other",
                                      .key = {.partition = {"x"}},
                                      .projection = ProjectionType::include}}},
       "ValidationException: One or more parameter values were invalid: ProjectionType is INCLUDE, "
       "but "
       "NonKeyAttributes is not specified"},
  };
  for (const auto& [request, error] : cases)
    EXPECT_EQ(error_text(db().create_table(request)), error);
  EXPECT_EQ(db().list_tables().value().table_names, std::vector<std::string>{"app"});
}

}  // namespace
}  // namespace stator
