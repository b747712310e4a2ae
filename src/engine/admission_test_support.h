#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/admission.h"
#include "engine/test_support.h"

// What the tests of capacity share.
namespace stator::engine::testing {

inline EngineOptions in_mode(CapacityMode mode) {
  EngineOptions options;
  options.capacity.mode = mode;
  return options;
}

// pk:S sk:N, provisioned, with a global index on g:S and a local one on l:S.
inline CreateTableRequest provisioned_request(std::string_view name, std::int64_t read, std::int64_t write,
                                       std::int64_t index_write) {
  CreateTableRequest request = table_request(name,
                                                      {{"pk", item::Type::string},
                                                       {"sk", item::Type::number},
                                                       {"g", item::Type::string},
                                                       {"l", item::Type::string}},
                                                      {"pk", "sk"});
  request.billing = BillingMode::provisioned;
  request.throughput = ThroughputInput{read, write};
  request.global_indexes = {index_input("global", {"g"})};
  request.global_indexes->front().throughput = ThroughputInput{read, index_write};
  request.local_indexes = {index_input("local", {"pk", "l"}, ProjectionKind::keys_only)};
  return request;
}

inline const capacity::TableCapacity::Snapshot& find(const std::vector<capacity::TableCapacity::Snapshot>& all,
                                                     std::string_view name) {
  return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.table_name == name; });
}

}  // namespace stator::engine::testing
