#include "engine/put_item.h"

#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/key_paths.h"
#include "item/size.h"

namespace stator::engine {

Result<void> check_item_size(item::Attributes item) {
  if (item::item_bytes(item) > kItemBytesMax) {
    return invalid("Item size has exceeded the maximum allowed size");
  }
  return {};
}

Result<void> check_condition(const std::optional<expr::Condition>& condition,
                             const item::StoredItem* before, bool return_item, base::Arena& arena) {
  if (!condition || condition->matches(before, arena)) return {};
  Error error = condition_failed();
  if (return_item && before != nullptr) {
    auto detail = std::make_shared<ConditionFailedDetail>();
    detail->item_text = before->text();
    error.detail = std::move(detail);
  }
  return tl::unexpected(std::move(error));
}

Result<std::optional<std::string_view>> PutDecision::decide(const item::StoredItem* before,
                                                            base::Arena& arena) const {
  TRY_VOID(check_condition(condition_, before, return_item_, arena));
  return stored_;
}

base::Task<Result<WriteOutcome>> put_item(Engine& engine, const PutItemRequest& request,
                                          base::Arena& arena) {
  CO_TRY_VOID(check_item_size(request.item));
  CO_TRY(const BoundExpressions expressions,
         bind_expressions({.condition = request.condition}, request.parameters, arena));
  CO_TRY(const WriteTable table, engine.catalog.begin_write(request.table_name));
  CO_TRY(const KeyValues key, check_item(*table, request.item, arena));
  if (expressions.condition) CO_TRY_VOID(check_key_paths(*table, *expressions.condition));
  const PutDecision decision(item::encode_item(request.item, arena), expressions.condition,
                             request.return_item_on_failure);
  Result<WriteOutcome> outcome = co_await write_item(engine, table.pointer(), key, decision,
                                                     request.collection_metrics, arena);
  co_return outcome;
}

}  // namespace stator::engine
