#pragma once

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "engine/request.h"
#include "expr/expression.h"

namespace stator::engine {

// The expressions of one request, bound in the order in which the service checks them: update, condition, key condition,
// filter, projection; then unused placeholders.
struct ExpressionTexts {
  std::optional<std::string_view> update;
  std::optional<std::string_view> condition;
  std::optional<std::string_view> key_condition;
  std::optional<std::string_view> filter;
  std::optional<std::string_view> projection;
};
struct BoundExpressions {
  std::optional<expr::Update> update;
  std::optional<expr::Condition> condition;
  std::optional<expr::KeyCondition> key_condition;
  std::optional<expr::Condition> filter;
  std::optional<expr::Projection> projection;
};

[[nodiscard]] Result<BoundExpressions> bind_expressions(const ExpressionTexts& texts,
                                                        const ExpressionParameters& parameters,
                                                        base::Arena& arena);

}  // namespace stator::engine
