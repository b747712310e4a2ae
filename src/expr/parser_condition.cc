#include <optional>

#include "expr/parser.h"

namespace stator::expr {
namespace {

constexpr std::string_view kConditionKeywords[] = {"AND", "OR", "NOT", "BETWEEN", "IN"};

std::optional<Comparator> comparator_of(const Token& token) {
  if (token.kind != TokenKind::symbol) return std::nullopt;
  for (const auto comparator :
       {Comparator::equal, Comparator::not_equal, Comparator::less, Comparator::less_or_equal,
        Comparator::greater, Comparator::greater_or_equal}) {
    if (token.text == comparator_text(comparator)) return comparator;
  }
  return std::nullopt;
}

}  // namespace

// condition := and (OR and)*        and := not (AND not)*        not := NOT not | primary
// primary   := '(' condition ')' | operand comparator operand | operand BETWEEN operand AND operand
//            | operand IN '(' operand (',' operand)* ')' | call
// operand   := path | value | call | '(' operand ')'
//
// '(' can open a condition or an operand. Both are read the same way and the text behind tells
// which it was, so that nothing is ever read twice and an error is found at the token where both
// readings end.
bool Parser::parse_condition(Node& out) {
  keywords_ = kConditionKeywords;
  Piece piece;
  if (!parse_or(out, piece)) return false;
  if (piece.shape == Shape::operand || peek().kind != TokenKind::end) return syntax_error();
  return true;
}

bool Parser::parse_or(Node& out, Piece& piece) { return parse_chain(out, piece, true); }
bool Parser::parse_and(Node& out, Piece& piece) { return parse_chain(out, piece, false); }

// Several conditions joined by the same word become one node with as many children.
bool Parser::parse_chain(Node& out, Piece& piece, bool is_or) {
  const std::string_view word = is_or ? "OR" : "AND";
  if (!(is_or ? parse_and(out, piece) : parse_not(out, piece))) return false;
  if (!at_keyword(word)) return true;
  if (piece.shape == Shape::operand) return syntax_error();
  Node chain;
  chain.kind = is_or ? NodeKind::logical_or : NodeKind::logical_and;
  chain.children.push_back(std::move(out));
  while (at_keyword(word)) {
    ++at_;
    Piece next;
    Node& child = chain.children.emplace_back();
    if (!(is_or ? parse_and(child, next) : parse_not(child, next))) return false;
    if (next.shape == Shape::operand) return syntax_error();
  }
  out = std::move(chain);
  piece = {Shape::condition, false};
  return true;
}

bool Parser::parse_not(Node& out, Piece& piece) {
  if (!at_keyword("NOT")) return parse_primary(out, piece);
  ++at_;
  out.kind = NodeKind::logical_not;
  Piece inner;
  if (!parse_not(out.children.emplace_back(), inner)) return false;
  if (inner.shape == Shape::operand) return syntax_error();
  piece = {Shape::condition, false};
  return true;
}

bool Parser::parse_primary(Node& out, Piece& piece) {
  if (at_symbol("(")) {
    if (!parse_group(out, piece)) return false;
  } else {
    if (!parse_leaf(out)) return false;
    piece.shape = out.kind == NodeKind::call ? Shape::call : Shape::operand;
  }
  return piece.shape == Shape::condition || parse_tail(out, piece);
}

bool Parser::parse_group(Node& out, Piece& piece) {
  Piece inner;
  if (!open_parenthesis() || !parse_or(out, inner) || !close_parenthesis()) return false;
  if (inner.parenthesized) return redundant_parentheses();
  piece = {inner.shape, true};
  return true;
}

// What may follow an operand; without it the operand stays one.
bool Parser::parse_tail(Node& out, Piece& piece) {
  Node condition;
  if (const auto comparator = comparator_of(peek())) {
    condition.kind = NodeKind::comparison;
    condition.comparator = *comparator;
  } else if (at_keyword("BETWEEN")) {
    condition.kind = NodeKind::between;
  } else if (at_keyword("IN")) {
    condition.kind = NodeKind::in;
  } else {
    return true;
  }
  ++at_;
  condition.children.push_back(std::move(out));
  if (condition.kind == NodeKind::in) {
    if (!expect_symbol("(") || !parse_operand_list(condition)) return false;
  } else if (!parse_operand(condition.children.emplace_back())) {
    return false;
  }
  if (condition.kind == NodeKind::between) {
    if (!at_keyword("AND")) return syntax_error();
    ++at_;
    if (!parse_operand(condition.children.emplace_back())) return false;
  }
  out = std::move(condition);
  piece = {Shape::condition, false};
  return true;
}

}  // namespace stator::expr
