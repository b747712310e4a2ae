// Paths, calls and tuples: what stands at the leaves of an expression.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "partiql/parser.h"

namespace stator::partiql {

Result<Expr> Parser::simple_path() {
  if (!at_name()) return not_well_formed("Expected identifier for simple path");
  return path();
}

// a.b[0]."c"['d']
Result<Expr> Parser::path() {
  Expr expr = begin(ExprKind::path);
  const auto add_name = [&](std::string_view name) -> Result<void> {
    if (name.empty()) return invalid("Path component cannot be an empty string");
    expr.path.push_back({name, 0, false});
    return {};
  };
  TRY_VOID(add_name(token().text));
  advance();
  for (;;) {
    if (take_symbol(".")) {
      if (!at_name()) return not_well_formed("Invalid path dot component");
      TRY_VOID(add_name(token().text));
      advance();
    } else if (take_symbol("[")) {
      if (token().kind == TokenKind::string) {
        TRY_VOID(add_name(token().text));
      } else {
        TRY(const std::uint32_t index, list_index());
        expr.path.push_back({{}, index, true});
      }
      advance();
      if (!take_symbol("]")) return not_well_formed("Unexpected token after expression");
    } else {
      return expr;
    }
  }
}

// Stays at its last token.
Result<std::uint32_t> Parser::list_index() {
  const bool negative = at_symbol("-");
  if (negative && token(1).kind == TokenKind::number) advance();
  const Token& step = token();
  const auto place = [&] { return place_text(text_, step.position, step.length); };
  const bool whole = std::all_of(step.text.begin(), step.text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (step.kind != TokenKind::number || !whole) {
    return invalid(fmt::format("Unexpected path component at {}", place()));
  }
  std::int32_t index = 0;
  const auto [end, error] = std::from_chars(step.text.data(), step.text.data() + step.text.size(), index);
  if (error != std::errc() || (negative && index != 0)) {
    return invalid(fmt::format("List index is not within the allowable range; index: [{}{}] at {}",
                               negative ? "-" : "", step.text, place()));
  }
  return static_cast<std::uint32_t>(index);
}

Result<Expr> Parser::call() {
  Expr expr = begin(ExprKind::call);
  expr.text = token().text;
  advance();
  advance();  // the parenthesis
  if (same_word(expr.text, "exists") && at_word("select")) {
    return invalid("EXISTS can only be used in ExecuteTransaction write requests.");
  }
  if (at_symbol("*") && at_symbol(")", 1)) {
    expr.children.push_back(begin(ExprKind::star));
    advance();
    advance();
    return expr;
  }
  TRY_VOID(elements(expr, ")"));
  return expr;
}

Result<Expr> Parser::tuple() {
  Expr expr = begin(ExprKind::tuple);
  if (take_symbol("}")) return expr;
  do {
    if (token().kind != TokenKind::string && token().kind != TokenKind::quoted) {
      return not_well_formed("Unexpected term");
    }
    Expr name = begin(ExprKind::string);
    name.text = token().text;
    advance();
    if (!take_symbol(":")) return not_well_formed("Unexpected term");
    TRY(Expr value, expression());
    expr.children.push_back(std::move(name));
    expr.children.push_back(std::move(value));
  } while (take_symbol(","));
  if (!take_symbol("}")) return not_well_formed(at_end() ? "Unexpected term" : "Unexpected token after expression");
  return expr;
}

}  // namespace stator::partiql
