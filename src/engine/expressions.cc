#include "engine/expressions.h"

namespace stator::engine {

Result<BoundExpressions> bind_expressions(const ExpressionTexts& texts,
                                          const ExpressionParameters& parameters, base::Arena& arena) {
  expr::Placeholders placeholders(parameters.names, parameters.values, arena);
  TRY_VOID(placeholders.check());
  BoundExpressions bound;
  if (texts.update) {
    TRY(bound.update, expr::bind_update(*texts.update, placeholders));
  }
  if (texts.condition) {
    TRY(bound.condition, expr::bind_condition(*texts.condition, expr::Parameter::condition, placeholders));
  }
  if (texts.key_condition) {
    TRY(bound.key_condition, expr::bind_key_condition(*texts.key_condition, placeholders));
  }
  if (texts.filter) {
    TRY(bound.filter, expr::bind_condition(*texts.filter, expr::Parameter::filter, placeholders));
  }
  if (texts.projection) {
    TRY(bound.projection, expr::bind_projection(*texts.projection, placeholders));
  }
  TRY_VOID(placeholders.check_all_used());
  return bound;
}

}  // namespace stator::engine
