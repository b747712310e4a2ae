#include "bench/load/dynamo_requests.h"

#include <fmt/format.h>

#include <ctime>
#include <iterator>

#include "bench/load/item.h"

namespace stator::bench {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::string_view kSignedHeaders = "content-type;host;x-amz-date;x-amz-target";

template <typename MakeItem>
std::string BatchBody(std::string_view table, std::uint64_t first, std::uint64_t last,
                      MakeItem make_item) {
  std::string body = fmt::format(R"({{"RequestItems":{{"{}":[)", table);
  for (std::uint64_t index = first; index < last; ++index) {
    fmt::format_to(std::back_inserter(body), R"({}{{"PutRequest":{{"Item":{}}}}})",
                   index == first ? "" : ",", make_item(index));
  }
  body += "]}}";
  return body;
}

}  // namespace

DynamoRequests::DynamoRequests(const Endpoint& endpoint, const Credentials& credentials,
                               std::string_view table)
    : host_(fmt::format("{}:{}", endpoint.host, endpoint.port)),
      table_(table),
      signer_(credentials, SigningScope{}, std::time(nullptr)) {}

std::string DynamoRequests::Signed(std::string_view operation, std::string_view body) {
  const std::string target = fmt::format("DynamoDB_20120810.{}", operation);
  const std::string canonical_headers =
      fmt::format("content-type:{}\nhost:{}\nx-amz-date:{}\nx-amz-target:{}\n", kContentType, host_,
                  signer_.timestamp(), target);
  const std::string authorization =
      signer_.Authorization({"POST", canonical_headers, kSignedHeaders, body});
  return fmt::format(
      "POST / HTTP/1.1\r\n"
      "Host: {}\r\n"
      "Accept-Encoding: identity\r\n"
      "X-Amz-Target: {}\r\n"
      "Content-Type: {}\r\n"
      "User-Agent: stator-load/1.0 md/linux lang/c++#20 cfg/retry-mode#legacy\r\n"
      "X-Amz-Date: {}\r\n"
      "Authorization: {}\r\n"
      "amz-sdk-invocation-id: 00000000-0000-4000-8000-{:012x}\r\n"
      "amz-sdk-request: attempt=1\r\n"
      "Content-Length: {}\r\n"
      "\r\n"
      "{}",
      host_, target, kContentType, signer_.timestamp(), authorization, invocations_++, body.size(),
      body);
}

std::string DynamoRequests::GetItem(std::uint64_t index) {
  return Signed("GetItem", fmt::format(R"({{"TableName":"{}","Key":{{"pk":{{"S":"{}"}}}}}})",
                                       table_, ItemKey(index)));
}

std::string DynamoRequests::PutItem(std::uint64_t index, std::uint64_t version) {
  return Signed("PutItem",
                fmt::format(R"({{"TableName":"{}","Item":{}}})", table_, ItemJson(index, version)));
}

std::string DynamoRequests::PutIndexedItem(std::uint64_t index, std::uint64_t version) {
  return Signed("PutItem", fmt::format(R"({{"TableName":"{}","Item":{}}})", table_,
                                       IndexedItemJson(index, version)));
}

std::string DynamoRequests::TransactPut(std::uint64_t first, std::uint64_t second,
                                        std::uint64_t version) {
  const auto put = [&](std::uint64_t index) {
    return fmt::format(R"({{"Put":{{"TableName":"{}","Item":{}}}}})", table_,
                       ItemJson(index, version));
  };
  return Signed("TransactWriteItems",
                fmt::format(R"({{"TransactItems":[{},{}]}})", put(first), put(second)));
}

std::string DynamoRequests::Query(std::uint64_t partition) {
  return Signed("Query", fmt::format(R"({{"TableName":"{}","KeyConditionExpression":"pk = :pk",)"
                                     R"("ExpressionAttributeValues":{{":pk":{{"S":"{}"}}}}}})",
                                     kQueryTable, PartitionKey(partition)));
}

std::string DynamoRequests::BatchWriteItems(std::uint64_t first, std::uint64_t last,
                                            std::uint64_t version) {
  return Signed("BatchWriteItem", BatchBody(table_, first, last, [version](std::uint64_t index) {
                  return ItemJson(index, version);
                }));
}

std::string DynamoRequests::BatchWriteIndexedItems(std::uint64_t first, std::uint64_t last) {
  return Signed("BatchWriteItem", BatchBody(table_, first, last, [](std::uint64_t index) {
                  return IndexedItemJson(index, 0);
                }));
}

std::string DynamoRequests::BatchWriteExpiringItems(std::uint64_t first, std::uint64_t last,
                                                    std::uint64_t expires) {
  return Signed("BatchWriteItem", BatchBody(table_, first, last, [expires](std::uint64_t index) {
                  return ExpiringItemJson(index, expires);
                }));
}

std::string DynamoRequests::BatchWriteRows(std::uint64_t first, std::uint64_t last) {
  return Signed("BatchWriteItem", BatchBody(kQueryTable, first, last, RowJson));
}

}  // namespace stator::bench
