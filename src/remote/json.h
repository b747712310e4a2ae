#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "stator/connection.h"

// The wire's JSON and the public types.
namespace stator::remote {

using Json = nlohmann::json;

[[nodiscard]] Json wire_json(const AttributeValue& value);
[[nodiscard]] Json wire_json(const Item& item);
// Errors: what is no item in the wire's form.
[[nodiscard]] Result<Item> to_item(const Json& json);

// The requests with the members of the API; what is not given is left out.
[[nodiscard]] Json wire_json(const CreateTableRequest& request);
[[nodiscard]] Json wire_json(const PutItemRequest& request);
[[nodiscard]] Json wire_json(const GetItemRequest& request);
[[nodiscard]] Json wire_json(const UpdateItemRequest& request);
[[nodiscard]] Json wire_json(const DeleteItemRequest& request);
[[nodiscard]] Json wire_json(const QueryRequest& request);
[[nodiscard]] Json wire_json(const TransactWriteItemsRequest& request);
[[nodiscard]] Json wire_json(const TransactGetItemsRequest& request);

// A member that is an item; nothing where it is missing.
[[nodiscard]] Result<std::optional<Item>> item_member(const Json& json, const char* name);
[[nodiscard]] std::string text_member(const Json& json, const char* name);
// "ConsumedCapacity" of an answer: one, or a list by table.
[[nodiscard]] std::optional<ConsumedCapacity> capacity_member(const Json& answer);
[[nodiscard]] std::vector<ConsumedCapacity> capacities_member(const Json& answer);

}  // namespace stator::remote
