// A Connection to an endpoint over HTTP.
#include "stator/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "client/client.h"
#include "remote/errors.h"
#include "remote/json.h"

namespace stator {
namespace remote {
namespace {

constexpr std::size_t kIdleClientsMax = 64;
constexpr std::size_t kParallelQueriesMax = 16;
constexpr auto kTablePollInterval = std::chrono::milliseconds(200);
constexpr int kTablePollsMax = 1500;  // five minutes

// A Client is for one thread at a time: a call takes one that is idle, or makes one.
class Clients {
 public:
  explicit Clients(client::Options options) : options_(std::move(options)) {}

  Result<Json> call(const char* operation, const Json& request) {
    TRY(std::unique_ptr<client::Client> taken, take());
    Result<Json> answer = taken->call(fmt::format("DynamoDB_20120810.{}", operation), request);
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kIdleClientsMax) idle_.push_back(std::move(taken));
    return answer;
  }

 private:
  Result<std::unique_ptr<client::Client>> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<client::Client> taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
      }
    }
    return client::Client::create(options_);
  }

  const client::Options options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<client::Client>> idle_;  // guarded by mutex_
};

// 32 hexadecimal digits.
std::string random_token() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

Result<QueryResponse> query_response(const Json& answer) {
  QueryResponse response;
  response.count = answer.value("Count", std::int64_t{0});
  response.scanned_count = answer.value("ScannedCount", std::int64_t{0});
  for (const Json& json : answer.value("Items", Json::array())) {
    TRY(Item item, to_item(json));
    response.items.push_back(std::move(item));
  }
  TRY(response.last_evaluated_key, item_member(answer, "LastEvaluatedKey"));
  response.consumed_capacity = capacity_member(answer);
  return response;
}

// PutItem, UpdateItem and DeleteItem answer alike.
template <class Response>
Result<Response> write_response(const Json& answer) {
  Response response;
  TRY(response.attributes, item_member(answer, "Attributes"));
  response.consumed_capacity = capacity_member(answer);
  return response;
}

Result<GetItemResponse> get_response(const Json& answer) {
  GetItemResponse response;
  TRY(response.item, item_member(answer, "Item"));
  response.consumed_capacity = capacity_member(answer);
  return response;
}

Result<TransactGetItemsResponse> transact_get_response(const Json& answer) {
  TransactGetItemsResponse response;
  for (const Json& json : answer.value("Responses", Json::array())) {
    TRY(std::optional<Item> item, item_member(json, "Item"));
    response.items.push_back(std::move(item));
  }
  response.consumed_capacity = capacities_member(answer);
  return response;
}

class EndpointConnection final : public Connection {
 public:
  explicit EndpointConnection(client::Options options) : clients_(std::move(options)) {}

  Outcome<void> create_table(const CreateTableRequest& request) override {
    const Result<Json> made = clients_.call("CreateTable", wire_json(request));
    if (!made) return to_database_error(made.error());
    return wait_until_active(request.table_name);
  }
  Outcome<void> delete_table(const DeleteTableRequest& request) override {
    const Result<Json> deleted =
        clients_.call("DeleteTable", Json{{"TableName", request.table_name}});
    if (!deleted) return to_database_error(deleted.error());
    return {};
  }
  Outcome<PutItemResponse> put_item(const PutItemRequest& request) override {
    return call("PutItem", wire_json(request), write_response<PutItemResponse>);
  }
  Outcome<GetItemResponse> get_item(const GetItemRequest& request) override {
    return call("GetItem", wire_json(request), get_response);
  }
  Outcome<UpdateItemResponse> update_item(const UpdateItemRequest& request) override {
    return call("UpdateItem", wire_json(request), write_response<UpdateItemResponse>);
  }
  Outcome<DeleteItemResponse> delete_item(const DeleteItemRequest& request) override {
    return call("DeleteItem", wire_json(request), write_response<DeleteItemResponse>);
  }
  Outcome<QueryResponse> query(const QueryRequest& request) override {
    return call("Query", wire_json(request), query_response);
  }
  std::vector<Outcome<QueryResponse>> query_all(
      const std::vector<QueryRequest>& requests) override {
    if (requests.size() < 2) return Connection::query_all(requests);
    std::vector<std::optional<Outcome<QueryResponse>>> found(requests.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t at = next++; at < requests.size(); at = next++)
        found[at].emplace(query(requests[at]));
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < std::min(requests.size(), kParallelQueriesMax); ++i)
        threads.emplace_back(work);
      work();
    }
    std::vector<Outcome<QueryResponse>> answers;
    for (std::optional<Outcome<QueryResponse>>& one : found) answers.push_back(std::move(*one));
    return answers;
  }
  Outcome<TransactWriteItemsResponse> transact_write_items(
      const TransactWriteItemsRequest& request) override {
    Json json = wire_json(request);
    if (request.client_request_token.empty()) json["ClientRequestToken"] = random_token();
    return call("TransactWriteItems", json, [](const Json& answer) {
      return Result<TransactWriteItemsResponse>(
          TransactWriteItemsResponse{.consumed_capacity = capacities_member(answer)});
    });
  }
  Outcome<TransactGetItemsResponse> transact_get_items(
      const TransactGetItemsRequest& request) override {
    return call("TransactGetItems", wire_json(request), transact_get_response);
  }

 private:
  template <class Read>
  auto call(const char* operation, const Json& request, Read read)
      -> Outcome<typename decltype(read(request))::value_type> {
    const Result<Json> answer = clients_.call(operation, request);
    if (!answer) return to_database_error(answer.error());
    auto response = read(*answer);
    if (!response) return to_database_error(response.error());
    return std::move(*response);
  }

  Outcome<void> wait_until_active(const std::string& table) {
    for (int polls = 0; polls < kTablePollsMax; ++polls) {
      const Result<Json> answer = clients_.call("DescribeTable", Json{{"TableName", table}});
      if (!answer) return to_database_error(answer.error());
      if (answer->value("/Table/TableStatus"_json_pointer, std::string()) == "ACTIVE") return {};
      std::this_thread::sleep_for(kTablePollInterval);
    }
    return DatabaseError{.kind = ErrorKind::unavailable,
                         .name = "ServiceUnavailable",
                         .message = fmt::format("the table {} did not become active", table),
                         .item = {},
                         .reasons = {}};
  }

  Clients clients_;
};

}  // namespace
}  // namespace remote

Outcome<std::unique_ptr<Connection>> connect(const EndpointOptions& options) {
  client::Options made;
  made.endpoint = options.endpoint;
  made.region = options.region;
  made.profile = options.profile;
  made.credentials = {options.access_key_id, options.secret_access_key, options.session_token};
  made.timeouts = {options.connect_timeout_ms, options.answer_timeout_ms};
  made.attempts = options.attempts;
  // Resolved here, so that what is missing is said before the first call.
  Result<client::Options> resolved = client::resolve(std::move(made));
  if (!resolved) return remote::to_database_error(resolved.error());
  return std::unique_ptr<Connection>(
      std::make_unique<remote::EndpointConnection>(std::move(*resolved)));
}

}  // namespace stator
