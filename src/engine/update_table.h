#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/create_table.h"
#include "engine/describe_table.h"
#include "engine/online_index.h"

namespace stator::engine {

struct IndexUpdate {
  std::string_view name;
  std::optional<ThroughputInput> throughput;
  UnitPair on_demand;
  UnitPair warm;
};

struct UpdateTableRequest {
  std::string_view name;
  std::optional<BillingMode> billing;
  std::optional<ThroughputInput> throughput;
  std::vector<IndexUpdate> index_updates;
  std::vector<IndexInput> index_creations;
  std::vector<std::string_view> index_deletions;
  AttributeDefinitions definitions;  // for the keys of new indexes
  std::optional<StreamInput> stream;
  std::optional<EncryptionInput> encryption;
  std::optional<std::string_view> table_class;
  std::optional<bool> deletion_protection;
  UnitPair on_demand;
  UnitPair warm;
};

// The table after the change; UPDATING unless the change takes effect at once.
[[nodiscard]] base::Task<Result<TableReport>> update_table(Engine& engine, const UpdateTableRequest& request);

}  // namespace stator::engine
