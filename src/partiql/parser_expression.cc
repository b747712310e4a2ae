#include <fmt/format.h>

#include <algorithm>

#include "partiql/parser.h"

namespace stator::partiql {
namespace {

// Deeper trees than any item has levels are refused before they need much of the stack.
constexpr int kDepthMax = 200;

constexpr std::string_view kOperatorWords[] = {"and", "between", "in", "is", "like", "or"};
constexpr std::string_view kOperatorSymbols[] = {"=", "<>", "!=", "<", "<=", ">", ">=", "*", "/", "%", "||"};

// Types of PartiQL that IS may name.
constexpr std::string_view kTypeWords[] = {
    "any",  "bag",  "blob",    "bool",   "boolean",  "char",     "clob",   "date",  "decimal", "dec",     "double",
    "float", "int", "int2",    "int4",   "int8",     "integer",  "integer2", "integer4", "integer8", "bigint", "list",
    "missing", "null", "numeric", "real", "sexp",    "smallint", "string", "struct", "symbol",  "time",   "timestamp",
    "tuple", "varchar", "character"};

template <std::size_t size>
bool is_one_of(std::string_view word, const std::string_view (&words)[size]) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view each) { return same_word(word, each); });
}

struct Comparing {
  std::string_view symbol;
  Comparator comparator;
};
constexpr Comparing kComparators[] = {{"=", Comparator::equal},          {"<>", Comparator::not_equal},
                                      {"!=", Comparator::not_equal},     {"<", Comparator::less},
                                      {"<=", Comparator::less_or_equal}, {">", Comparator::greater},
                                      {">=", Comparator::greater_or_equal}};

Expr join(ExprKind kind, Expr left, Expr right) {
  Expr joined;
  joined.kind = kind;
  joined.position = left.position;
  joined.length = left.length;
  joined.children.push_back(std::move(left));
  joined.children.push_back(std::move(right));
  return joined;
}

}  // namespace

bool Parser::at_name() const {
  return token().kind == TokenKind::quoted || (token().kind == TokenKind::word && !is_keyword(token().text));
}

Expr Parser::begin(ExprKind kind) const {
  Expr expr;
  expr.kind = kind;
  expr.position = token().position;
  expr.length = token().length;
  return expr;
}

Result<Expr> Parser::right_side(Result<Expr> (Parser::*next)()) {
  if (at_end()) return not_well_formed("Missing right-hand side expression of infix operator");
  return (this->*next)();
}

Result<Expr> Parser::expression() {
  if (depth_ >= kDepthMax) return not_well_formed("Expression is nested too deeply");
  ++depth_;
  TRY(Expr left, conjunction());
  if (at_word("or")) {
    Expr joined = begin(ExprKind::logical_or);
    joined.children.push_back(std::move(left));
    while (take_word("or")) {
      TRY(Expr right, right_side(&Parser::conjunction));
      joined.children.push_back(std::move(right));
    }
    left = std::move(joined);
  }
  --depth_;
  return left;
}

Result<Expr> Parser::conjunction() {
  TRY(Expr left, negation());
  if (!at_word("and")) return left;
  Expr joined = begin(ExprKind::logical_and);
  joined.children.push_back(std::move(left));
  while (take_word("and")) {
    TRY(Expr right, right_side(&Parser::negation));
    joined.children.push_back(std::move(right));
  }
  return joined;
}

Result<Expr> Parser::negation() {
  if (!at_word("not")) return comparison();
  if (depth_ >= kDepthMax) return not_well_formed("Expression is nested too deeply");
  ++depth_;
  Expr expr = begin(ExprKind::logical_not);
  advance();
  TRY(Expr operand, negation());
  expr.children.push_back(std::move(operand));
  --depth_;
  return expr;
}

Result<Expr> Parser::comparison() {
  TRY(Expr left, sum());
  for (;;) {
    const auto* found = std::find_if(std::begin(kComparators), std::end(kComparators),
                                     [&](const Comparing& each) { return at_symbol(each.symbol); });
    if (found != std::end(kComparators)) {
      advance();
      TRY(Expr right, right_side(&Parser::sum));
      left = join(ExprKind::comparison, std::move(left), std::move(right));
      left.comparator = found->comparator;
      continue;
    }
    const bool negated = at_word("not") && (at_word("in", 1) || at_word("between", 1) || at_word("like", 1));
    if (negated) advance();
    if (at_word("like")) return invalid("Unsupported operation: Like");
    if (take_word("between")) {
      TRY(left, between(std::move(left)));
    } else if (take_word("in")) {
      TRY(left, in(std::move(left)));
    } else if (take_word("is")) {
      TRY(left, is(std::move(left)));
    } else {
      return left;
    }
    if (!negated) continue;
    Expr expr;
    expr.kind = ExprKind::logical_not;
    expr.children.push_back(std::move(left));
    left = std::move(expr);
  }
}

Result<Expr> Parser::between(Expr operand) {
  TRY(Expr low, right_side(&Parser::sum));
  if (!take_word("and")) return not_well_formed("Expected AND after BETWEEN");
  TRY(Expr high, right_side(&Parser::sum));
  Expr expr = join(ExprKind::between, std::move(operand), std::move(low));
  expr.children.push_back(std::move(high));
  return expr;
}

Result<Expr> Parser::in(Expr operand) {
  Expr expr = begin(ExprKind::in);
  expr.children.push_back(std::move(operand));
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("(", ")"), std::pair("<<", ">>")}) {
    if (!take_symbol(open)) continue;
    TRY_VOID(elements(expr, close));
    if (expr.children.size() == 1) return not_well_formed("Unexpected term");
    return expr;
  }
  TRY(Expr list, right_side(&Parser::sum));
  if (list.kind != ExprKind::parameter) return not_well_formed("Unexpected term");
  expr.flag = true;
  expr.children.push_back(std::move(list));
  return expr;
}

Result<Expr> Parser::is(Expr operand) {
  const bool negated = take_word("not");
  Expr expr = begin(ExprKind::is);
  if (token().kind != TokenKind::word || !is_one_of(token().text, kTypeWords)) {
    return not_well_formed("Expected type name");
  }
  expr.text = token().text;
  advance();
  if (same_word(expr.text, "double")) take_word("precision");
  if (same_word(expr.text, "character")) take_word("varying");
  expr.children.push_back(std::move(operand));
  if (!negated) return expr;
  Expr outer;
  outer.kind = ExprKind::logical_not;
  outer.children.push_back(std::move(expr));
  return outer;
}

Result<Expr> Parser::sum() {
  TRY(Expr left, primary());
  while (at_symbol("+") || at_symbol("-")) {
    const ExprKind kind = at_symbol("+") ? ExprKind::plus : ExprKind::minus;
    advance();
    TRY(Expr right, right_side(&Parser::primary));
    left = join(kind, std::move(left), std::move(right));
  }
  return left;
}

Result<Expr> Parser::primary() {
  if (depth_ >= kDepthMax) return not_well_formed("Expression is nested too deeply");
  ++depth_;
  TRY(Expr expr, prefixed());
  --depth_;
  return expr;
}

Result<Expr> Parser::prefixed() {
  const Token& first = token();
  Expr expr = begin(ExprKind::null);
  switch (first.kind) {
    case TokenKind::end:
      return not_well_formed("Unexpected term");
    case TokenKind::string:
    case TokenKind::number:
      expr.kind = first.kind == TokenKind::string ? ExprKind::string : ExprKind::number;
      expr.text = first.text;
      advance();
      return expr;
    case TokenKind::quoted:
      return path();
    case TokenKind::word: {
      if (at_word("true") || at_word("false")) {
        expr.kind = ExprKind::boolean;
        expr.flag = at_word("true");
      } else if (at_word("missing")) {
        expr.kind = ExprKind::missing;
      } else if (!at_word("null")) {
        if (at_symbol("(", 1) && (!is_clause_word(first.text) || at_word("exists"))) return call();
        if (at_name()) return path();
        return not_well_formed(is_one_of(first.text, kOperatorWords) ? "Unexpected operator" : "Unexpected keyword");
      }
      advance();
      return expr;
    }
    case TokenKind::symbol:
      break;
  }
  if (take_symbol("?")) {
    expr.kind = ExprKind::parameter;
    expr.parameter = parameters_++;
    return expr;
  }
  if (take_symbol("(")) {
    TRY(Expr inner, expression());
    if (!take_symbol(")")) return not_well_formed(at_end() ? "Unexpected term" : "Unexpected token after expression");
    return inner;
  }
  if (at_symbol("[") || at_symbol("<<")) {
    expr.kind = at_symbol("[") ? ExprKind::list : ExprKind::bag;
    advance();
    TRY_VOID(elements(expr, expr.kind == ExprKind::list ? "]" : ">>"));
    return expr;
  }
  if (take_symbol("{")) return tuple();
  std::size_t signs = 0;
  while (at_symbol("-", signs) || at_symbol("+", signs)) ++signs;
  if (signs > 0 && token(signs).kind == TokenKind::number) {
    expr.kind = ExprKind::number;
    for (; signs > 0; --signs) {
      if (at_symbol("-")) expr.flag = !expr.flag;
      advance();
    }
    expr.text = token().text;
    advance();
    return expr;
  }
  return not_well_formed(is_one_of(first.text, kOperatorSymbols) ? "Unexpected operator" : "Unexpected term");
}

Result<void> Parser::elements(Expr& into, std::string_view close) {
  if (take_symbol(close)) return {};
  do {
    TRY(Expr element, expression());
    into.children.push_back(std::move(element));
  } while (take_symbol(","));
  if (!take_symbol(close)) return not_well_formed(at_end() ? "Unexpected term" : "Unexpected token after expression");
  return {};
}

}  // namespace stator::partiql
