#include "api/answers.h"

namespace stator::api {
namespace {

void write_units(JsonWriter& out, engine::HalfUnits cost, UnitKind kind) {
  out.key("CapacityUnits").units(cost);
  if (kind == UnitKind::read) out.key("ReadCapacityUnits").units(cost);
  if (kind == UnitKind::write) out.key("WriteCapacityUnits").units(cost);
}

void write_index_units(JsonWriter& out, const engine::ConsumedCapacity& consumed, engine::IndexKind of,
                       std::string_view member, UnitKind kind) {
  bool begun = false;
  for (const auto& [index, cost] : consumed.indexes) {
    if (index->kind != of) continue;
    if (!begun) out.key(member).begin_object();
    begun = true;
    out.user_key(index->name).begin_object();
    write_units(out, cost, kind);
    out.end_object();
  }
  if (begun) out.end_object();
}

}  // namespace

void write_item_text(JsonWriter& out, const item::StoredItem& item,
                     const std::optional<expr::Projection>& projection, base::Arena& arena) {
  if (!projection) {
    out.raw(item.text());
    return;
  }
  projection->append(out.out(), item, arena);
  out.wrote_value();
}

void write_capacity_object(JsonWriter& out, const engine::ConsumedCapacity& consumed, std::string_view given_name,
                           ReturnCapacity wanted, UnitKind kind, engine::HalfUnits refused_cost) {
  out.begin_object();
  out.key("TableName").string(given_name);
  write_units(out, consumed.total() + refused_cost, kind);
  if (wanted == ReturnCapacity::indexes) {
    out.key("Table").begin_object();
    write_units(out, consumed.table_cost, kind);
    out.end_object();
    write_index_units(out, consumed, engine::IndexKind::local, "LocalSecondaryIndexes", kind);
    write_index_units(out, consumed, engine::IndexKind::global, "GlobalSecondaryIndexes", kind);
  }
  out.end_object();
}

void write_consumed_capacity(JsonWriter& out, const engine::ConsumedCapacity& consumed, std::string_view given_name,
                             ReturnCapacity wanted) {
  if (wanted == ReturnCapacity::none) return;
  out.key("ConsumedCapacity");
  write_capacity_object(out, consumed, given_name, wanted);
}

void write_collection_object(JsonWriter& out, const engine::CollectionMetrics& metrics) {
  out.begin_object();
  out.key("ItemCollectionKey").begin_object();
  out.user_key(metrics.partition_key_name).raw(metrics.partition_key_text).end_object();
  out.key("SizeEstimateRangeGB").begin_array().real(metrics.lower_gb).real(metrics.upper_gb).end_array();
  out.end_object();
}

void write_write_footer(JsonWriter& out, const engine::WriteOutcome& outcome, const ItemWriteInput& input) {
  write_consumed_capacity(out, outcome.consumed, input.given_name, input.capacity);
  if (outcome.collection) {
    out.key("ItemCollectionMetrics");
    write_collection_object(out, *outcome.collection);
  }
}

void write_item_answer(base::Buffer& body, const engine::WriteOutcome& outcome, const ItemWriteInput& input) {
  JsonWriter out(body);
  out.begin_object();
  if (input.return_values == "ALL_OLD" && outcome.before) {
    out.key("Attributes").raw(outcome.before->text());
  }
  write_write_footer(out, outcome, input);
  out.end_object();
}

void write_page_footer(JsonWriter& out, const engine::Page& page, std::string_view given_name, ReturnCapacity wanted) {
  out.key("Count").integer(page.count);
  out.key("ScannedCount").integer(page.scanned_count);
  if (!page.last_key_text.empty()) out.key("LastEvaluatedKey").raw(page.last_key_text);
  write_consumed_capacity(out, page.consumed, given_name, wanted);
}

}  // namespace stator::api
