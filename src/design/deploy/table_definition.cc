#include "design/deploy/table_definition.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kWaitSeconds = 300;

std::int64_t units(double value) { return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(value))); }

OrderedJson key_schema(const KeyAttribute& partition_key, const KeyAttribute* sort_key) {
  OrderedJson schema = OrderedJson::array();
  schema.push_back({{"AttributeName", partition_key.name}, {"KeyType", "HASH"}});
  if (sort_key != nullptr) schema.push_back({{"AttributeName", sort_key->name}, {"KeyType", "RANGE"}});
  return schema;
}

OrderedJson throughput(const Capacity& capacity) {
  return {{"ReadCapacityUnits", units(capacity.read_units)}, {"WriteCapacityUnits", units(capacity.write_units)}};
}

OrderedJson index_definition(const Model& model, const Index& index) {
  OrderedJson out = {{"IndexName", index.name},
              {"KeySchema", key_schema(index.partition_key, index.sort_key ? &*index.sort_key : nullptr)},
              {"Projection", projection_definition(index.projection)}};
  if (index.kind == IndexKind::global && model.table.capacity.mode == CapacityMode::provisioned) {
    out["ProvisionedThroughput"] = throughput(index.capacity.value_or(model.table.capacity));
  }
  return out;
}

std::string target(std::string_view operation) { return fmt::format("DynamoDB_20120810.{}", operation); }

Result<nlohmann::json> describe(client::Client& client, const Model& model) {
  TRY(const nlohmann::json answer, client.call(target("DescribeTable"), {{"TableName", model.table.name}}));
  return answer.value("Table", nlohmann::json::object());
}

Result<void> wait_until_active(client::Client& client, const Model& model) {
  for (int attempt = 0; attempt < kWaitSeconds * 5; ++attempt) {
    TRY(const nlohmann::json table, describe(client, model));
    if (table.value("TableStatus", "") == "ACTIVE") return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return fail(ErrorCode::unavailable,
              fmt::format("table {} was not ACTIVE after {} seconds", model.table.name, kWaitSeconds));
}

std::string keys_text(const nlohmann::json& schema) {
  std::string out;
  for (const auto& key : schema) out += (out.empty() ? "" : ", ") + key.value("AttributeName", "");
  return out;
}

}  // namespace

OrderedJson projection_definition(const Projection& kept) {
  switch (kept.kind) {
    case ProjectionKind::all:
      return {{"ProjectionType", "ALL"}};
    case ProjectionKind::keys_only:
      return {{"ProjectionType", "KEYS_ONLY"}};
    case ProjectionKind::include:
      break;
  }
  return {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", kept.attributes}};
}

OrderedJson create_table_request(const Model& model) {
  const Table& table = model.table;
  OrderedJson request = {{"TableName", table.name}};
  OrderedJson definitions = OrderedJson::array();
  for (const KeyAttribute& key : model.key_attributes()) {
    definitions.push_back({{"AttributeName", key.name}, {"AttributeType", attribute_type_text(key.type)}});
  }
  request["AttributeDefinitions"] = definitions;
  request["KeySchema"] = key_schema(table.partition_key, table.sort_key ? &*table.sort_key : nullptr);
  for (const Index& index : model.indexes) {
    const char* member = index.kind == IndexKind::global ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes";
    request[member].push_back(index_definition(model, index));
  }
  if (table.capacity.mode == CapacityMode::provisioned) {
    request["BillingMode"] = "PROVISIONED";
    request["ProvisionedThroughput"] = throughput(table.capacity);
  } else {
    request["BillingMode"] = "PAY_PER_REQUEST";
  }
  if (!table.stream_view.empty()) {
    request["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", table.stream_view}};
  }
  return request;
}

OrderedJson time_to_live_request(const Model& model) {
  if (model.ttl_attribute().empty()) return nullptr;
  return {{"TableName", model.table.name},
          {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", std::string(model.ttl_attribute())}}}};
}

std::string table_difference(const Model& model, const nlohmann::json& description) {
  const OrderedJson wanted = create_table_request(model);
  const auto compare = [](const std::string& what, const nlohmann::json& there,
                          const OrderedJson& here) -> std::string {
    const std::string has = keys_text(there);
    const std::string needs = keys_text(nlohmann::json(here));
    return has == needs ? std::string() : fmt::format("{} has the key {}, the model {}", what, has, needs);
  };
  std::string difference =
      compare("the table", description.value("KeySchema", nlohmann::json::array()), wanted["KeySchema"]);
  for (const char* member : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
    for (const OrderedJson& index : wanted.value(member, OrderedJson::array())) {
      if (!difference.empty()) return difference;
      const std::string name = index["IndexName"];
      difference = fmt::format("it has no index {}", name);
      for (const auto& there : description.value(member, nlohmann::json::array())) {
        if (there.value("IndexName", "") != name) continue;
        difference = compare("index " + name, there.value("KeySchema", nlohmann::json::array()), index["KeySchema"]);
        const std::string kind = there.value("/Projection/ProjectionType"_json_pointer, std::string());
        if (difference.empty() && kind != index["Projection"]["ProjectionType"].get<std::string>()) {
          difference = fmt::format("index {} projects {}", name, kind);
        }
      }
    }
  }
  return difference;
}

Result<std::string> create_table(client::Client& client, const Model& model) {
  std::string done = "created";
  const auto created = client.call(target("CreateTable"), create_table_request(model));
  if (!created) {
    if (client::wire_code(created.error()) != "ResourceInUseException") return tl::unexpected<Error>(created.error());
    TRY(const nlohmann::json table, describe(client, model));
    const std::string difference = table_difference(model, table);
    if (!difference.empty()) {
      return invalid(fmt::format("table {} exists and is another one: {}", model.table.name, difference));
    }
    done = "exists";
  }
  TRY_VOID(wait_until_active(client, model));
  if (const OrderedJson request = time_to_live_request(model); !request.is_null()) {
    const auto set = client.call(target("UpdateTimeToLive"), request);
    // On a table that was there it is set already, which the service calls a mistake.
    if (!set && !(done == "exists" && client::wire_code(set.error()) == "ValidationException")) {
      return tl::unexpected<Error>(set.error());
    }
  }
  return done;
}

}  // namespace stator::design
