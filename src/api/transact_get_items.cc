#include "engine/transact_get_items.h"

#include <fmt/format.h>

#include "api/operations.h"
#include "api/transact_capacity.h"
#include "api/usage.h"
#include "api/violations.h"
#include "engine/transact_write_items.h"

namespace stator::api {
namespace {

struct TransactGetItemsInput {
  std::vector<engine::TransactGet> gets;
  std::vector<std::string_view> given_names;  // of the tables, one for each get, as the answer repeats them
  ReturnCapacity capacity = ReturnCapacity::none;
};

// One element of TransactItems as it was sent.
struct GetInput {
  std::optional<std::string_view> table_name;
  std::optional<ReadAttributes> key;
  std::optional<std::string_view> projection;
  ExpressionInput expressions;
};

GetInput read_get(const Reader& element, std::size_t position, Layer layer, Violations& violations) {
  GetInput get;
  const std::string path = fmt::format("transactItems.{}.member.get", position);
  const std::optional<Reader> in = element.object("Get", "Get");
  violations.required(path, in.has_value());
  if (!in) return get;
  get.table_name = in->string("TableName");
  get.key = in->attributes("Key");
  get.projection = in->string("ProjectionExpression");
  get.expressions.names = in->names("ExpressionAttributeNames");
  // Unlike GetItem, names without an expression are not looked at.
  if (!get.projection && get.expressions.names && !get.expressions.names->empty()) get.expressions.names.reset();
  violations.nested_table_name(path + ".tableName", get.table_name, layer);
  violations.required(path + ".key", get.key.has_value());
  return get;
}

Result<engine::TransactGet> get_of(const Call& call, const GetInput& input) {
  TRY_VOID(check_combination({}, {{"ProjectionExpression", input.projection.has_value()}}, input.expressions, {}));
  TRY_VOID(check_values(input.key));
  engine::TransactGet get;
  get.parameters = expression_parameters(input.expressions);
  TRY(get.table_name, table_name_of(call, *input.table_name));
  get.key = input.key->attributes;
  get.projection = input.projection;
  return get;
}

Result<TransactGetItemsInput> read_transact_get_items(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  const auto elements = in.objects("TransactItems", "TransactGetItem");
  const auto capacity = in.string("ReturnConsumedCapacity");
  violations.required("transactItems", elements.has_value());
  std::vector<GetInput> gets;
  if (elements) {
    violations.count("transactItems", elements->empty() ? "[]" : "[...]", elements->size(), 1,
                     engine::kTransactItemsMax);
    for (const Reader& element : *elements) {
      gets.push_back(read_get(element, gets.size() + 1, call.layer, violations));
    }
  }
  violations.return_consumed_capacity(capacity);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());
  TransactGetItemsInput input;
  for (const GetInput& get : gets) {
    TRY(engine::TransactGet checked, get_of(call, get));
    input.gets.push_back(checked);
    input.given_names.push_back(*get.table_name);
  }
  input.capacity = return_capacity(capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> transact_get_items(Call& call) {
  CO_TRY(const TransactGetItemsInput input, read_transact_get_items(call));
  const Result<std::vector<engine::TransactGetItem>> items =
      co_await engine::transact_get_items(call.engine, input.gets, call.arena);
  CO_TRY_VOID(items);
  TransactCapacity capacity;
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Responses").begin_array();
  for (std::size_t i = 0; i < items->size(); ++i) {
    const engine::TransactGetItem& item = (*items)[i];
    capacity.add(item.consumed, input.given_names[i]);
    note_consumed(call, item.consumed, metrics::Units::read);
    out.begin_object();
    if (item.item && item.projection) {
      // Unlike GetItem's, an item of which nothing is left looks like one that does not exist.
      base::Buffer projected;
      if (item.projection->append(projected, *item.item, call.arena) > 0) out.key("Item").raw(projected.view());
    } else if (item.item) {
      out.key("Item").raw(item.item->text());
    }
    out.end_object();
  }
  out.end_array();
  capacity.write(out, input.capacity, UnitKind::read);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
