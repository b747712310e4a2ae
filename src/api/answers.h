#pragma once

#include "api/item_write_input.h"
#include "api/json_writer.h"
#include "api/parameters.h"
#include "engine/item_write.h"
#include "engine/read_page.h"

// Parts of answers that several operations write.
namespace stator::api {

// The text of an item, or of the part of it that a projection names, as the value of the key before.
void write_item_text(JsonWriter& out, const item::StoredItem& item,
                     const std::optional<expr::Projection>& projection, base::Arena& arena);

// "ConsumedCapacity": {...}, if asked for. `given_name` is the table's name or ARN, whichever the request had: the answer
// repeats it.
void write_consumed_capacity(JsonWriter& out, const engine::ConsumedCapacity& consumed, std::string_view given_name,
                             ReturnCapacity wanted);
// Transactions name the kind of their units beside the sum.
enum class UnitKind : std::uint8_t { unnamed, read, write };
// The object alone, for the lists of the batch operations and transactions. What refused writes cost is in the sum alone.
void write_capacity_object(JsonWriter& out, const engine::ConsumedCapacity& consumed, std::string_view given_name,
                           ReturnCapacity wanted, UnitKind kind = UnitKind::unnamed, engine::HalfUnits refused_cost = 0);

// {"ItemCollectionKey": ..., "SizeEstimateRangeGB": [0.0, 1.0]}
void write_collection_object(JsonWriter& out, const engine::CollectionMetrics& metrics);

// The end of a PutItem, UpdateItem or DeleteItem answer: capacity and metrics, if asked for.
void write_write_footer(JsonWriter& out, const engine::WriteOutcome& outcome, const ItemWriteInput& input);

// The whole answer of PutItem and DeleteItem.
void write_item_answer(base::Buffer& body, const engine::WriteOutcome& outcome, const ItemWriteInput& input);

// Count, ScannedCount, LastEvaluatedKey and capacity of a Query or Scan.
void write_page_footer(JsonWriter& out, const engine::Page& page, std::string_view given_name, ReturnCapacity wanted);

}  // namespace stator::api
