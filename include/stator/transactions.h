#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stator/attribute_value.h"
#include "stator/items.h"

// Requests and responses of the transactions: up to 100 items, all or nothing.
namespace stator {

struct TransactPut {
  std::string table_name = {};
  Item item = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  bool return_item_on_failure = false;
};
struct TransactUpdate {
  std::string table_name = {};
  Item key = {};
  std::string update = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  bool return_item_on_failure = false;
};
struct TransactDelete {
  std::string table_name = {};
  Item key = {};
  std::optional<std::string> condition = {};
  Names names = {};
  Item values = {};
  bool return_item_on_failure = false;
};
// Changes nothing; the transaction is cancelled where the condition does not hold.
struct TransactCheck {
  std::string table_name = {};
  Item key = {};
  std::string condition = {};
  Names names = {};
  Item values = {};
  bool return_item_on_failure = false;
};
using TransactWrite = std::variant<TransactPut, TransactUpdate, TransactDelete, TransactCheck>;

struct TransactWriteItemsRequest {
  std::vector<TransactWrite> items = {};
  // Within ten minutes a second request with the same token does nothing. Empty: over HTTP one is
  // made up, so that a repetition after a lost answer is harmless.
  std::string client_request_token = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct TransactWriteItemsResponse {
  std::vector<ConsumedCapacity> consumed_capacity = {};  // by table
};

struct TransactGet {
  std::string table_name = {};
  Item key = {};
  std::optional<std::string> projection = {};
  Names names = {};
};
struct TransactGetItemsRequest {
  std::vector<TransactGet> items = {};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::none;
};
struct TransactGetItemsResponse {
  std::vector<std::optional<Item>> items = {};  // one for each, in order
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace stator
