#include "engine/update_table.h"

#include <fmt/format.h>

#include <set>

#include "api/operations.h"
#include "api/table_description.h"
#include "api/table_input.h"

namespace stator::api {
namespace {

constexpr std::string_view kPrefix = "One or more parameter values were invalid: ";

struct IndexChanges {
  std::vector<engine::IndexUpdate> updates;
  std::vector<std::string_view> names;
  bool any = false;
  bool online = false;  // creates or deletes an index
  bool empty_entry = false;
};

IndexChanges read_index_changes(const Reader& in, Violations& violations) {
  IndexChanges changes;
  const auto elements = in.objects("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate");
  if (!elements) return changes;
  changes.any = true;
  std::size_t position = 0;
  for (const Reader& element : *elements) {
    ++position;
    const auto update = element.object("Update", "UpdateGlobalSecondaryIndexAction");
    const auto create = element.object("Create", "CreateGlobalSecondaryIndexAction");
    const auto remove = element.object("Delete", "DeleteGlobalSecondaryIndexAction");
    if (!update && !create && !remove) changes.empty_entry = true;
    if (create || remove) changes.online = true;
    for (const auto* action : {&update, &create, &remove}) {
      if (*action) changes.names.push_back((*action)->string("IndexName").value_or(""));
    }
    if (!update) continue;
    const std::string path = fmt::format("globalSecondaryIndexUpdates.{}.member.update", position);
    engine::IndexUpdate change;
    const auto name = update->string("IndexName");
    violations.required(path + ".indexName", name.has_value());
    violations.name(path + ".indexName", name);
    change.name = name.value_or("");
    change.throughput = read_throughput(*update, path + ".provisionedThroughput", violations);
    change.on_demand = read_on_demand(*update);
    change.warm = read_warm(*update);
    changes.updates.push_back(change);
  }
  return changes;
}

Result<void> check_index_changes(const IndexChanges& changes) {
  if (changes.empty_entry) {
    return invalid(fmt::format("{}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                               "GlobalSecondaryIndexUpdate.Delete must not be null",
                               kPrefix));
  }
  std::set<std::string_view> seen;
  for (const std::string_view name : changes.names) {
    if (!seen.insert(name).second) {
      return invalid(fmt::format(
          "{}Only one global secondary index update per index is allowed simultaneously. Index: {}", kPrefix,
          name));
    }
  }
  if (changes.online) {
    return invalid("Creating and deleting global secondary indexes of an existing table is not supported by this "
                   "version; create the table with its indexes");
  }
  return {};
}

Result<engine::UpdateTableRequest> read(const Call& call, const std::string& key_arn) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  engine::UpdateTableRequest request;
  const auto name = in.string("TableName");
  static_cast<void>(read_definitions(in, violations));
  const IndexChanges changes = read_index_changes(in, violations);
  request.billing = read_billing(in, violations);
  request.throughput = read_throughput(in, "provisionedThroughput", violations);
  request.stream = read_stream(in, violations);
  request.encryption = read_encryption(in, violations, key_arn);
  request.table_class = read_table_class(in, violations);
  request.deletion_protection = in.boolean("DeletionProtectionEnabled");
  request.on_demand = read_on_demand(in);
  request.warm = read_warm(in);
  TRY_VOID(state.result());

  TRY_VOID(check_required_table_name(name));
  TRY_VOID(violations.result());
  const bool any = request.billing || request.throughput || request.stream || request.encryption ||
                   request.table_class || request.deletion_protection || request.on_demand.any() ||
                   request.warm.any() || changes.any;
  if (!any) {
    return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                   "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
  }
  TRY_VOID(check_index_changes(changes));
  request.index_updates = changes.updates;
  TRY(request.name, table_name_of(call, *name));
  return request;
}

}  // namespace

base::Task<Result<void>> update_table(Call& call) {
  const std::string key_arn = default_key_arn(call);
  CO_TRY(const engine::UpdateTableRequest request, read(call, key_arn));
  const Result<engine::TableReport> report = co_await engine::update_table(call.engine, request);
  CO_TRY_VOID(report);
  JsonWriter out(call.out);
  out.begin_object().key("TableDescription");
  write_table_description(out, call, *report);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
