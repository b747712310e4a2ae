// The data set: items that are a function of their index alone, so that every server holds the
// same data and an answer can be checked without asking another server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stator::bench {

inline constexpr std::string_view kItemTable = "bench_items";
inline constexpr std::string_view kQueryTable = "bench_query";

// Items in one partition of the query table, which is what one Query returns.
inline constexpr std::uint64_t kRowsPerPartition = 100;

// The size of an item by DynamoDB's own count (names and values), and of a Redis value.
inline constexpr std::size_t kItemBytes = 200;

// `length` characters of text that does not compress, the same for the same seed.
std::string RandomText(std::uint64_t seed, std::size_t length);

// Partition key of item `index` in the item table. Also the key in Redis.
std::string ItemKey(std::uint64_t index);

// Item `index` of the item table as DynamoDB JSON. `version` gives another payload under the
// same key: 0 is what the tables are filled with, put_item writes 1.
std::string ItemJson(std::uint64_t index, std::uint64_t version);

// An item with three more attributes that the tables for the index measure have indexes on. A
// new version has another payload and another status; the item stays where it is in the other two.
std::string IndexedItemJson(std::uint64_t index, std::uint64_t version);

// An item with a time to live in `expires`, under keys of its own.
std::string ExpiringItemJson(std::uint64_t index, std::uint64_t expires);

// Partition key of partition `index` in the query table.
std::string PartitionKey(std::uint64_t index);

// Item `index` of the query table; it is in partition index / kRowsPerPartition.
std::string RowJson(std::uint64_t index);

// The value that Redis holds for item `index`.
std::string RedisValue(std::uint64_t index, std::uint64_t version);

}  // namespace stator::bench
