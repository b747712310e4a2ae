#include "engine/batch_write_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/answers.h"
#include "api/java_text.h"
#include "api/operations.h"
#include "api/usage.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct BatchWriteItemInput {
  std::vector<std::pair<std::string_view, std::size_t>> tables;  // as given, with the number of writes
  std::vector<engine::BatchWrite> writes;
  ReturnCapacity capacity = ReturnCapacity::none;
  bool collection_metrics = false;
};

// One WriteRequest as it was sent.
struct WriteInput {
  std::string_view table;
  std::optional<ReadAttributes> item;  // PutRequest.Item
  std::optional<ReadAttributes> key;   // DeleteRequest.Key
  bool has_put = false;
  bool has_delete = false;
};

std::vector<WriteInput> read_writes(std::string_view table, Json json, ReadState& state) {
  std::vector<WriteInput> writes;
  if (!json.is_array()) {
    state.fail(json.is_object()
                   ? "Start of structure or map found where not expected"
                   : "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
                     "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
                     "java.lang.Class are in module java.base of loader 'bootstrap')");
    return writes;
  }
  for (const Json element : simdjson::dom::array(json)) {
    const std::optional<Reader> in = read_structure(element, "WriteRequest", false, state);
    if (!in) return writes;
    WriteInput write;
    write.table = table;
    if (const auto put = in->object("PutRequest", "PutRequest")) {
      write.has_put = true;
      write.item = put->attributes("Item");
    }
    if (const auto remove = in->object("DeleteRequest", "DeleteRequest")) {
      write.has_delete = true;
      write.key = remove->attributes("Key");
    }
    writes.push_back(std::move(write));
  }
  return writes;
}

// RequestItems as a message about it shows it.
std::string shown_requests(const BatchWriteItemInput& input, const std::vector<WriteInput>& given) {
  std::string text;
  std::size_t position = 0;
  for (const auto& [table, count] : input.tables) {
    if (text.size() >= kJavaTextBytesMax) break;
    text += fmt::format("{}{}=[", text.empty() ? "" : ", ", table);
    for (std::size_t i = 0; i < count && text.size() < kJavaTextBytesMax; ++i, ++position) {
      const WriteInput& write = given[position];
      text += i == 0 ? "WriteRequest(putRequest=" : ", WriteRequest(putRequest=";
      if (write.has_put) text += "PutRequest(item=";
      append_java_text(text, write.item);
      if (write.has_put) text += ", workloadProfileName=null)";
      text += ", deleteRequest=";
      if (write.has_delete) text += "DeleteRequest(key=";
      append_java_text(text, write.key);
      if (write.has_delete) text += ", workloadProfileName=null)";
      text += ')';
    }
    text += ']';
  }
  return fmt::format("'{{{}}}'", text);
}

void check_requests(const BatchWriteItemInput& input, const std::vector<WriteInput>& given, Violations& violations) {
  const auto wrong = [](const auto& table) {
    return table.second == 0 || table.second > engine::kBatchWriteItemsMax;
  };
  if (std::any_of(input.tables.begin(), input.tables.end(), wrong)) {
    violations.add(shown_requests(input, given), "requestItems",
                   "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member "
                   "must have length greater than or equal to 1]");
  }
  std::size_t position = 0;
  for (const auto& [table, count] : input.tables) {
    for (std::size_t i = 1; i <= count; ++i, ++position) {
      const WriteInput& write = given[position];
      if (write.has_delete) {
        const auto path = [&, &name = table] {
          return fmt::format("requestItems.{}.member.{}.member.deleteRequest.key", name, i);
        };
        violations.required(path, write.key.has_value());
      }
      if (write.has_put) {
        const auto path = [&, &name = table] {
          return fmt::format("requestItems.{}.member.{}.member.putRequest.item", name, i);
        };
        violations.required(path, write.item.has_value());
      }
    }
  }
}

Result<engine::BatchWrite> write_of(const WriteInput& input, std::string_view table_name) {
  if (input.has_put == input.has_delete) {
    return invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
                   "supported datatypes");
  }
  TRY_VOID(check_names(input.item));
  TRY_VOID(check_values(input.item));
  TRY_VOID(check_values(input.key));
  engine::BatchWrite write;
  write.table_name = table_name;
  write.is_put = input.has_put;
  write.attributes = input.has_put ? input.item->attributes : input.key->attributes;
  return write;
}

Result<void> read_checked(const Call& call, const std::vector<WriteInput>& given, BatchWriteItemInput& input) {
  std::size_t position = 0;
  for (const auto& [table, count] : input.tables) {
    TRY(const std::string_view table_name, table_name_of(call, table));
    for (std::size_t i = 0; i < count; ++i, ++position) {
      TRY(const engine::BatchWrite write, write_of(given[position], table_name));
      input.writes.push_back(write);
    }
  }
  return {};
}

Result<BatchWriteItemInput> read_batch_write_item(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto request_items = in.map(
      "RequestItems", "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>");
  const auto capacity = in.string("ReturnConsumedCapacity");
  const auto metrics = in.string("ReturnItemCollectionMetrics");
  BatchWriteItemInput input;
  std::vector<WriteInput> given;
  if (request_items) {
    for (const auto field : *request_items) {
      if (field.value.is_null()) continue;
      std::vector<WriteInput> writes = read_writes(field.key, field.value, state);
      input.tables.emplace_back(field.key, writes.size());
      given.insert(given.end(), writes.begin(), writes.end());
    }
  }
  TRY_VOID(state.result());

  Violations violations;
  violations.required("requestItems", request_items.has_value());
  violations.return_consumed_capacity(capacity);
  violations.return_item_collection_metrics(metrics);
  check_requests(input, given, violations);
  TRY_VOID(violations.result());
  if (input.tables.empty()) return invalid("The requestItems parameter is required for BatchWriteItem");
  if (given.size() > engine::kBatchWriteItemsMax) {
    return invalid("Too many items requested for the BatchWriteItem call");
  }
  TRY_VOID(read_checked(call, given, input));
  input.capacity = return_capacity(capacity);
  input.collection_metrics = metrics == "SIZE";
  return input;
}

void write_capacity(JsonWriter& out, const BatchWriteItemInput& input,
                    const std::vector<engine::WriteOutcome>& outcomes) {
  out.key("ConsumedCapacity").begin_array();
  std::size_t position = 0;
  for (const auto& [table, count] : input.tables) {
    engine::ConsumedCapacity sum;
    for (std::size_t i = 0; i < count; ++i, ++position) {
      const engine::ConsumedCapacity& consumed = outcomes[position].consumed;
      sum.table = consumed.table;
      sum.table_cost += consumed.table_cost;
      for (const auto& [index, cost] : consumed.indexes) sum.add_index(*index, cost);
    }
    write_capacity_object(out, sum, table, input.capacity);
  }
  out.end_array();
}

void write_collections(JsonWriter& out, const BatchWriteItemInput& input,
                       const std::vector<engine::WriteOutcome>& outcomes) {
  bool begun = false;
  std::size_t position = 0;
  for (const auto& [table, count] : input.tables) {
    std::map<std::string_view, const engine::CollectionMetrics*> collections;  // one entry per partition key
    for (std::size_t i = 0; i < count; ++i, ++position) {
      const auto& collection = outcomes[position].collection;
      if (collection) collections[collection->partition_key_text] = &*collection;
    }
    if (collections.empty()) continue;
    if (!begun) out.key("ItemCollectionMetrics").begin_object();
    begun = true;
    out.user_key(table).begin_array();
    for (const auto& [text, metrics] : collections) write_collection_object(out, *metrics);
    out.end_array();
  }
  if (begun) out.end_object();
}

// The writes that were throttled, as they were sent.
void write_unprocessed(JsonWriter& out, const BatchWriteItemInput& input, const std::vector<std::size_t>& positions) {
  out.key("UnprocessedItems").begin_object();
  std::size_t end = 0;  // of the table's writes
  auto at = positions.begin();
  for (const auto& [table, count] : input.tables) {
    end += count;
    if (at == positions.end() || *at >= end) continue;
    out.user_key(table).begin_array();
    for (; at != positions.end() && *at < end; ++at) {
      const engine::BatchWrite& write = input.writes[*at];
      base::Buffer text;
      item::append_attributes(text, write.attributes);
      out.begin_object().key(write.is_put ? "PutRequest" : "DeleteRequest").begin_object();
      out.key(write.is_put ? "Item" : "Key").raw(text.view()).end_object().end_object();
    }
    out.end_array();
  }
  out.end_object();
}

}  // namespace

base::Task<Result<void>> batch_write_item(Call& call) {
  CO_TRY(const BatchWriteItemInput input, read_batch_write_item(call));
  const Result<engine::BatchWriteResult> result =
      co_await engine::batch_write_item(call.engine, input.writes, input.collection_metrics, call.arena);
  CO_TRY_VOID(result);
  for (const engine::WriteOutcome& outcome : result->outcomes) {
    note_consumed(call, outcome.consumed, metrics::Units::write);
  }
  note_throttled(call, !result->unprocessed.empty());
  JsonWriter out(call.out);
  out.begin_object();
  write_unprocessed(out, input, result->unprocessed);
  if (input.collection_metrics) write_collections(out, input, result->outcomes);
  if (input.capacity != ReturnCapacity::none) write_capacity(out, input, result->outcomes);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
