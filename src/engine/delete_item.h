#pragma once

#include "engine/item_write.h"

namespace stator::engine {

struct DeleteItemRequest {
  std::string_view table_name;
  item::Attributes key;
  ExpressionSource<expr::Condition> condition;
  ExpressionParameters parameters;
  bool return_item_on_failure = false;
  bool collection_metrics = false;
};

[[nodiscard]] base::Task<Result<WriteOutcome>> delete_item(Engine& engine, const DeleteItemRequest& request,
                                                           base::Arena& arena);

// Removes an item if a condition holds; removing none is fine.
class DeleteDecision final : public ItemDecision {
 public:
  DeleteDecision(std::optional<expr::Condition> condition, bool return_item)
      : condition_(std::move(condition)), return_item_(return_item) {}
  [[nodiscard]] Result<std::optional<std::string_view>> decide(const item::StoredItem* before,
                                                               base::Arena& arena) const override;

 private:
  std::optional<expr::Condition> condition_;
  bool return_item_;
};

}  // namespace stator::engine
