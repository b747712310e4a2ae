#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stator/items.h"
#include "stator/outcome.h"
#include "stator/tables.h"
#include "stator/transactions.h"

// The calls that a program makes on its items, wherever these are: in a Database of this process or
// behind an endpoint that speaks the DynamoDB protocol over HTTP. What is written against a
// Connection (typed models, stator/model.h, among it) works on both in the same way.
namespace stator {

class Database;

// May be used by many threads at once. A program can bring one of its own, for tests or to look at
// what is called.
class Connection {
 public:
  virtual ~Connection() = default;

  // Where the table is there already: ErrorKind::resource_in_use. A table can be used as soon as
  // this has returned.
  virtual Outcome<void> create_table(const CreateTableRequest& request) = 0;
  virtual Outcome<void> delete_table(const DeleteTableRequest& request) = 0;

  virtual Outcome<PutItemResponse> put_item(const PutItemRequest& request) = 0;
  virtual Outcome<GetItemResponse> get_item(const GetItemRequest& request) = 0;
  virtual Outcome<UpdateItemResponse> update_item(const UpdateItemRequest& request) = 0;
  virtual Outcome<DeleteItemResponse> delete_item(const DeleteItemRequest& request) = 0;
  virtual Outcome<QueryResponse> query(const QueryRequest& request) = 0;
  // The first page of each, one after the other here; an endpoint asks for them at the same time.
  virtual std::vector<Outcome<QueryResponse>> query_all(const std::vector<QueryRequest>& requests) {
    std::vector<Outcome<QueryResponse>> answers;
    answers.reserve(requests.size());
    for (const QueryRequest& request : requests) answers.push_back(query(request));
    return answers;
  }
  virtual Outcome<TransactWriteItemsResponse> transact_write_items(
      const TransactWriteItemsRequest& request) = 0;
  virtual Outcome<TransactGetItemsResponse> transact_get_items(
      const TransactGetItemsRequest& request) = 0;
};

// An endpoint over HTTP. What is left empty comes from where the SDKs take it: the environment
// (AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION, AWS_ACCESS_KEY_ID, ...) and the files under ~/.aws. A
// server on this machine needs no keys.
struct EndpointOptions {
  std::string endpoint =
      {};  // "http://127.0.0.1:8000", "https://dynamodb.eu-central-1.amazonaws.com"
  std::string region = {};
  std::string profile = {};
  std::string access_key_id = {};
  std::string secret_access_key = {};
  std::string session_token = {};
  std::int64_t connect_timeout_ms = 5'000;
  std::int64_t answer_timeout_ms = 60'000;
  int attempts = 4;  // of one call, the first included: throttling and lost connections
};

// The database must live longer.
[[nodiscard]] std::unique_ptr<Connection> connect(Database& database);

// Requests are signed (SigV4); each thread that calls at the same time gets a connection of its
// own. Nothing is sent before the first call; an error is one of the options. As with the SDKs, a
// write whose answer was lost is sent again, and a condition may then fail on what it wrote itself.
[[nodiscard]] Outcome<std::unique_ptr<Connection>> connect(const EndpointOptions& options);

}  // namespace stator
