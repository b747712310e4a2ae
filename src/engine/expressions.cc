#include "engine/expressions.h"

namespace stator::engine {
namespace {

// Names before values; in each an empty map before bad keys before bad values.
Result<void> check_placeholders(const ExpressionParameters& parameters, const expr::Placeholders& placeholders,
                                base::Arena& arena) {
  if (parameters.names_sent_empty) return invalid("ExpressionAttributeNames must not be empty");
  if (parameters.values_sent_empty) {
    TRY_VOID(expr::Placeholders(parameters.names, {}, arena).check());
    return invalid("ExpressionAttributeValues must not be empty");
  }
  const bool enveloped = !parameters.fault_prefix.empty();
  TRY_VOID(placeholders.check(enveloped ? expr::Layer::current : expr::Layer::classic));
  if (!parameters.invalid_value.empty()) return invalid(std::string(parameters.invalid_value));
  return {};
}

// `bound` := the expression, by `bind_text` where it is a text.
template <class Bound, class BindText>
Result<void> bind_source(const ExpressionSource<Bound>& source, std::optional<Bound>& bound, const BindText& bind_text) {
  if (const std::string_view* text = source.text()) {
    TRY(bound, bind_text(*text));
  } else if (source) {
    bound = *source.bound();
  }
  return {};
}

Result<BoundExpressions> bind_all(const ExpressionSources& sources, const ExpressionParameters& parameters,
                                  base::Arena& arena) {
  expr::Placeholders placeholders(parameters.names, parameters.values, arena);
  TRY_VOID(check_placeholders(parameters, placeholders, arena));
  BoundExpressions bound;
  std::optional<expr::Condition> key_condition;
  const auto bind_condition = [&](expr::Parameter parameter) {
    return [&placeholders, parameter](std::string_view text) {
      return expr::bind_condition(text, parameter, placeholders);
    };
  };
  TRY_VOID(bind_source(sources.update, bound.update,
                [&](std::string_view text) { return expr::bind_update(text, placeholders); }));
  TRY_VOID(bind_source(sources.condition, bound.condition, bind_condition(expr::Parameter::condition)));
  if (const std::string_view* text = sources.key_condition.text()) {
    TRY(key_condition, expr::bind_condition(*text, expr::Parameter::key_condition, placeholders));
  }
  TRY_VOID(bind_source(sources.filter, bound.filter, bind_condition(expr::Parameter::filter)));
  TRY_VOID(bind_source(sources.projection, bound.projection,
                [&](std::string_view text) { return expr::bind_projection(text, placeholders); }));
  TRY_VOID(placeholders.check_all_used());
  // The syntax of a key condition is checked with the other expressions, its shape after all of them.
  if (key_condition) {
    TRY(bound.key_condition, expr::to_key_condition(*key_condition, arena, parameters.layer));
  } else if (sources.key_condition) {
    bound.key_condition = *sources.key_condition.bound();
  }
  return bound;
}

}  // namespace

Result<BoundExpressions> bind_expressions(const ExpressionSources& sources,
                                          const ExpressionParameters& parameters, base::Arena& arena) {
  Result<BoundExpressions> bound = bind_all(sources, parameters, arena);
  if (!bound && !parameters.fault_prefix.empty()) bound.error().message.insert(0, parameters.fault_prefix);
  return bound;
}

}  // namespace stator::engine
