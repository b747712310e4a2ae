#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is measured: the metrics of the namespace AWS/DynamoDB, with the service's names, units and dimensions.
namespace stator::metrics {

inline constexpr std::string_view kNamespace = "AWS/DynamoDB";

// The numbers are part of the stored form: a new metric goes to the end.
enum class Metric : std::uint8_t {
  consumed_read_units = 0,
  consumed_write_units = 1,
  provisioned_read_units = 2,
  provisioned_write_units = 3,
  read_throttle_events = 4,
  write_throttle_events = 5,
  read_provisioned_throttle_events = 6,
  write_provisioned_throttle_events = 7,
  read_key_range_throttle_events = 8,
  write_key_range_throttle_events = 9,
  read_on_demand_throttle_events = 10,
  write_on_demand_throttle_events = 11,
  read_account_throttle_events = 12,
  write_account_throttle_events = 13,
  throttled_requests = 14,
  successful_request_latency = 15,
  system_errors = 16,
  user_errors = 17,
  conditional_check_failed = 18,
  transaction_conflict = 19,
  returned_item_count = 20,
  returned_bytes = 21,
  returned_records = 22,
  ttl_deleted_items = 23,
  online_index_progress = 24,
  stream_age = 25,
};
inline constexpr std::size_t kMetricCount = 26;

// What a series of a metric is about, besides the table.
enum class DimensionKind : std::uint8_t {
  account,           // no dimension
  table,             // TableName
  table_or_index,    // TableName, and GlobalSecondaryIndexName where it is about an index
  index,             // TableName, GlobalSecondaryIndexName
  operation,         // TableName, Operation
  stream_operation,  // TableName, Operation, StreamLabel
  delegated,         // TableName, DelegatedOperation
};

struct Definition {
  Metric metric;
  std::string_view name;
  std::string_view unit;
  DimensionKind dimensions;
  double scale;  // what one stored unit is worth: values are kept as integers
};

[[nodiscard]] const Definition& definition(Metric metric);
// Nothing where no metric has this name.
[[nodiscard]] std::optional<Metric> find_metric(std::string_view name);

using Dimension = std::pair<std::string, std::string>;  // name, value

// One series: a metric of one table, index or operation. `detail` and `detail2` are the values of the dimensions behind
// TableName, in the order above; empty where the series has none.
struct SeriesKey {
  Metric metric = Metric::consumed_read_units;
  std::string table;
  std::string detail;
  std::string detail2;

  friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

// The dimensions of a series, and the series that has exactly these dimensions, in any order.
[[nodiscard]] std::vector<Dimension> dimensions_of(const SeriesKey& key);
[[nodiscard]] std::optional<SeriesKey> series_of(Metric metric, std::span<const Dimension> dimensions);

}  // namespace stator::metrics
