#pragma once

#include "engine/item_write.h"

namespace stator::engine {

// What must not pass the limit on an item's size: the item alone, or for UpdateItem the written part of the request too.
enum class UpdateMeasure : std::uint8_t { item, request };

struct UpdateItemRequest {
  std::string_view table_name;
  item::Attributes key;
  ExpressionSource<expr::Update> update;  // nothing: creates the item with its key alone where there is none
  ExpressionSource<expr::Condition> condition;
  ExpressionParameters parameters;
  bool return_item_on_failure = false;
  bool collection_metrics = false;
  UpdateMeasure measure = UpdateMeasure::request;
};

struct UpdateOutcome {
  WriteOutcome write;
  expr::Projection targets;  // what UPDATED_OLD and UPDATED_NEW return
};

[[nodiscard]] base::Task<Result<UpdateOutcome>> update_item(Engine& engine, const UpdateItemRequest& request,
                                                            base::Arena& arena);

// Marks what is wrong with an update that only the item showed: it ran and failed.
struct UpdateFailedDetail final : ErrorDetail {};

// Applies an update expression if a condition holds; an absent item is created with its key, unless the update only takes
// away.
class UpdateDecision final : public ItemDecision {
 public:
  UpdateDecision(const Table& table, item::Attributes key, std::optional<expr::Update> update,
                 std::optional<expr::Condition> condition, bool return_item,
                 UpdateMeasure measure = UpdateMeasure::item)
      : table_(table),
        key_(key),
        update_(std::move(update)),
        condition_(std::move(condition)),
        return_item_(return_item),
        measure_(measure) {}
  [[nodiscard]] Result<std::optional<std::string_view>> decide(const item::StoredItem* before,
                                                               base::Arena& arena) const override;

 private:
  [[nodiscard]] Result<std::optional<std::string_view>> change(const item::StoredItem* before,
                                                               base::Arena& arena) const;

  const Table& table_;
  item::Attributes key_;
  std::optional<expr::Update> update_;
  std::optional<expr::Condition> condition_;
  bool return_item_;
  UpdateMeasure measure_;
};

}  // namespace stator::engine
