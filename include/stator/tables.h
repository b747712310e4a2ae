#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Requests and responses of the table operations.
namespace stator {

enum class ScalarType : std::uint8_t { string, number, binary };

// A key attribute with its type. AttributeDefinitions follow from the keys, so there is no list of
// them.
struct KeyAttribute {
  KeyAttribute(const char* name_in) : name(name_in) {}
  KeyAttribute(std::string name_in, ScalarType type_in = ScalarType::string)
      : name(std::move(name_in)), type(type_in) {}

  std::string name;
  ScalarType type = ScalarType::string;

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// {.partition = {"PK"}, .sort = {"SK"}} or {.partition = {{"id", ScalarType::number}}}. The keys of
// global indexes may have up to four attributes in each part, those of tables and local indexes
// one.
struct KeySchema {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};

  friend bool operator==(const KeySchema&, const KeySchema&) = default;
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;

  friend bool operator==(const ProvisionedThroughput&, const ProvisionedThroughput&) = default;
};

enum class ProjectionType : std::uint8_t { all, keys_only, include };
enum class BillingMode : std::uint8_t { pay_per_request, provisioned };
enum class TableStatus : std::uint8_t { creating, active, updating, deleting };
enum class TableClass : std::uint8_t { standard, standard_infrequent_access };
enum class StreamViewType : std::uint8_t { keys_only, new_image, old_image, new_and_old_images };

struct SecondaryIndex {
  std::string index_name = {};
  KeySchema key = {};
  ProjectionType projection = ProjectionType::all;
  std::vector<std::string> non_key_attributes = {};  // of ProjectionType::include
  std::optional<ProvisionedThroughput> provisioned_throughput =
      {};  // global indexes of provisioned tables
};

struct CreateTableRequest {
  std::string table_name = {};
  KeySchema key = {};
  std::vector<SecondaryIndex> global_secondary_indexes = {};
  std::vector<SecondaryIndex> local_secondary_indexes = {};
  // Where it is not given: provisioned if there is a throughput, else pay_per_request.
  std::optional<BillingMode> billing_mode = {};
  std::optional<ProvisionedThroughput> provisioned_throughput = {};
  std::optional<StreamViewType> stream = {};
  std::optional<TableClass> table_class = {};
  bool deletion_protection = false;
};

struct IndexThroughputUpdate {
  std::string index_name = {};
  ProvisionedThroughput provisioned_throughput = {};
};

// What is not given stays as it is. As in the service, most changes may not stand beside others in
// one request. A new index is built in the background: it can be queried when describe_table shows
// it as active.
struct UpdateTableRequest {
  std::string table_name = {};
  std::optional<BillingMode> billing_mode = {};
  std::optional<ProvisionedThroughput> provisioned_throughput = {};
  std::vector<SecondaryIndex> create_indexes = {};  // global ones, as are the following
  std::vector<IndexThroughputUpdate> update_indexes = {};
  std::vector<std::string> delete_indexes = {};
  std::optional<StreamViewType> enable_stream = {};
  bool disable_stream = false;
  std::optional<TableClass> table_class = {};
  std::optional<bool> deletion_protection = {};
};

struct DescribeTableRequest {
  std::string table_name = {};
};
struct DeleteTableRequest {
  std::string table_name = {};
};

struct IndexDescription {
  std::string index_name = {};
  KeySchema key = {};
  ProjectionType projection = ProjectionType::all;
  std::vector<std::string> non_key_attributes = {};
  TableStatus status = TableStatus::active;
  ProvisionedThroughput provisioned_throughput = {};
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

struct TableDescription {
  std::string table_name = {};
  std::string table_id = {};
  TableStatus status = TableStatus::active;
  std::chrono::system_clock::time_point created = {};
  KeySchema key = {};
  std::vector<IndexDescription> global_secondary_indexes = {};
  std::vector<IndexDescription> local_secondary_indexes = {};
  BillingMode billing_mode = BillingMode::pay_per_request;
  ProvisionedThroughput provisioned_throughput = {};
  std::optional<StreamViewType> stream = {};
  TableClass table_class = TableClass::standard;
  bool deletion_protection = false;
  std::int64_t item_count = 0;  // counted with every write, not every six hours
  std::int64_t size_bytes = 0;
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name = {};
  std::optional<std::int64_t> limit = {};  // at most 100, which is the default
};
struct ListTablesResponse {
  std::vector<std::string> table_names = {};
  std::optional<std::string> last_evaluated_table_name = {};
};

}  // namespace stator
