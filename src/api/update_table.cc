#include "engine/update_table.h"

#include <fmt/format.h>

#include <set>

#include "api/operations.h"
#include "api/table_description.h"
#include "api/table_input.h"

namespace stator::api {
namespace {

constexpr std::string_view kUpdateInvalid = "One or more parameter values were invalid: ";

struct IndexChanges {
  std::vector<engine::IndexUpdate> updates;
  std::vector<engine::IndexInput> creations;
  std::vector<std::string_view> deletions;
  std::vector<std::string_view> names;  // of all of them
  bool given = false;
  std::optional<std::string_view> problem;  // with the actions of an entry
  std::optional<std::string_view> without_units;  // the first index whose WarmThroughput says nothing
};

engine::IndexUpdate read_update(const Reader& in, const std::string& path, Violations& violations) {
  engine::IndexUpdate update;
  const auto name = in.string("IndexName");
  violations.required(path + ".indexName", name.has_value());
  violations.name(path + ".indexName", name);
  update.name = name.value_or("");
  update.throughput = read_throughput(in, path + ".provisionedThroughput", violations);
  update.on_demand = read_on_demand(in);
  update.warm = read_warm(in);
  return update;
}

std::string_view read_deletion(const Reader& in, const std::string& path, Violations& violations) {
  const auto name = in.string("IndexName");
  violations.required(path + ".indexName", name.has_value());
  violations.name(path + ".indexName", name);
  return name.value_or("");
}

IndexChanges read_index_changes(const Reader& in, Violations& violations) {
  IndexChanges changes;
  const auto elements = in.objects("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate");
  if (!elements) return changes;
  changes.given = true;
  std::size_t position = 0;
  for (const Reader& element : *elements) {
    const std::string path = fmt::format("globalSecondaryIndexUpdates.{}.member", ++position);
    int actions = 0;
    if (const auto update = element.object("Update", "UpdateGlobalSecondaryIndexAction")) {
      changes.updates.push_back(read_update(*update, path + ".update", violations));
      changes.names.push_back(changes.updates.back().name);
      const bool says_nothing = update->has("WarmThroughput") && !changes.updates.back().warm.any();
      if (says_nothing && !changes.without_units) changes.without_units = changes.updates.back().name;
      ++actions;
    }
    if (const auto create = element.object("Create", "CreateGlobalSecondaryIndexAction")) {
      changes.creations.push_back(
          read_index(*create, path + ".create", engine::IndexKind::global, violations));
      changes.names.push_back(changes.creations.back().name);
      ++actions;
    }
    if (const auto remove = element.object("Delete", "DeleteGlobalSecondaryIndexAction")) {
      changes.deletions.push_back(read_deletion(*remove, path + ".delete", violations));
      changes.names.push_back(changes.deletions.back());
      ++actions;
    }
    if (actions == 1 || changes.problem) continue;
    changes.problem = actions == 0
                          ? "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                            "GlobalSecondaryIndexUpdate.Delete must not be null"
                          : "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object";
  }
  return changes;
}

Result<void> check_index_changes(const IndexChanges& changes) {
  if (!changes.given) return {};
  if (changes.problem) return invalid(fmt::format("{}{}", kUpdateInvalid, *changes.problem));
  if (changes.names.empty())
    return invalid(fmt::format("{}List of GlobalSecondaryIndexUpdates is empty", kUpdateInvalid));
  std::set<std::string_view> seen;
  for (const std::string_view name : changes.names) {
    if (!seen.insert(name).second) {
      return invalid(fmt::format(
          "{}Only one global secondary index update per index is allowed simultaneously. Index: {}", kUpdateInvalid,
          name));
    }
  }
  if (changes.without_units) {
    return invalid(fmt::format("{}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
                               "specified for index: {}",
                               kUpdateInvalid, *changes.without_units));
  }
  return {};
}

Result<engine::UpdateTableRequest> read_update_table(const Call& call, const std::string& key_arn) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  engine::UpdateTableRequest request;
  const auto name = in.string("TableName");
  const auto definitions = read_definitions(in, violations);
  const IndexChanges changes = read_index_changes(in, violations);
  request.billing = read_billing(in, violations);
  request.throughput = read_throughput(in, "provisionedThroughput", violations);
  request.stream = read_stream(in, violations);
  request.encryption = read_encryption(in, violations, key_arn);
  request.table_class = in.string("TableClass");
  request.deletion_protection = in.boolean("DeletionProtectionEnabled");
  request.on_demand = read_on_demand(in);
  request.warm = read_warm(in);
  TRY_VOID(state.result());

  TRY_VOID(check_required_table_name(name));
  TRY(request.name, table_name_of(call, *name));
  TRY_VOID(violations.result());
  TRY_VOID(check_table_class(request.table_class));
  const bool any = request.billing || request.throughput || request.stream || request.encryption ||
                   request.table_class || request.deletion_protection || request.on_demand.any() ||
                   request.warm.any() || !changes.names.empty() || changes.problem;
  if (!any) {
    return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                   "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
                   "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, "
                   "WarmThroughput or TableClass is required");
  }
  TRY_VOID(check_index_changes(changes));
  request.index_updates = changes.updates;
  request.index_creations = changes.creations;
  request.index_deletions = changes.deletions;
  if (definitions) request.definitions = *definitions;
  return request;
}

}  // namespace

base::Task<Result<void>> update_table(Call& call) {
  const std::string key_arn = default_key_arn(call);
  CO_TRY(const engine::UpdateTableRequest request, read_update_table(call, key_arn));
  const Result<engine::TableReport> report = co_await engine::update_table(call.engine, request);
  CO_TRY_VOID(report);
  write_table_answer(call, "TableDescription", *report);
  co_return Result<void>();
}

}  // namespace stator::api
