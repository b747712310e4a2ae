#pragma once

#include "engine/item_write.h"

namespace stator::engine {

struct PutItemRequest {
  std::string_view table_name;
  item::Attributes item;
  ExpressionSource<expr::Condition> condition;
  ExpressionParameters parameters;
  bool return_item_on_failure = false;  // ReturnValuesOnConditionCheckFailure = ALL_OLD
  bool collection_metrics = false;
};

[[nodiscard]] base::Task<Result<WriteOutcome>> put_item(Engine& engine, const PutItemRequest& request,
                                                        base::Arena& arena);

// What comes first of all checks of a put.
[[nodiscard]] Result<void> check_item_size(item::Attributes item);

// Whether `condition` holds for the item; the error carries the item where it was asked for.
[[nodiscard]] Result<void> check_condition(const std::optional<expr::Condition>& condition,
                                           const item::StoredItem* before, bool return_item,
                                           base::Arena& arena);

// Replaces an item by given bytes if a condition holds.
class PutDecision final : public ItemDecision {
 public:
  PutDecision(std::string_view stored, std::optional<expr::Condition> condition, bool return_item)
      : stored_(stored), condition_(std::move(condition)), return_item_(return_item) {}
  [[nodiscard]] Result<std::optional<std::string_view>> decide(const item::StoredItem* before,
                                                               base::Arena& arena) const override;

 private:
  std::string_view stored_;
  std::optional<expr::Condition> condition_;
  bool return_item_;
};

}  // namespace stator::engine
