#include "engine/update_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/change_throughput.h"
#include "engine/delete_table.h"
#include "engine/table_settings.h"

namespace stator::engine {
namespace {

// What is refused before the table is looked up.
Result<void> check_request(const UpdateTableRequest& request) {
  TRY_VOID(check_single_change(request));
  TRY_VOID(check_stream_change(request.stream));
  if (request.billing == BillingMode::provisioned && !request.throughput) {
    return invalid("One or more parameter values were invalid: ProvisionedThroughput must be specified when "
                   "BillingMode is PROVISIONED");
  }
  if (request.billing == BillingMode::on_demand && request.throughput) {
    return invalid("One or more parameter values were invalid: ProvisionedThroughput cannot be specified when "
                   "BillingMode is PAY_PER_REQUEST");
  }
  if (request.throughput) TRY_VOID(check_throughput_bounds(*request.throughput));
  for (const IndexUpdate& update : request.index_updates) {
    if (update.throughput) TRY_VOID(check_throughput_bounds(*update.throughput, update.name));
  }
  return {};
}

Index* find_index(Table& table, std::string_view name) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.name == name; });
  return found != table.indexes.end() ? &*found : nullptr;
}

void merge(UnitPair& to, const UnitPair& from) {
  if (from.read_units) to.read_units = from.read_units;
  if (from.write_units) to.write_units = from.write_units;
}

// A limit of -1 is none; only the answer tells of it.
void remove_limits(UnitPair& limits) {
  if (limits.read_units == -1) limits.read_units.reset();
  if (limits.write_units == -1) limits.write_units.reset();
}

Result<void> check_index_update(const Table& table, const IndexUpdate& update) {
  const bool on_demand = table.billing == BillingMode::on_demand;
  if (on_demand && (update.throughput || (!update.on_demand.any() && !update.warm.any()))) {
    return invalid(fmt::format("One or more parameter values were invalid: The only Updates for index: {} when "
                               "TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput",
                               update.name));
  }
  return check_on_demand_change(table.billing, update.on_demand, update.name);
}

Result<void> apply_index_updates(const Engine& engine, Table& table, const UpdateTableRequest& request,
                                 BillingMode billing_before, const ChangeTime& at) {
  for (const IndexUpdate& update : request.index_updates) {
    Index* index = find_index(table, update.name);
    if (index == nullptr) {
      return fail(ErrorCode::table_not_found, fmt::format("Requested resource not found: Index {} for table {}",
                                                          update.name, table.name));
    }
    if (index->kind != IndexKind::global) {
      return invalid(fmt::format("Cannot update an index that is not a GlobalSecondaryIndex: {}", update.name));
    }
    TRY_VOID(check_index_update(table, update));
    if (update.throughput) {
      if (billing_before == table.billing) {
        TRY_VOID(check_throughput_changes(index->throughput, *update.throughput, fmt::format("index {}", update.name)));
      }
      TRY_VOID(set_throughput(index->throughput, *update.throughput, at));
    }
    TRY_VOID(check_warm_change(table.billing, engine.admission.warm(table, index), update.warm, update.name));
    merge(index->on_demand, update.on_demand);
    remove_limits(index->on_demand);
    merge(index->warm, update.warm);
  }
  if (billing_before == BillingMode::on_demand && table.billing == BillingMode::provisioned) {
    std::vector<std::string_view> without;
    for (const Index& index : table.indexes) {
      if (index.kind == IndexKind::global && index.throughput.read_units == 0) without.push_back(index.name);
    }
    if (!without.empty()) {
      return invalid(fmt::format(
          "One or more parameter values were invalid: ProvisionedThroughput must be specified for index: {}",
          fmt::join(without, ",")));
    }
  }
  return {};
}

Result<void> apply_stream(Table& table, const std::optional<StreamInput>& stream, std::int64_t now_ms) {
  if (!stream) return {};
  if (stream->enabled) {
    if (table.stream() != nullptr) {
      return invalid(fmt::format("Table already has an enabled stream: TableName: {}", table.name));
    }
    enable_stream(table, *stream->view_type, now_ms);
  } else {
    if (table.stream() == nullptr) {
      return invalid(fmt::format("Table has no stream to disable: TableName: {}", table.name));
    }
    table.streams.back().disabled_ms = now_ms;
  }
  return {};
}

Result<void> apply_encryption(Table& table, const std::optional<EncryptionInput>& input) {
  if (!input) return {};
  TRY(Encryption encryption, encryption_of(*input));
  if (!encryption.enabled && !table.encryption.enabled) {
    return invalid("One or more parameter values were invalid: Table is already encrypted by default");
  }
  if (encryption.enabled && table.encryption.enabled && input->key == table.encryption.key_arn) {
    return invalid("One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. "
                   "Use KMSMasterKeyId parameter if you want to change Master Key");
  }
  table.encryption = std::move(encryption);
  return {};
}

// Changes of other settings take effect at once, or tell of it in a state of their own.
bool takes_time(const UpdateTableRequest& request) {
  return request.billing || request.throughput || request.stream || request.table_class ||
         !request.index_creations.empty() || !request.index_deletions.empty();
}

// Units that are being changed, as they are until then. The change begins before the time at which it is done.
void keep_units(Throughput& shown, const Throughput& before) {
  shown.read_units = before.read_units;
  shown.write_units = before.write_units;
  shown.decreases_today = before.decreases_today;
  if (shown.last_increase_ms != before.last_increase_ms) --shown.last_increase_ms;
  if (shown.last_decrease_ms != before.last_decrease_ms) --shown.last_decrease_ms;
}

void keep_warm(WarmReport& shown, const WarmReport& before) {
  const bool changes = shown.units.read != before.units.read || shown.units.write != before.units.write;
  shown = {before.units, changes};
}

void show_index_update(TableReport& report, Index& shown, const TableReport& before, const IndexUpdate& update) {
  const Index* old = before.table->find_index(update.name);
  if (old == nullptr) return;
  if (update.throughput && report.table->billing == before.table->billing) keep_units(shown.throughput, old->throughput);
  if (update.throughput || update.on_demand.any()) report.updating_indexes.insert(shown.id);
  if (update.warm.any()) keep_warm(report.index_warm[shown.id], before.index_warm.at(old->id));
  merge(shown.on_demand, update.on_demand);
}

void show_switch(TableReport& report, Table& shown, const Table& old) {
  for (Index& index : shown.indexes) {
    const Index* before = old.find_index(index.name);
    if (index.kind != IndexKind::global || before == nullptr) continue;
    report.updating_indexes.insert(index.id);
    if (shown.billing == BillingMode::on_demand) {
      index.throughput.last_decrease_ms = before->throughput.last_decrease_ms;
      index.throughput.decreases_today = before->throughput.decreases_today;
    }
  }
}

// The answer tells of the table as it is until the change is done: DescribeTable has the new figures.
void show_as_answer(TableReport& report, const TableReport& before, const UpdateTableRequest& request) {
  Table shown = *report.table;
  const Table& old = *before.table;
  if (request.throughput && shown.billing == old.billing) {
    keep_units(shown.throughput, old.throughput);
    report.warm = before.warm;
  }
  if (shown.billing != old.billing) show_switch(report, shown, old);
  if (request.warm.any()) keep_warm(*report.warm, *before.warm);
  merge(shown.on_demand, request.on_demand);
  shown.on_demand_since_ms = old.on_demand_since_ms;
  for (const IndexUpdate& update : request.index_updates) {
    if (Index* index = find_index(shown, update.name)) show_index_update(report, *index, before, update);
  }
  if (request.encryption) {
    shown.encryption = old.encryption;
    report.encryption_updating = true;
  }
  shown.table_class = old.table_class;
  shown.table_class_changed_ms = old.table_class_changed_ms;
  report.table = std::make_shared<const Table>(std::move(shown));
}

Result<void> apply(const Engine& engine, Table& table, const UpdateTableRequest& request) {
  const std::int64_t now_ms = engine.clock.now_ms();
  const bool updating = table.status(now_ms) == TableStatus::updating;
  TRY_VOID(updating ? check_beside_index_change(table, request) : check_changeable(engine, table));
  const BillingMode billing_before = table.billing;
  const ChangeTime at{now_ms, engine.admission.mode(table) == CapacityMode::enforce};
  TRY_VOID(change_billing(table, request.billing, request.throughput, at));
  TRY_VOID(apply_index_updates(engine, table, request, billing_before, at));
  TRY_VOID(check_change_count(request.index_creations.size() + request.index_deletions.size()));
  for (const IndexInput& index : request.index_creations) {
    TRY_VOID(add_index(table, index, request.definitions));
  }
  for (const std::string_view name : request.index_deletions) TRY_VOID(remove_index(table, name, updating));
  TRY_VOID(apply_stream(table, request.stream, now_ms));
  TRY_VOID(apply_encryption(table, request.encryption));
  const bool is_standard = table.table_class.empty() && request.table_class == "STANDARD";
  if (request.table_class && *request.table_class != table.table_class && !is_standard) {
    table.table_class = std::string(*request.table_class);
    table.table_class_changed_ms = now_ms;
  }
  if (request.deletion_protection) table.deletion_protection = *request.deletion_protection;
  TRY_VOID(check_on_demand_change(table.billing, request.on_demand, {}));
  merge(table.on_demand, request.on_demand);
  remove_limits(table.on_demand);
  TRY_VOID(check_warm_change(table.billing, engine.admission.warm(table, nullptr), request.warm, {}));
  merge(table.warm, request.warm);
  if (engine.options.transition_ms > 0 && takes_time(request)) {
    table.transition = TableStatus::updating;
    table.transition_until_ms = now_ms + engine.options.transition_ms;
  }
  return {};
}

}  // namespace

base::Task<Result<TableReport>> update_table(Engine& engine, const UpdateTableRequest& request) {
  CO_TRY_VOID(check_request(request));
  std::optional<TableReport> before;
  if (const Result<TablePtr> table = engine.catalog.find(request.name)) {
    // This tells the capacity model, too, what the table had before: warm throughput never goes down.
    Result<TableReport> reported = co_await report_table(engine, *table, TableStatus::active);
    CO_TRY_VOID(reported);
    before = std::move(*reported);
  }
  const auto change = [&engine, &request](Table& table) { return apply(engine, table, request); };
  Result<TablePtr> updated = co_await engine.catalog.update(std::string(request.name), change);
  CO_TRY_VOID(updated);
  engine.background.notify();  // there may be an index to build or to erase
  const TableStatus status =
      takes_time(request) ? TableStatus::updating : (*updated)->status(engine.clock.now_ms());
  Result<TableReport> report = co_await report_table(engine, *updated, status);
  if (report && before) show_as_answer(*report, *before, request);
  co_return report;
}

}  // namespace stator::engine
