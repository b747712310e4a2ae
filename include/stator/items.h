#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stator/attribute_value.h"

// Requests and responses of the item operations. Members have the names of the service's API in
// small letters; the expression parameters are shorter:
//
//   key_condition   KeyConditionExpression      names    ExpressionAttributeNames
//   condition       ConditionExpression         values   ExpressionAttributeValues
//   filter          FilterExpression            update   UpdateExpression
//   projection      ProjectionExpression
//
// An expression that is not given is not the same as an empty one, which is an error.
namespace stator {

using Names = std::map<std::string, std::string>;

enum class ReturnValues : std::uint8_t { none, all_old, updated_old, all_new, updated_new };
enum class ReturnConsumedCapacity : std::uint8_t { none, total, indexes };

// Capacity units of one operation; the parts are filled for ReturnConsumedCapacity::indexes.
struct ConsumedCapacity {
  std::string table_name = {};
  double capacity_units = 0;
  double table_units = 0;
  std::map<std::string, double> local_indexes = {};
  std::map<std::string, double> global_indexes = {};
};

struct PutItemRequest {
  std::string table_name = {};
  Item item = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  ReturnValues return_values = ReturnValues::none;  // none or all_old
  bool return_item_on_failure = false;              // ReturnValuesOnConditionCheckFailure = ALL_OLD
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct PutItemResponse {
  std::optional<Item> attributes = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

struct GetItemRequest {
  std::string table_name = {};
  Item key = {};
  std::optional<std::string> projection = {};
  Names names = {};
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct GetItemResponse {
  std::optional<Item> item = {};  // nothing where there is none
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

struct UpdateItemRequest {
  std::string table_name = {};
  Item key = {};
  std::optional<std::string> update = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  ReturnValues return_values = ReturnValues::none;
  bool return_item_on_failure = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct UpdateItemResponse {
  std::optional<Item> attributes = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

struct DeleteItemRequest {
  std::string table_name = {};
  Item key = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  ReturnValues return_values = ReturnValues::none;  // none or all_old
  bool return_item_on_failure = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct DeleteItemResponse {
  std::optional<Item> attributes = {};
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

enum class Select : std::uint8_t {
  all_attributes,
  all_projected_attributes,
  specific_attributes,
  count,
};

struct QueryRequest {
  std::string table_name = {};
  std::optional<std::string> index_name = {};
  std::optional<std::string> key_condition = {};
  std::optional<std::string> filter = {};
  std::optional<std::string> projection = {};
  Names names = {};
  Item values = {};
  bool scan_index_forward = true;
  bool consistent_read = false;
  std::optional<Select> select = {};
  std::optional<std::int64_t> limit = {};  // rows of a page, before the filter
  std::optional<Item> exclusive_start_key = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct QueryResponse {
  std::vector<Item> items = {};
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::optional<Item> last_evaluated_key = {};  // nothing: this was the last page
  std::optional<ConsumedCapacity> consumed_capacity = {};
};

struct ScanRequest {
  std::string table_name = {};
  std::optional<std::string> index_name = {};
  std::optional<std::string> filter = {};
  std::optional<std::string> projection = {};
  Names names = {};
  Item values = {};
  bool consistent_read = false;
  std::optional<Select> select = {};
  std::optional<std::int64_t> limit = {};
  std::optional<Item> exclusive_start_key = {};
  std::optional<std::int64_t> segment = {};
  std::optional<std::int64_t> total_segments = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
using ScanResponse = QueryResponse;

struct KeysAndAttributes {
  std::vector<Item> keys = {};
  std::optional<std::string> projection = {};
  Names names = {};
  bool consistent_read = false;
};
struct BatchGetItemRequest {
  std::map<std::string, KeysAndAttributes> request_items = {};  // by table name; 100 keys in all
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct BatchGetItemResponse {
  std::map<std::string, std::vector<Item>> responses = {};  // items that are there, by table name
  std::map<std::string, KeysAndAttributes> unprocessed_keys =
      {};  // beyond 16 MB: ask again for these
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

struct PutRequest {
  Item item = {};
};
struct DeleteRequest {
  Item key = {};
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;
struct BatchWriteItemRequest {
  std::map<std::string, std::vector<WriteRequest>> request_items = {};  // by table name; 25 in all
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
// All writes of a batch are done or none: nothing is ever left unprocessed.
struct BatchWriteItemResponse {
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace stator
