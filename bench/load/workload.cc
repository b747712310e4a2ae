#include "bench/load/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/common/flags.h"
#include "bench/load/dynamo_requests.h"
#include "bench/load/http_parser.h"
#include "bench/load/item.h"
#include "bench/load/random.h"
#include "bench/load/redis_requests.h"
#include "bench/load/resp_parser.h"

namespace stator::bench {
namespace {

// An answer without data: "{}", or "{"UnprocessedItems":{}}".
constexpr BodyRange kEmptyAnswer{0, 64};
constexpr BodyRange kOneItem{kItemBytes, 4 * kItemBytes};
constexpr BodyRange kOnePartition{kRowsPerPartition * kItemBytes,
                                  kRowsPerPartition* kItemBytes * 4};
constexpr BodyRange kOneValue{kItemBytes, kItemBytes};
constexpr BodyRange kAnyAnswer{};

template <typename Parser>
LoadLoop::MakeParser Parsing(BodyRange expected) {
  return [expected] { return std::make_unique<Parser>(expected); };
}

// A source of prepared requests about random numbers below `bound`.
std::unique_ptr<RequestSource> RandomRequests(
    const Options& options, std::uint64_t bound,
    const std::function<std::string(std::uint64_t index)>& make_request) {
  Random random(options.seed);
  return std::make_unique<PreparedSource>(options.prepared,
                                          [&] { return make_request(random.Below(bound)); });
}

// A source of prepared requests that take the items in turn, `step` of them each, so that no two
// requests under way have an item in common. `options.items` must be a multiple of `step`.
std::unique_ptr<RequestSource> RequestsInTurn(
    const Options& options, std::uint64_t step,
    const std::function<std::string(std::uint64_t first)>& make_request) {
  std::uint64_t next = 0;
  return std::make_unique<PreparedSource>(options.prepared, [&] {
    const std::uint64_t first = next;
    next = (next + step) % options.items;
    return make_request(first);
  });
}

DynamoRequests Requests(const Options& options) {
  return DynamoRequests(options.loop.endpoint, options.credentials, options.table);
}

std::uint64_t Partitions(const Options& options) {
  return std::max<std::uint64_t>(1, options.items / kRowsPerPartition);
}

Workload GetItem(const Options& options) {
  DynamoRequests requests = Requests(options);
  return {RandomRequests(options, options.items,
                         [&](std::uint64_t index) { return requests.GetItem(index); }),
          Parsing<HttpParser>(kOneItem)};
}

Workload PutItem(const Options& options) {
  DynamoRequests requests = Requests(options);
  return {RandomRequests(options, options.items,
                         [&](std::uint64_t index) { return requests.PutItem(index, 1); }),
          Parsing<HttpParser>(kEmptyAnswer)};
}

// As PutItem, but two items in one transaction. The items are far apart, as random ones would be.
Workload TransactPut(const Options& options) {
  DynamoRequests requests = Requests(options);
  const std::uint64_t half = options.items / 2;
  return {RequestsInTurn(options, 1,
                         [&](std::uint64_t first) {
                           const std::uint64_t scattered = first % half * 7919 % half;
                           return requests.TransactPut(scattered, half + scattered, 1);
                         }),
          Parsing<HttpParser>(kEmptyAnswer)};
}

Workload PutIndexed(const Options& options) {
  DynamoRequests requests = Requests(options);
  Random version(options.seed + 1);
  return {RandomRequests(options, options.items,
                         [&](std::uint64_t index) {
                           return requests.PutIndexedItem(index, 1 + version.Below(100));
                         }),
          Parsing<HttpParser>(kEmptyAnswer)};
}

// Each pass through the items writes another version, so that every write changes its item. With
// fewer passes prepared than are sent, later ones repeat earlier ones.
Workload BatchPut(const Options& options) {
  DynamoRequests requests = Requests(options);
  std::uint64_t version = 0;
  return {RequestsInTurn(options, kBatchItems,
                         [&](std::uint64_t first) {
                           version += first == 0 ? 1 : 0;
                           return requests.BatchWriteItems(first, first + kBatchItems, version);
                         }),
          Parsing<HttpParser>(kEmptyAnswer)};
}

Workload Query(const Options& options) {
  DynamoRequests requests = Requests(options);
  return {RandomRequests(options, Partitions(options),
                         [&](std::uint64_t index) { return requests.Query(index); }),
          Parsing<HttpParser>(kOnePartition)};
}

Workload Constant(const Options& options) {
  const std::string request = fmt::format("GET / HTTP/1.1\r\nHost: {}:{}\r\n\r\n",
                                          options.loop.endpoint.host, options.loop.endpoint.port);
  return {std::make_unique<PreparedSource>(1, [&] { return request; }),
          Parsing<HttpParser>(kAnyAnswer)};
}

Workload RedisGets(const Options& options) {
  return {RandomRequests(options, options.items, RedisGet), Parsing<RespParser>(kOneValue)};
}

Workload RedisSets(const Options& options) {
  return {RandomRequests(options, options.items,
                         [](std::uint64_t index) { return RedisSet(index, 1); }),
          Parsing<RespParser>(kAnyAnswer)};
}

Workload FillItems(const Options& options) {
  auto requests = std::make_shared<DynamoRequests>(Requests(options));
  return {std::make_unique<FillSource>(options.items, kBatchItems,
                                       [requests](std::uint64_t first, std::uint64_t last) {
                                         return requests->BatchWriteItems(first, last, 0);
                                       }),
          Parsing<HttpParser>(kEmptyAnswer), true};
}

Workload FillIndexed(const Options& options) {
  auto requests = std::make_shared<DynamoRequests>(Requests(options));
  return {std::make_unique<FillSource>(options.items, kBatchItems,
                                       [requests](std::uint64_t first, std::uint64_t last) {
                                         return requests->BatchWriteIndexedItems(first, last);
                                       }),
          Parsing<HttpParser>(kEmptyAnswer), true};
}

Workload FillExpiring(const Options& options) {
  auto requests = std::make_shared<DynamoRequests>(Requests(options));
  const std::uint64_t expires = options.expires;
  return {
      std::make_unique<FillSource>(options.items, kBatchItems,
                                   [requests, expires](std::uint64_t first, std::uint64_t last) {
                                     return requests->BatchWriteExpiringItems(first, last, expires);
                                   }),
      Parsing<HttpParser>(kEmptyAnswer), true};
}

Workload FillRows(const Options& options) {
  auto requests = std::make_shared<DynamoRequests>(Requests(options));
  return {std::make_unique<FillSource>(Partitions(options) * kRowsPerPartition, kBatchItems,
                                       [requests](std::uint64_t first, std::uint64_t last) {
                                         return requests->BatchWriteRows(first, last);
                                       }),
          Parsing<HttpParser>(kEmptyAnswer), true};
}

Workload FillRedis(const Options& options) {
  return {
      std::make_unique<FillSource>(
          options.items, 1, [](std::uint64_t first, std::uint64_t) { return RedisSet(first, 0); }),
      Parsing<RespParser>(kAnyAnswer), true};
}

struct NamedWorkload {
  std::string_view name;
  Workload (*make)(const Options&);
};

constexpr NamedWorkload kWorkloads[] = {
    {"get_item", GetItem},     {"put_item", PutItem},         {"query", Query},
    {"constant", Constant},    {"transact_put", TransactPut}, {"put_indexed", PutIndexed},
    {"batch_put", BatchPut},   {"redis_get", RedisGets},      {"redis_set", RedisSets},
    {"fill_items", FillItems}, {"fill_indexed", FillIndexed}, {"fill_expiring", FillExpiring},
    {"fill_rows", FillRows},   {"fill_redis", FillRedis},
};

}  // namespace

std::string WorkloadNames() {
  std::string names;
  for (const NamedWorkload& workload : kWorkloads) {
    names += workload.name;
    names += ' ';
  }
  return names + "print_item print_row print_redis";
}

Workload MakeWorkload(const Options& options) {
  for (const NamedWorkload& workload : kWorkloads) {
    if (workload.name == options.workload) {
      return workload.make(options);
    }
  }
  throw UsageError(fmt::format("--workload must be one of: {}", WorkloadNames()));
}

std::optional<std::string> PrintedItem(const Options& options) {
  if (options.workload == "print_item") {
    return ItemJson(options.index, 0);
  }
  if (options.workload == "print_row") {
    return RowJson(options.index);
  }
  if (options.workload == "print_redis") {
    return RedisValue(options.index, 0);
  }
  return std::nullopt;
}

}  // namespace stator::bench
