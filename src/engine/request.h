#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/capacity.h"
#include "expr/expression.h"
#include "item/value.h"
#include "store/store.h"

// Parts that several operations' requests and results share. Requests are views: whoever makes one (the API layer or an
// embedding program) keeps the bytes alive until the result is there. Nothing here knows JSON.
namespace stator::engine {

struct ExpressionParameters {
  std::span<const expr::Name> names;
  item::Attributes values;
};

// The item that a condition was checked against, asked for by ReturnValuesOnConditionCheckFailure.
struct ConditionFailedDetail final : ErrorDetail {
  std::string item_text;  // wire text; empty where there was no item
};

[[nodiscard]] inline Error condition_failed() {
  return {ErrorCode::condition_failed, "The conditional request failed"};
}

// For tables with local indexes: the item collection that a write went to.
struct CollectionMetrics {
  std::string_view partition_key_name;
  std::string_view partition_key_text;  // wire text of the value
  double lower_gb = 0;
  double upper_gb = 1;
};

}  // namespace stator::engine
