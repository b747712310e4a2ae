#include "api/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace stator::api {
namespace {

using Entry = OperationEntry;

// Sorted by name: looked up for every request.
constexpr auto kOperations = std::to_array<Entry>({
    {"BatchExecuteStatement", batch_execute_statement},
    {"BatchGetItem", batch_get_item},
    {"BatchWriteItem", batch_write_item},
    {"CreateTable", create_table},
    {"DeleteItem", delete_item},
    {"DeleteTable", delete_table},
    {"DescribeContinuousBackups", describe_continuous_backups},
    {"DescribeContributorInsights", describe_contributor_insights},
    {"DescribeEndpoints", describe_endpoints},
    {"DescribeLimits", describe_limits},
    {"DescribeTable", describe_table},
    {"DescribeTimeToLive", describe_time_to_live},
    {"ExecuteStatement", execute_statement},
    {"ExecuteTransaction", execute_transaction},
    {"GetItem", get_item},
    {"ListContributorInsights", list_contributor_insights},
    {"ListTables", list_tables},
    {"ListTagsOfResource", list_tags_of_resource},
    {"PutItem", put_item},
    {"Query", query},
    {"Scan", scan},
    {"TagResource", tag_resource},
    {"TransactGetItems", transact_get_items},
    {"TransactWriteItems", transact_write_items},
    {"UntagResource", untag_resource},
    {"UpdateContributorInsights", update_contributor_insights},
    {"UpdateItem", update_item},
    {"UpdateTable", update_table},
    {"UpdateTimeToLive", update_time_to_live},
});

constexpr auto kStreamOperations = std::to_array<Entry>({
    {"DescribeStream", describe_stream},
    {"GetRecords", get_records},
    {"GetShardIterator", get_shard_iterator},
    {"ListStreams", list_streams},
});

// Operations of the service that are not served here. Sorted.
constexpr auto kUnserved = std::to_array<std::string_view>({
    "CreateBackup",
    "CreateGlobalTable",
    "DeleteBackup",
    "DeleteResourcePolicy",
    "DescribeBackup",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeTableReplicaAutoScaling",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExportTableToPointInTime",
    "GetResourcePolicy",
    "ImportTable",
    "ListBackups",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "PutResourcePolicy",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "SearchVectors",
    "UpdateContinuousBackups",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateKinesisStreamingDestination",
    "UpdateTableReplicaAutoScaling",
});
static_assert(std::is_sorted(kUnserved.begin(), kUnserved.end()));

constexpr std::string_view kService = "DynamoDB_20120810.";
constexpr std::string_view kStreams = "DynamoDBStreams_20120810.";

constexpr bool by_name(const Entry& a, const Entry& b) { return a.name < b.name; }
static_assert(std::is_sorted(kOperations.begin(), kOperations.end(), by_name));
static_assert(std::is_sorted(kStreamOperations.begin(), kStreamOperations.end(), by_name));

const Entry* find_in(std::span<const Entry> operations, std::string_view name) {
  const auto before = [](const Entry& entry, std::string_view wanted) { return entry.name < wanted; };
  const auto found = std::lower_bound(operations.begin(), operations.end(), name, before);
  return found != operations.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

const OperationEntry* find_entry(std::string_view target) {
  if (target.starts_with(kService)) return find_in(kOperations, target.substr(kService.size()));
  if (target.starts_with(kStreams)) return find_in(kStreamOperations, target.substr(kStreams.size()));
  return nullptr;
}

Error unknown_operation(std::string_view target) {
  Error error{ErrorCode::unknown_operation, ""};
  if (!target.starts_with(kService)) return error;
  const std::string_view name = target.substr(kService.size());
  if (std::binary_search(kUnserved.begin(), kUnserved.end(), name)) {
    error.message = fmt::format("{} is an operation of DynamoDB that Stator does not have", name);
  }
  return error;
}

Operation find_operation(std::string_view target) {
  const OperationEntry* entry = find_entry(target);
  return entry != nullptr ? entry->operation : nullptr;
}

}  // namespace stator::api
