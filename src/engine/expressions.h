#pragma once

#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "engine/request.h"
#include "expr/expression.h"

namespace stator::engine {

// The expressions of one request. Texts are bound in the order in which the service checks them: update, condition, key
// condition, filter, projection; then unused placeholders.
struct ExpressionSources {
  ExpressionSource<expr::Update> update;
  ExpressionSource<expr::Condition> condition;
  ExpressionSource<expr::KeyCondition> key_condition;
  ExpressionSource<expr::Condition> filter;
  ExpressionSource<expr::Projection> projection;
};
struct BoundExpressions {
  std::optional<expr::Update> update;
  std::optional<expr::Condition> condition;
  std::optional<expr::KeyCondition> key_condition;
  std::optional<expr::Condition> filter;
  std::optional<expr::Projection> projection;
};

[[nodiscard]] Result<BoundExpressions> bind_expressions(const ExpressionSources& sources,
                                                        const ExpressionParameters& parameters,
                                                        base::Arena& arena);

}  // namespace stator::engine
