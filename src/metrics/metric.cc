#include "metrics/metric.h"

#include <array>

namespace stator::metrics {
namespace {

using enum DimensionKind;
constexpr double kHalf = 0.5;       // capacity is counted in half units
constexpr double kMicro = 0.001;    // latency is counted in microseconds and shown in milliseconds

constexpr auto kDefinitions = std::to_array<Definition>({
    {Metric::consumed_read_units, "ConsumedReadCapacityUnits", "Count", table_or_index, kHalf},
    {Metric::consumed_write_units, "ConsumedWriteCapacityUnits", "Count", table_or_index, kHalf},
    {Metric::provisioned_read_units, "ProvisionedReadCapacityUnits", "Count", table_or_index, 1},
    {Metric::provisioned_write_units, "ProvisionedWriteCapacityUnits", "Count", table_or_index, 1},
    {Metric::read_throttle_events, "ReadThrottleEvents", "Count", table_or_index, 1},
    {Metric::write_throttle_events, "WriteThrottleEvents", "Count", table_or_index, 1},
    {Metric::read_provisioned_throttle_events, "ReadProvisionedThroughputThrottleEvents", "Count", table_or_index, 1},
    {Metric::write_provisioned_throttle_events, "WriteProvisionedThroughputThrottleEvents", "Count", table_or_index,
     1},
    {Metric::read_key_range_throttle_events, "ReadKeyRangeThroughputThrottleEvents", "Count", table_or_index, 1},
    {Metric::write_key_range_throttle_events, "WriteKeyRangeThroughputThrottleEvents", "Count", table_or_index, 1},
    {Metric::read_on_demand_throttle_events, "ReadMaxOnDemandThroughputThrottleEvents", "Count", table_or_index, 1},
    {Metric::write_on_demand_throttle_events, "WriteMaxOnDemandThroughputThrottleEvents", "Count", table_or_index, 1},
    {Metric::read_account_throttle_events, "ReadAccountLimitThrottleEvents", "Count", table_or_index, 1},
    {Metric::write_account_throttle_events, "WriteAccountLimitThrottleEvents", "Count", table_or_index, 1},
    {Metric::throttled_requests, "ThrottledRequests", "Count", operation, 1},
    {Metric::successful_request_latency, "SuccessfulRequestLatency", "Milliseconds", operation, kMicro},
    {Metric::system_errors, "SystemErrors", "Count", operation, 1},
    {Metric::user_errors, "UserErrors", "Count", account, 1},
    {Metric::conditional_check_failed, "ConditionalCheckFailedRequests", "Count", table, 1},
    {Metric::transaction_conflict, "TransactionConflict", "Count", table, 1},
    {Metric::returned_item_count, "ReturnedItemCount", "Count", operation, 1},
    {Metric::returned_bytes, "ReturnedBytes", "Bytes", stream_operation, 1},
    {Metric::returned_records, "ReturnedRecordsCount", "Count", stream_operation, 1},
    {Metric::ttl_deleted_items, "TimeToLiveDeletedItemCount", "Count", table, 1},
    {Metric::online_index_progress, "OnlineIndexPercentageProgress", "Percent", index, 1},
    {Metric::stream_age, "AgeOfOldestUnreplicatedRecord", "Milliseconds", delegated, 1},
});
static_assert(kDefinitions.size() == kMetricCount);
static_assert([] {
  for (std::size_t i = 0; i < kDefinitions.size(); ++i) {
    if (kDefinitions[i].metric != static_cast<Metric>(i)) return false;
  }
  return true;
}());

// The names of the dimensions behind TableName.
std::pair<std::string_view, std::string_view> detail_names(DimensionKind kind) {
  switch (kind) {
    case account:
    case table:
      return {};
    case table_or_index:
    case index:
      return {"GlobalSecondaryIndexName", {}};
    case operation:
      return {"Operation", {}};
    case stream_operation:
      return {"Operation", "StreamLabel"};
    case delegated:
      return {"DelegatedOperation", {}};
  }
  return {};
}

bool is_complete(DimensionKind kind, const SeriesKey& key) {
  const auto [first, second] = detail_names(kind);
  if ((kind != account) == key.table.empty()) return false;
  if (kind == table_or_index) return key.detail2.empty();
  return first.empty() == key.detail.empty() && second.empty() == key.detail2.empty();
}

}  // namespace

const Definition& definition(Metric metric) { return kDefinitions[static_cast<std::size_t>(metric)]; }

std::optional<Metric> find_metric(std::string_view name) {
  for (const Definition& known : kDefinitions) {
    if (known.name == name) return known.metric;
  }
  return std::nullopt;
}

std::vector<Dimension> dimensions_of(const SeriesKey& key) {
  const auto [first, second] = detail_names(definition(key.metric).dimensions);
  std::vector<Dimension> dimensions;
  if (!key.table.empty()) dimensions.emplace_back("TableName", key.table);
  if (!key.detail.empty()) dimensions.emplace_back(first, key.detail);
  if (!key.detail2.empty()) dimensions.emplace_back(second, key.detail2);
  return dimensions;
}

std::optional<SeriesKey> series_of(Metric metric, std::span<const Dimension> dimensions) {
  const DimensionKind kind = definition(metric).dimensions;
  const auto [first, second] = detail_names(kind);
  SeriesKey key{.metric = metric};
  for (const auto& [name, value] : dimensions) {
    std::string* slot = name == "TableName" ? &key.table : name == first ? &key.detail : name == second ? &key.detail2 : nullptr;
    if (slot == nullptr || name.empty() || !slot->empty()) return std::nullopt;
    *slot = value;
  }
  if (!is_complete(kind, key)) return std::nullopt;
  return key;
}

}  // namespace stator::metrics
