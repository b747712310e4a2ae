// CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/violations.h"
#include "base/sync_wait.h"
#include "embed/check.h"
#include "embed/operations.h"
#include "embed/table_description.h"
#include "engine/create_table.h"
#include "engine/delete_table.h"
#include "engine/describe_table.h"
#include "engine/update_table.h"

namespace stator::embed {
namespace {

constexpr std::int64_t kTablesMax = 100;
constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kKeyElementsMax = 2;  // of tables and local indexes

item::Type to_type(ScalarType type) {
  switch (type) {
    case ScalarType::number:
      return item::Type::number;
    case ScalarType::binary:
      return item::Type::binary;
    case ScalarType::string:
      break;
  }
  return item::Type::string;
}

engine::ProjectionKind to_projection(ProjectionType type) {
  switch (type) {
    case ProjectionType::keys_only:
      return engine::ProjectionKind::keys_only;
    case ProjectionType::include:
      return engine::ProjectionKind::include;
    case ProjectionType::all:
      break;
  }
  return engine::ProjectionKind::all;
}

engine::BillingMode to_billing(BillingMode mode) {
  return mode == BillingMode::pay_per_request ? engine::BillingMode::on_demand
                                              : engine::BillingMode::provisioned;
}

std::optional<engine::ThroughputInput> to_throughput(
    const std::optional<ProvisionedThroughput>& throughput, const std::string& path,
    api::Violations& violations) {
  if (!throughput) return std::nullopt;
  violations.range(path + ".writeCapacityUnits", throughput->write_capacity_units, 1);
  violations.range(path + ".readCapacityUnits", throughput->read_capacity_units, 1);
  return engine::ThroughputInput{throughput->read_capacity_units, throughput->write_capacity_units};
}

// Gathers keys and indexes of a request; AttributeDefinitions come from the keys.
class TableInput {
 public:
  [[nodiscard]] std::vector<engine::KeyElement> key(const KeySchema& key, const std::string& path,
                                                    std::size_t elements_max = kKeyElementsMax) {
    std::vector<engine::KeyElement> elements;
    for (const auto* part : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        const std::string member =
            fmt::format("{}.{}.member.attributeName", path, elements.size() + 1);
        violations.length(member, attribute.name, 1, kNameBytesMax);
        define(attribute);
        elements.push_back({attribute.name, part == &key.partition});
      }
    }
    violations.count(path, shown(elements), elements.size(), 1, elements_max);
    return elements;
  }

  [[nodiscard]] engine::IndexInput index(const SecondaryIndex& given, const std::string& path,
                                         engine::IndexKind kind) {
    engine::IndexInput input;
    violations.name(path + ".indexName", given.index_name);
    input.name = given.index_name;
    const bool local = kind == engine::IndexKind::local;
    input.key = key(given.key, path + ".keySchema", local ? kKeyElementsMax : SIZE_MAX);
    input.projection = to_projection(given.projection);
    if (!given.non_key_attributes.empty()) {
      input.included.emplace(given.non_key_attributes.begin(), given.non_key_attributes.end());
    }
    input.throughput =
        to_throughput(given.provisioned_throughput, path + ".provisionedThroughput", violations);
    return input;
  }

  [[nodiscard]] std::optional<std::vector<engine::IndexInput>> indexes(
      const std::vector<SecondaryIndex>& given, engine::IndexKind kind) {
    if (given.empty()) return std::nullopt;
    const bool local = kind == engine::IndexKind::local;
    const std::string_view list = local ? "localSecondaryIndexes" : "globalSecondaryIndexes";
    std::vector<engine::IndexInput> inputs;
    for (const SecondaryIndex& each : given) {
      inputs.push_back(index(each, fmt::format("{}.{}.member", list, inputs.size() + 1), kind));
    }
    return inputs;
  }

  engine::AttributeDefinitions definitions;
  api::Violations violations;

 private:
  // An attribute with two types stands there twice, which the engine refuses.
  void define(const KeyAttribute& attribute) {
    const std::pair<std::string_view, item::Type> definition(attribute.name,
                                                             to_type(attribute.type));
    if (std::find(definitions.begin(), definitions.end(), definition) == definitions.end()) {
      definitions.push_back(definition);
    }
  }
  static std::string shown(const std::vector<engine::KeyElement>& elements) {
    std::string text = "[";
    for (const engine::KeyElement& element : elements) {
      text += fmt::format("{}KeySchemaElement(attributeName={}, keyType={})",
                          text.size() > 1 ? ", " : "", element.name,
                          element.is_partition ? "HASH" : "RANGE");
    }
    return text + "]";
  }
};

// The three lists of index changes are one list on the wire: created ones first.
Result<void> add_index_changes(const UpdateTableRequest& request, TableInput& input,
                               engine::UpdateTableRequest& update) {
  std::size_t position = 0;
  const auto path = [&](std::string_view action) {
    return fmt::format("globalSecondaryIndexUpdates.{}.member.{}", ++position, action);
  };
  std::set<std::string_view> names;
  std::string_view repeated;
  const auto note = [&](std::string_view name) {
    if (!names.insert(name).second) repeated = name;
  };
  for (const SecondaryIndex& index : request.create_indexes) {
    update.index_creations.push_back(input.index(index, path("create"), engine::IndexKind::global));
    note(index.index_name);
  }
  for (const IndexThroughputUpdate& index : request.update_indexes) {
    const std::string member = path("update");
    input.violations.name(member + ".indexName", index.index_name);
    engine::IndexUpdate change;
    change.name = index.index_name;
    change.throughput = to_throughput(index.provisioned_throughput,
                                      member + ".provisionedThroughput", input.violations);
    update.index_updates.push_back(change);
    note(index.index_name);
  }
  for (const std::string& index : request.delete_indexes) {
    input.violations.name(path("delete") + ".indexName", index);
    update.index_deletions.push_back(index);
    note(index);
  }
  TRY_VOID(input.violations.result());
  if (repeated.empty()) return {};
  return invalid(fmt::format(
      "One or more parameter values were invalid: Only one global secondary index update per "
      "index is allowed simultaneously. Index: {}",
      repeated));
}

bool changes_anything(const engine::UpdateTableRequest& update) {
  return update.billing || update.throughput || update.stream || update.table_class ||
         update.deletion_protection || !update.index_creations.empty() ||
         !update.index_updates.empty() || !update.index_deletions.empty();
}

TableStatus to_status(engine::TableStatus status) { return static_cast<TableStatus>(status); }
static_assert(static_cast<int>(TableStatus::deleting) ==
              static_cast<int>(engine::TableStatus::deleting));

// The state after the call, not CREATING or UPDATING as the service says in the answer: nobody
// waits here.
TableDescription describe_now(const engine::Engine& engine, const engine::TableReport& report) {
  return to_description(report, to_status(report.table->status(engine.clock.now_ms())));
}

}  // namespace

Result<TableDescription> create_table(engine::Engine& engine, const CreateTableRequest& request,
                                      base::Arena& /*arena*/) {
  TRY_VOID(check_table_name(request.table_name));
  TableInput input;
  engine::CreateTableRequest create;
  create.name = request.table_name;
  create.key = input.key(request.key, "keySchema");
  create.local_indexes = input.indexes(request.local_secondary_indexes, engine::IndexKind::local);
  create.global_indexes =
      input.indexes(request.global_secondary_indexes, engine::IndexKind::global);
  create.definitions = input.definitions;
  create.billing = to_billing(request.billing_mode.value_or(
      request.provisioned_throughput ? BillingMode::provisioned : BillingMode::pay_per_request));
  create.throughput =
      to_throughput(request.provisioned_throughput, "provisionedThroughput", input.violations);
  if (request.stream) create.stream = {true, view_type_name(*request.stream)};
  if (request.table_class) create.table_class = table_class_name(*request.table_class);
  create.deletion_protection = request.deletion_protection;
  TRY_VOID(input.violations.result());
  TRY(const engine::TablePtr created, base::sync_wait(engine::create_table(engine, create)));
  engine::TableReport report;
  report.table = created;
  return describe_now(engine, report);
}

Result<TableDescription> describe_table(engine::Engine& engine, const DescribeTableRequest& request,
                                        base::Arena& /*arena*/) {
  TRY_VOID(check_table_name(request.table_name));
  TRY(const engine::TableReport report,
      base::sync_wait(engine::describe_table(engine, request.table_name)));
  return to_description(report, to_status(report.status));
}

Result<TableDescription> update_table(engine::Engine& engine, const UpdateTableRequest& request,
                                      base::Arena& /*arena*/) {
  TRY_VOID(check_table_name(request.table_name));
  TableInput input;
  engine::UpdateTableRequest update;
  update.name = request.table_name;
  if (request.billing_mode) update.billing = to_billing(*request.billing_mode);
  update.throughput =
      to_throughput(request.provisioned_throughput, "provisionedThroughput", input.violations);
  if (request.enable_stream) update.stream = {true, view_type_name(*request.enable_stream)};
  if (request.disable_stream) update.stream = {false, std::nullopt};
  if (request.table_class) update.table_class = table_class_name(*request.table_class);
  update.deletion_protection = request.deletion_protection;
  TRY_VOID(add_index_changes(request, input, update));
  update.definitions = input.definitions;
  if (!changes_anything(update)) {
    return invalid(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, "
        "WarmThroughput or TableClass is required");
  }
  TRY(const engine::TableReport report, base::sync_wait(engine::update_table(engine, update)));
  return describe_now(engine, report);
}

Result<TableDescription> delete_table(engine::Engine& engine, const DeleteTableRequest& request,
                                      base::Arena& /*arena*/) {
  TRY_VOID(check_table_name(request.table_name));
  TRY(const engine::TableReport report,
      base::sync_wait(engine::delete_table(engine, request.table_name)));
  return to_description(report, TableStatus::deleting);
}

Result<ListTablesResponse> list_tables(engine::Engine& engine, const ListTablesRequest& request,
                                       base::Arena& /*arena*/) {
  api::Violations violations;
  violations.range("limit", request.limit, 1, kTablesMax);
  TRY_VOID(violations.result());
  const engine::Catalog::Names names = engine.catalog.names();
  auto next = request.exclusive_start_table_name
                  ? names.upper_bound(*request.exclusive_start_table_name)
                  : names.begin();
  ListTablesResponse response;
  const auto limit = static_cast<std::size_t>(request.limit.value_or(kTablesMax));
  for (; response.table_names.size() < limit && next != names.end(); ++next) {
    response.table_names.push_back(*next);
  }
  if (next != names.end()) response.last_evaluated_table_name = response.table_names.back();
  return response;
}

}  // namespace stator::embed
