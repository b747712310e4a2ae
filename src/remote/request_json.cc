// Requests to the members of the wire. The operations of items share most of them, so one function
// writes each group.
#include <fmt/format.h>

#include "remote/json.h"

namespace stator::remote {
namespace {

template <class Request>
void add_expressions(Json& json, const Request& request) {
  if constexpr (requires { request.condition.has_value(); }) {
    if (request.condition) json["ConditionExpression"] = *request.condition;
  } else if constexpr (requires { request.condition; }) {
    json["ConditionExpression"] = request.condition;
  }
  if constexpr (requires { request.projection; }) {
    if (request.projection) json["ProjectionExpression"] = *request.projection;
  }
  if (!request.names.empty()) json["ExpressionAttributeNames"] = request.names;
  if constexpr (requires { request.values; }) {
    if (!request.values.empty()) json["ExpressionAttributeValues"] = wire_json(request.values);
  }
  if constexpr (requires { request.return_item_on_failure; }) {
    if (request.return_item_on_failure) json["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD";
  }
}

template <class Request>
void add_returns(Json& json, const Request& request) {
  constexpr const char* kValues[] = {"NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"};
  constexpr const char* kCapacities[] = {"NONE", "TOTAL", "INDEXES"};
  if constexpr (requires { request.return_values; }) {
    if (request.return_values != ReturnValues::none)
      json["ReturnValues"] = kValues[static_cast<std::size_t>(request.return_values)];
  }
  if (request.return_consumed_capacity != ReturnConsumedCapacity::none) {
    json["ReturnConsumedCapacity"] =
        kCapacities[static_cast<std::size_t>(request.return_consumed_capacity)];
  }
}

// Definitions of attributes follow from the keys.
class TableJson {
 public:
  Json key_schema(const KeySchema& key) {
    Json schema = Json::array();
    add(schema, key.partition, "HASH");
    add(schema, key.sort, "RANGE");
    return schema;
  }
  [[nodiscard]] const Json& definitions() const { return definitions_; }

 private:
  void add(Json& schema, const std::vector<KeyAttribute>& attributes, const char* type) {
    constexpr const char* kTypes[] = {"S", "N", "B"};
    for (const KeyAttribute& attribute : attributes) {
      schema.push_back({{"AttributeName", attribute.name}, {"KeyType", type}});
      const Json definition = {{"AttributeName", attribute.name},
                               {"AttributeType", kTypes[static_cast<std::size_t>(attribute.type)]}};
      if (std::find(definitions_.begin(), definitions_.end(), definition) == definitions_.end())
        definitions_.push_back(definition);
    }
  }
  Json definitions_ = Json::array();
};

Json throughput_json(const ProvisionedThroughput& throughput) {
  return {{"ReadCapacityUnits", throughput.read_capacity_units},
          {"WriteCapacityUnits", throughput.write_capacity_units}};
}

Json indexes_json(TableJson& table, const std::vector<SecondaryIndex>& indexes) {
  constexpr const char* kProjections[] = {"ALL", "KEYS_ONLY", "INCLUDE"};
  Json list = Json::array();
  for (const SecondaryIndex& index : indexes) {
    Json json = {{"IndexName", index.index_name}, {"KeySchema", table.key_schema(index.key)}};
    json["Projection"] = {
        {"ProjectionType", kProjections[static_cast<std::size_t>(index.projection)]}};
    if (!index.non_key_attributes.empty())
      json["Projection"]["NonKeyAttributes"] = index.non_key_attributes;
    if (index.provisioned_throughput)
      json["ProvisionedThroughput"] = throughput_json(*index.provisioned_throughput);
    list.push_back(std::move(json));
  }
  return list;
}

template <class Action>
Json action_json(const Action& action) {
  Json json = {{"TableName", action.table_name}};
  if constexpr (requires { action.item; }) {
    json["Item"] = wire_json(action.item);
  } else {
    json["Key"] = wire_json(action.key);
  }
  if constexpr (requires { action.update; }) json["UpdateExpression"] = action.update;
  add_expressions(json, action);
  return json;
}

}  // namespace

Json wire_json(const CreateTableRequest& request) {
  constexpr const char* kViews[] = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};
  TableJson table;
  Json json = {{"TableName", request.table_name}, {"KeySchema", table.key_schema(request.key)}};
  if (!request.global_secondary_indexes.empty())
    json["GlobalSecondaryIndexes"] = indexes_json(table, request.global_secondary_indexes);
  if (!request.local_secondary_indexes.empty())
    json["LocalSecondaryIndexes"] = indexes_json(table, request.local_secondary_indexes);
  json["AttributeDefinitions"] = table.definitions();
  const bool provisioned = request.billing_mode ? *request.billing_mode == BillingMode::provisioned
                                                : request.provisioned_throughput.has_value();
  json["BillingMode"] = provisioned ? "PROVISIONED" : "PAY_PER_REQUEST";
  if (request.provisioned_throughput)
    json["ProvisionedThroughput"] = throughput_json(*request.provisioned_throughput);
  if (request.stream) {
    json["StreamSpecification"] = {
        {"StreamEnabled", true},
        {"StreamViewType", kViews[static_cast<std::size_t>(*request.stream)]}};
  }
  if (request.table_class) {
    json["TableClass"] =
        *request.table_class == TableClass::standard ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS";
  }
  if (request.deletion_protection) json["DeletionProtectionEnabled"] = true;
  return json;
}

Json wire_json(const PutItemRequest& request) {
  Json json = {{"TableName", request.table_name}, {"Item", wire_json(request.item)}};
  add_expressions(json, request);
  add_returns(json, request);
  return json;
}

Json wire_json(const GetItemRequest& request) {
  Json json = {{"TableName", request.table_name}, {"Key", wire_json(request.key)}};
  add_expressions(json, request);
  if (request.consistent_read) json["ConsistentRead"] = true;
  add_returns(json, request);
  return json;
}

Json wire_json(const UpdateItemRequest& request) {
  Json json = {{"TableName", request.table_name}, {"Key", wire_json(request.key)}};
  if (request.update) json["UpdateExpression"] = *request.update;
  add_expressions(json, request);
  add_returns(json, request);
  return json;
}

Json wire_json(const DeleteItemRequest& request) {
  Json json = {{"TableName", request.table_name}, {"Key", wire_json(request.key)}};
  add_expressions(json, request);
  add_returns(json, request);
  return json;
}

Json wire_json(const QueryRequest& request) {
  constexpr const char* kSelects[] = {"ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES",
                                      "SPECIFIC_ATTRIBUTES", "COUNT"};
  Json json = {{"TableName", request.table_name}};
  if (request.index_name) json["IndexName"] = *request.index_name;
  if (request.key_condition) json["KeyConditionExpression"] = *request.key_condition;
  if (request.filter) json["FilterExpression"] = *request.filter;
  add_expressions(json, request);
  if (!request.scan_index_forward) json["ScanIndexForward"] = false;
  if (request.consistent_read) json["ConsistentRead"] = true;
  if (request.select) json["Select"] = kSelects[static_cast<std::size_t>(*request.select)];
  if (request.limit) json["Limit"] = *request.limit;
  if (request.exclusive_start_key)
    json["ExclusiveStartKey"] = wire_json(*request.exclusive_start_key);
  add_returns(json, request);
  return json;
}

Json wire_json(const TransactWriteItemsRequest& request) {
  constexpr const char* kActions[] = {"Put", "Update", "Delete", "ConditionCheck"};
  Json items = Json::array();
  for (const TransactWrite& write : request.items) {
    Json action = std::visit([](const auto& one) { return action_json(one); }, write);
    items.push_back(Json{{kActions[write.index()], std::move(action)}});
  }
  Json json = {{"TransactItems", std::move(items)}};
  if (!request.client_request_token.empty())
    json["ClientRequestToken"] = request.client_request_token;
  add_returns(json, request);
  return json;
}

Json wire_json(const TransactGetItemsRequest& request) {
  Json items = Json::array();
  for (const TransactGet& get : request.items) items.push_back({{"Get", action_json(get)}});
  Json json = {{"TransactItems", std::move(items)}};
  add_returns(json, request);
  return json;
}

}  // namespace stator::remote
