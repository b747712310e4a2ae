#include <fmt/core.h>

#include "expr/parser.h"

namespace stator::expr {
namespace {

std::string check_text(std::string_view text, Parameter parameter) {
  if (text.empty()) return "The expression can not be empty;";
  if (text.size() > kExpressionBytesMax) {
    // Only of conditions and filters the service says how long they are.
    const bool says_size = parameter == Parameter::condition || parameter == Parameter::filter;
    return fmt::format("Expression size has exceeded the maximum allowed size;{}",
                       says_size ? fmt::format(" expression size: {}", text.size()) : "");
  }
  return {};
}

// The steps that the three kinds share: size, grammar, checks. The tree's views point into
// `tree->text`.
template <class Parsed, class Grammar, class Check>
Result<std::shared_ptr<const Parsed>> parse_with(std::string_view text, Parameter parameter,
                                                 const Grammar& grammar, const Check& check) {
  if (const std::string problem = check_text(text, parameter); !problem.empty()) {
    return invalid_expression(parameter, problem);
  }
  auto tree = std::make_shared<Parsed>();
  tree->text = text;
  Parser parser(tree->text);
  if (!grammar(parser, *tree)) return invalid_expression(parameter, parser.error());
  if (const std::string problem = check(parser, *tree); !problem.empty()) {
    return invalid_expression(parameter, problem);
  }
  return std::shared_ptr<const Parsed>(std::move(tree));
}

}  // namespace

Result<std::shared_ptr<const ParsedCondition>> parse_condition(std::string_view text,
                                                               Parameter parameter) {
  return parse_with<ParsedCondition>(
      text, parameter,
      [](Parser& parser, ParsedCondition& tree) { return parser.parse_condition(tree.root); },
      [](const Parser&, const ParsedCondition& tree) { return check_condition(tree.root); });
}

Result<std::shared_ptr<const ParsedUpdate>> parse_update(std::string_view text) {
  return parse_with<ParsedUpdate>(
      text, Parameter::update,
      [](Parser& parser, ParsedUpdate& tree) { return parser.parse_update(tree.actions); },
      [](const Parser& parser, const ParsedUpdate& tree) {
        return check_update(tree.actions, parser.sections());
      });
}

Result<std::shared_ptr<const ParsedProjection>> parse_projection(std::string_view text) {
  return parse_with<ParsedProjection>(
      text, Parameter::projection,
      [](Parser& parser, ParsedProjection& tree) { return parser.parse_projection(tree.paths); },
      [](const Parser&, const ParsedProjection& tree) { return check_projection(tree.paths); });
}

}  // namespace stator::expr
