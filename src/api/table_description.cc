#include "api/table_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "capacity/change_limits.h"

namespace stator::api {
namespace {

using engine::Index;
using engine::IndexKind;
using engine::Table;
using engine::TableReport;
using engine::TableStatus;

void write_throughput(JsonWriter& out, const engine::Throughput& throughput, std::int64_t now_ms) {
  const capacity::DecreaseBudget budget{.last_decrease_ms = throughput.last_decrease_ms,
                                        .last_increase_ms = throughput.last_increase_ms,
                                        .decreases = static_cast<int>(throughput.decreases_today)};
  out.key("ProvisionedThroughput").begin_object();
  if (throughput.last_increase_ms != 0) out.key("LastIncreaseDateTime").time(throughput.last_increase_ms);
  if (throughput.last_decrease_ms != 0) out.key("LastDecreaseDateTime").time(throughput.last_decrease_ms);
  out.key("NumberOfDecreasesToday").integer(budget.decreases_today(now_ms));
  out.key("ReadCapacityUnits").integer(throughput.read_units);
  out.key("WriteCapacityUnits").integer(throughput.write_units);
  out.end_object();
}

void write_on_demand(JsonWriter& out, const engine::UnitPair& pair) {
  if (!pair.any()) return;
  out.key("OnDemandThroughput").begin_object();
  if (pair.read_units) out.key("MaxReadRequestUnits").integer(*pair.read_units);
  if (pair.write_units) out.key("MaxWriteRequestUnits").integer(*pair.write_units);
  out.end_object();
}

void write_warm(JsonWriter& out, const engine::WarmReport& warm) {
  out.key("WarmThroughput").begin_object();
  out.key("ReadUnitsPerSecond").integer(warm.units.read);
  out.key("WriteUnitsPerSecond").integer(warm.units.write);
  out.key("Status").string(warm.updating ? "UPDATING" : "ACTIVE");
  out.end_object();
}

void write_projection(JsonWriter& out, const Index& index) {
  out.key("Projection").begin_object();
  out.key("ProjectionType");
  out.string(index.projection == engine::ProjectionKind::all         ? "ALL"
             : index.projection == engine::ProjectionKind::keys_only ? "KEYS_ONLY"
                                                                     : "INCLUDE");
  if (!index.included.empty()) {
    out.key("NonKeyAttributes").begin_array();
    std::vector<std::string> names = index.included;  // shown in order, as the service does
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) out.string(name);
    out.end_array();
  }
  out.end_object();
}

// An index that comes or goes by itself has its own state; the others share the table's.
void write_index_status(JsonWriter& out, const TableReport& report, const Index& index) {
  if (report.updating_indexes.contains(index.id)) {
    out.key("IndexStatus").string("UPDATING");
    return;
  }
  if (index.state == engine::IndexState::active) {
    // A table that is being updated has active indexes; one that is being created or deleted has not.
    const bool updating = report.status == TableStatus::updating;
    out.key("IndexStatus").string(updating ? "ACTIVE" : status_name(report.status));
    return;
  }
  const bool creating = index.state == engine::IndexState::creating;
  out.key("IndexStatus").string(creating ? "CREATING" : "DELETING");
  if (creating) out.key("Backfilling").boolean(report.status != TableStatus::updating);
}

void write_indexes(JsonWriter& out, const Call& call, const TableReport& report, IndexKind kind) {
  const Table& table = *report.table;
  bool begun = false;
  for (const Index& index : table.indexes) {
    if (index.kind != kind) continue;
    if (!begun) {
      out.key(kind == IndexKind::local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes").begin_array();
    }
    begun = true;
    out.begin_object();
    out.key("IndexName").string(index.name);
    write_key_schema(out, index.key);
    write_projection(out, index);
    if (kind == IndexKind::global) {
      write_index_status(out, report, index);
      write_throughput(out, index.throughput, report.now_ms);
      write_on_demand(out, index.on_demand);
      const auto warm = report.index_warm.find(index.id);
      if (warm != report.index_warm.end()) write_warm(out, warm->second);
    }
    const auto found = report.index_statistics.find(index.id);
    const engine::Statistics statistics =
        found != report.index_statistics.end() ? found->second : engine::Statistics();
    out.key("IndexSizeBytes").integer(statistics.bytes);
    out.key("ItemCount").integer(statistics.items);
    out.key("IndexArn").string(fmt::format("{}/index/{}", table_arn(call, table.name), index.name));
    out.end_object();
  }
  if (begun) out.end_array();
}

void write_stream(JsonWriter& out, const Call& call, const Table& table) {
  if (table.streams.empty()) return;
  const engine::Stream& stream = table.streams.back();
  if (table.stream() != nullptr) {
    out.key("StreamSpecification").begin_object();
    out.key("StreamEnabled").boolean(true);
    out.key("StreamViewType").string(stream.view_type);
    out.end_object();
  }
  out.key("LatestStreamLabel").string(stream.label);
  out.key("LatestStreamArn").string(fmt::format("{}/stream/{}", table_arn(call, table.name), stream.label));
}

// The mode is shown under two names.
void write_mode(JsonWriter& out, const TableReport& report, std::string_view summary, std::string_view mode) {
  const Table& table = *report.table;
  const bool on_demand = table.billing == engine::BillingMode::on_demand;
  out.key(summary).begin_object();
  out.key(mode).string(on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (table.on_demand_since_ms != 0 && report.status != TableStatus::creating) {
    out.key("LastUpdateToPayPerRequestDateTime").time(table.on_demand_since_ms);
  }
  out.end_object();
}

void write_settings(JsonWriter& out, const TableReport& report) {
  const Table& table = *report.table;
  if (table.billing_mode_set) {
    write_mode(out, report, "BillingModeSummary", "BillingMode");
    write_mode(out, report, "TableThroughputModeSummary", "TableThroughputMode");
  }
  if (table.encryption.enabled || report.encryption_updating) {
    out.key("SSEDescription").begin_object();
    out.key("Status").string(report.encryption_updating ? "UPDATING" : "ENABLED");
    if (table.encryption.enabled) {
      out.key("SSEType").string(table.encryption.type);
      out.key("KMSMasterKeyArn").string(table.encryption.key_arn);
    }
    out.end_object();
  }
  if (!table.table_class.empty()) {
    out.key("TableClassSummary").begin_object();
    out.key("TableClass").string(table.table_class);
    if (table.table_class_changed_ms != 0) out.key("LastUpdateDateTime").time(table.table_class_changed_ms);
    out.end_object();
  }
}

}  // namespace

std::string_view status_name(TableStatus status) {
  switch (status) {
    case TableStatus::creating:
      return "CREATING";
    case TableStatus::updating:
      return "UPDATING";
    case TableStatus::deleting:
      return "DELETING";
    case TableStatus::active:
      break;
  }
  return "ACTIVE";
}

void write_key_schema(JsonWriter& out, const engine::KeySchema& key) {
  out.key("KeySchema").begin_array();
  for (const auto& attribute : key.partition) {
    out.begin_object().key("AttributeName").string(attribute.name).key("KeyType").string("HASH").end_object();
  }
  for (const auto& attribute : key.sort) {
    out.begin_object().key("AttributeName").string(attribute.name).key("KeyType").string("RANGE").end_object();
  }
  out.end_array();
}

void write_table_description(JsonWriter& out, const Call& call, const TableReport& report) {
  const Table& table = *report.table;
  out.begin_object();
  out.key("TableName").string(table.name);
  out.key("TableStatus").string(status_name(report.status));
  out.key("TableArn").string(table_arn(call, table.name));
  out.key("TableId").string(table.uuid);
  // The answer of DeleteTable tells only what is left of the table.
  if (report.status != TableStatus::deleting) {
    out.key("CreationDateTime").time(table.created_ms);
    out.key("AttributeDefinitions").begin_array();
    std::vector<engine::KeyAttribute> definitions = table.definitions;  // shown by name, as the service does
    std::sort(definitions.begin(), definitions.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
    for (const auto& definition : definitions) {
      out.begin_object();
      out.key("AttributeName").string(definition.name);
      out.key("AttributeType").string(item::type_name(definition.type));
      out.end_object();
    }
    out.end_array();
    write_key_schema(out, table.key);
    write_indexes(out, call, report, IndexKind::local);
    write_indexes(out, call, report, IndexKind::global);
    write_stream(out, call, table);
  }
  write_throughput(out, table.throughput, report.now_ms);
  write_on_demand(out, table.on_demand);
  if (report.status != TableStatus::deleting && report.warm) write_warm(out, *report.warm);
  write_settings(out, report);
  out.key("TableSizeBytes").integer(report.statistics.bytes);
  out.key("ItemCount").integer(report.statistics.items);
  out.key("DeletionProtectionEnabled").boolean(table.deletion_protection);
  out.end_object();
}

void write_table_answer(Call& call, std::string_view member, const TableReport& report) {
  JsonWriter out(call.out);
  out.begin_object().key(member);
  write_table_description(out, call, report);
  out.end_object();
}

}  // namespace stator::api
