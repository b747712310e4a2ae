// Signed DynamoDB requests, as bytes ready to be sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/common/socket.h"
#include "bench/load/signer.h"

namespace stator::bench {

// BatchWriteItem takes at most this many items.
inline constexpr std::uint64_t kBatchItems = 25;

// Makes requests with the headers that an AWS SDK sends.
class DynamoRequests {
 public:
  // `table` is the item table.
  DynamoRequests(const Endpoint& endpoint, const Credentials& credentials, std::string_view table);

  std::string GetItem(std::uint64_t index);
  std::string PutItem(std::uint64_t index, std::uint64_t version);
  std::string PutIndexedItem(std::uint64_t index, std::uint64_t version);
  // Puts two items in one transaction.
  std::string TransactPut(std::uint64_t first, std::uint64_t second, std::uint64_t version);
  std::string Query(std::uint64_t partition);

  // Writes the items `first` to `last` - 1 of the item table or of the query table.
  std::string BatchWriteItems(std::uint64_t first, std::uint64_t last, std::uint64_t version);
  std::string BatchWriteIndexedItems(std::uint64_t first, std::uint64_t last);
  std::string BatchWriteExpiringItems(std::uint64_t first, std::uint64_t last,
                                      std::uint64_t expires);
  std::string BatchWriteRows(std::uint64_t first, std::uint64_t last);

 private:
  std::string Signed(std::string_view operation, std::string_view body);

  std::string host_;
  std::string table_;
  Signer signer_;
  std::uint64_t invocations_ = 0;
};

}  // namespace stator::bench
