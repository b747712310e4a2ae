#include "design/workbench/live_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::design {

namespace {

using client::Json;

constexpr int kSegments = 16;

KeyAttribute key_of(const Json& table, const std::string& name) {
  KeyAttribute key;
  key.name = name;
  for (const Json& definition : table.value("AttributeDefinitions", Json::array())) {
    if (definition.value("AttributeName", "") != name) continue;
    const std::string type = definition.value("AttributeType", "S");
    key.type = type == "N" ? AttributeType::number : type == "B" ? AttributeType::binary : AttributeType::string;
  }
  return key;
}

void read_keys(const Json& table, const Json& schema, KeyAttribute& partition_key,
               std::optional<KeyAttribute>& sort_key) {
  for (const Json& element : schema) {
    const KeyAttribute key = key_of(table, element.value("AttributeName", ""));
    if (element.value("KeyType", "") == "HASH") {
      partition_key = key;
    } else {
      sort_key = key;
    }
  }
}

Capacity capacity_of(const Json& json, bool provisioned) {
  Capacity capacity;
  if (!provisioned) return capacity;
  const Json throughput = json.value("ProvisionedThroughput", Json::object());
  capacity.mode = CapacityMode::provisioned;
  capacity.read_units = throughput.value("ReadCapacityUnits", 1.0);
  capacity.write_units = throughput.value("WriteCapacityUnits", 1.0);
  return capacity;
}

Index index_of(const Json& table, const Json& json, IndexKind kind) {
  Index index;
  index.kind = kind;
  index.name = json.value("IndexName", "");
  read_keys(table, json.value("KeySchema", Json::array()), index.partition_key, index.sort_key);
  const Json projection = json.value("Projection", Json::object());
  const std::string type = projection.value("ProjectionType", "ALL");
  index.projection.kind = type == "INCLUDE"     ? ProjectionKind::include
                          : type == "KEYS_ONLY" ? ProjectionKind::keys_only
                                                : ProjectionKind::all;
  index.projection.attributes = projection.value("NonKeyAttributes", std::vector<std::string>());
  return index;
}

Result<void> read_segment(client::Client& client, const std::string& table, int segment, std::size_t items_max,
                          InferInput& input) {
  Json request = {{"TableName", table}, {"Segment", segment}, {"TotalSegments", kSegments}};
  std::size_t read = 0;
  while (read < items_max) {
    request["Limit"] = std::min<std::size_t>(items_max - read, 1000);
    TRY(const Json answer, client.call("DynamoDB_20120810.Scan", request));
    for (const Json& item : answer.value("Items", Json::array())) {
      input.items.push_back(nlohmann::ordered_json::parse(item.dump()));
      ++read;
    }
    if (!answer.contains("LastEvaluatedKey")) break;
    request["ExclusiveStartKey"] = answer["LastEvaluatedKey"];
  }
  return {};
}

}  // namespace

Result<InferInput> read_live_table(client::Client& client, const std::string& table_name, std::size_t items_max) {
  TRY(const Json answer, client.call("DynamoDB_20120810.DescribeTable", {{"TableName", table_name}}));
  const Json table = answer.value("Table", Json::object());
  InferInput input;
  input.table.name = table_name;
  read_keys(table, table.value("KeySchema", Json::array()), input.table.partition_key, input.table.sort_key);
  const bool provisioned =
      table.value("/BillingModeSummary/BillingMode"_json_pointer, std::string("PROVISIONED")) == "PROVISIONED" &&
      table.value("/ProvisionedThroughput/ReadCapacityUnits"_json_pointer, 0.0) > 0;
  input.table.capacity = capacity_of(table, provisioned);
  input.table.stream_view = table.value("/StreamSpecification/StreamViewType"_json_pointer, std::string());
  for (const Json& json : table.value("GlobalSecondaryIndexes", Json::array())) {
    input.indexes.push_back(index_of(table, json, IndexKind::global));
  }
  for (const Json& json : table.value("LocalSecondaryIndexes", Json::array())) {
    input.indexes.push_back(index_of(table, json, IndexKind::local));
  }
  const std::size_t each = std::max<std::size_t>(1, items_max / kSegments);
  for (int segment = 0; segment < kSegments; ++segment)
    TRY_VOID(read_segment(client, table_name, segment, each, input));
  if (input.items.empty())
    return invalid(fmt::format("table {} is empty: there is nothing to infer a model from", table_name));
  // The service counts items every few hours only; what was read is the least there can be.
  input.item_count = std::max(table.value("ItemCount", 0.0), static_cast<double>(input.items.size()));
  return input;
}

}  // namespace stator::design
