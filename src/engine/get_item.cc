#include "engine/get_item.h"

#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/key_paths.h"

namespace stator::engine {

base::Task<Result<GetItemResult>> get_item(Engine& engine, const GetItemRequest& request,
                                           base::Arena& arena) {
  GetItemResult result;
  if (request.projection || !request.parameters.names.empty()) {
    CO_TRY(BoundExpressions expressions,
           bind_expressions({.projection = request.projection}, request.parameters, arena));
    result.projection = expressions.projection;
  }
  CO_TRY(TablePtr table, engine.catalog.find_usable(request.table_name));
  CO_TRY(const KeyValues key, check_key(*table, request.key, arena));
  if (result.projection) CO_TRY_VOID(check_key_paths(*table, *result.projection));

  const std::string_view row_key = table_row_key(*table, key, arena);
  Result<store::Row> row = co_await engine.reads(request.consistent).get(row_key, store::ReadMode::committed);
  CO_TRY_VOID(row);
  std::size_t bytes = 0;
  if (row->exists) {
    result.bytes = std::move(row->value);
    CO_TRY(result.item, item::StoredItem::open(result.bytes.view()));
    bytes = result.item->item_bytes();
  }
  result.consumed.table_cost = read_cost(bytes, request.consistent);
  CO_TRY_VOID(engine.admission.admit_read(*table, row_key, result.consumed.table_cost));
  result.consumed.table = std::move(table);
  co_return result;
}

}  // namespace stator::engine
