#include "engine/delete_item.h"

#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/key_paths.h"
#include "engine/put_item.h"

namespace stator::engine {

Result<std::optional<std::string_view>> DeleteDecision::decide(const item::StoredItem* before,
                                                               base::Arena& arena) const {
  TRY_VOID(check_condition(condition_, before, return_item_, arena));
  return std::nullopt;
}

base::Task<Result<WriteOutcome>> delete_item(Engine& engine, const DeleteItemRequest& request,
                                             base::Arena& arena) {
  CO_TRY(const BoundExpressions expressions,
         bind_expressions({.condition = request.condition}, request.parameters, arena));
  CO_TRY(const WriteTable table, engine.catalog.begin_write(request.table_name));
  CO_TRY(const KeyValues key, check_key(*table, request.key, arena));
  if (expressions.condition) CO_TRY_VOID(check_key_paths(*table, *expressions.condition));
  const DeleteDecision decision(expressions.condition, request.return_item_on_failure);
  Result<WriteOutcome> outcome = co_await write_item(engine, table.pointer(), key, decision,
                                                     request.collection_metrics, arena);
  co_return outcome;
}

}  // namespace stator::engine
