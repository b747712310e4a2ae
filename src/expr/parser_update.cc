#include <optional>

#include "expr/parser.h"

namespace stator::expr {
namespace {

constexpr std::string_view kUpdateKeywords[] = {"SET", "REMOVE", "ADD", "DELETE"};

}  // namespace

// update  := section+           section := SET set (',' set)* | REMOVE path (',' path)*
//                                        | ADD path value (',' path value)* | DELETE ...
// set     := path '=' sum       sum     := operand | operand ('+' | '-') operand | '(' sum ')'
bool Parser::parse_update(std::vector<Action>& out) {
  keywords_ = kUpdateKeywords;
  do {
    std::optional<ActionKind> kind;
    for (const auto each :
         {ActionKind::set, ActionKind::remove, ActionKind::add, ActionKind::erase}) {
      if (at_keyword(section_text(each))) kind = each;
    }
    if (!kind) return syntax_error();
    sections_.push_back(*kind);
    do {
      ++at_;  // the section's word, or a comma
      if (!parse_action(*kind, out.emplace_back())) return false;
    } while (at_symbol(","));
  } while (peek().kind != TokenKind::end);
  return true;
}

bool Parser::parse_action(ActionKind kind, Action& out) {
  out.kind = kind;
  if (!parse_path(out.path)) return false;
  if (kind == ActionKind::remove) return true;
  Node& value = out.value.emplace_back();
  if (kind == ActionKind::set) return expect_symbol("=") && parse_set_value(value);
  if (peek().kind != TokenKind::value_placeholder) return syntax_error();
  return parse_leaf(value);
}

bool Parser::parse_set_value(Node& out) {
  bool arithmetic = false;
  bool parenthesized = false;
  return parse_arithmetic_piece(out, arithmetic, parenthesized);
}

bool Parser::parse_arithmetic_piece(Node& out, bool& arithmetic, bool& parenthesized) {
  if (at_symbol("(")) {
    bool inner = false;
    if (!open_parenthesis() || !parse_arithmetic_piece(out, arithmetic, inner)) return false;
    if (!close_parenthesis()) return false;
    if (inner) return redundant_parentheses();
    parenthesized = true;
  } else if (!parse_leaf(out)) {
    return false;
  }
  if (arithmetic || (!at_symbol("+") && !at_symbol("-"))) return true;
  Node sum;
  sum.kind = at_symbol("+") ? NodeKind::plus : NodeKind::minus;
  ++at_;
  sum.children.push_back(std::move(out));
  if (!parse_operand(sum.children.emplace_back())) return false;
  out = std::move(sum);
  arithmetic = true;
  parenthesized = false;
  return true;
}

}  // namespace stator::expr
