#include "expr/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace stator::expr {

using std::string_view_literals::operator""sv;

namespace {

constexpr std::uint32_t kListIndexMax = 2147483647;

}  // namespace

std::string_view parameter_name(Parameter parameter) noexcept {
  switch (parameter) {
    case Parameter::condition:
      return "ConditionExpression";
    case Parameter::filter:
      return "FilterExpression";
    case Parameter::key_condition:
      return "KeyConditionExpression";
    case Parameter::update:
      return "UpdateExpression";
    case Parameter::projection:
      return "ProjectionExpression";
  }
  return "Expression";
}

tl::unexpected<Error> invalid_expression(Parameter parameter, std::string_view message) {
  return invalid(fmt::format("Invalid {}: {}", parameter_name(parameter), message));
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Parser::at_symbol(std::string_view symbol) const {
  return peek().kind == TokenKind::symbol && peek().text == symbol;
}

bool Parser::at_keyword(std::string_view upper) const {
  return peek().kind == TokenKind::identifier && equals_ignoring_case(peek().text, upper);
}

bool Parser::at_any_keyword() const {
  return std::any_of(keywords_.begin(), keywords_.end(),
                     [this](std::string_view keyword) { return at_keyword(keyword); });
}

bool Parser::expect_symbol(std::string_view symbol) {
  if (!at_symbol(symbol)) return syntax_error();
  ++at_;
  return true;
}

// Names the token at which no reading of the text goes on, and shows the text from the token before
// it to the token behind it.
bool Parser::syntax_error() {
  const Token& token = peek();
  const std::uint32_t begin = at_ > 0 ? tokens_[at_ - 1].begin : token.begin;
  const std::uint32_t end = peek(1).end;
  error_ = fmt::format("Syntax error; token: \"{}\", near: \"{}\"", token.text,
                       text_.substr(begin, end - begin));
  return false;
}

bool Parser::redundant_parentheses() {
  error_ = "The expression has redundant parentheses;";
  return false;
}

bool Parser::open_parenthesis() {
  ++at_;
  return ++depth_ <= kParenthesesDepthMax || too_deep();
}

bool Parser::close_parenthesis() {
  --depth_;
  return expect_symbol(")");
}

// Says what is wrong with a text whose parentheses nest too deep, without nesting any deeper to
// find out.
bool Parser::too_deep() {
  std::size_t open = 0;
  std::size_t operators = 0;
  for (at_ = 0; peek().kind != TokenKind::end; ++at_) {
    const Token& token = peek();
    if (at_symbol("(")) ++open;
    if (at_symbol(")") && open-- == 0) return syntax_error();
    const bool comparator =
        token.kind == TokenKind::symbol && "<=>"sv.find(token.text[0]) != "<=>"sv.npos;
    operators += static_cast<std::size_t>(comparator || at_any_keyword());
  }
  if (open != 0) return syntax_error();
  error_ = too_many_operators_problem(operators);
  return error_.empty() && redundant_parentheses();
}

bool Parser::parse_operand(Node& out) {
  bool parenthesized = false;
  return parse_operand(out, parenthesized);
}

bool Parser::parse_operand(Node& out, bool& parenthesized) {
  if (!at_symbol("(")) return parse_leaf(out);
  bool inner = false;
  if (!open_parenthesis() || !parse_operand(out, inner) || !close_parenthesis()) return false;
  parenthesized = true;
  return !inner || redundant_parentheses();
}

bool Parser::parse_operand_list(Node& out) {
  for (;;) {
    if (!parse_operand(out.children.emplace_back())) return false;
    if (at_symbol(")")) {
      ++at_;
      return true;
    }
    if (!expect_symbol(",")) return false;
  }
}

bool Parser::parse_leaf(Node& out) {
  const Token& token = peek();
  if (token.kind == TokenKind::value_placeholder) {
    out.kind = NodeKind::value;
    out.text = token.text;
    ++at_;
    return true;
  }
  const Token& next = peek(1);
  if (token.kind == TokenKind::identifier && next.kind == TokenKind::symbol && next.text == "(" &&
      !at_any_keyword()) {
    out.kind = NodeKind::call;
    out.text = token.text;
    out.function = function_from_name(token.text);
    at_ += 2;
    return parse_operand_list(out);
  }
  out.kind = NodeKind::path;
  return parse_path(out.path);
}

bool Parser::parse_path(PathTree& out) {
  for (;;) {
    const Token& token = peek();
    if (token.kind == TokenKind::name_placeholder) {
      out.push_back({PathElement::Kind::placeholder, token.text, 0});
    } else if (token.kind == TokenKind::identifier && !at_any_keyword()) {
      out.push_back({PathElement::Kind::name, token.text, 0});
    } else {
      return syntax_error();
    }
    ++at_;
    while (at_symbol("[")) {
      ++at_;
      const Token& digits = peek();
      if (digits.kind != TokenKind::index) return syntax_error();
      PathElement element{PathElement::Kind::index, {}, 0};
      const auto [end, problem] = std::from_chars(
          digits.text.data(), digits.text.data() + digits.text.size(), element.index);
      // An index out of range keeps its digits, for the message of a later check.
      if (problem != std::errc() || element.index > kListIndexMax) element.text = digits.text;
      out.push_back(element);
      ++at_;
      if (!expect_symbol("]")) return false;
    }
    if (!at_symbol(".")) return true;
    ++at_;
  }
}

std::string_view comparator_text(Comparator comparator) noexcept {
  constexpr std::string_view kTexts[] = {"=", "<>", "<", "<=", ">", ">="};
  return kTexts[static_cast<std::size_t>(comparator)];
}

std::string_view section_text(ActionKind kind) noexcept {
  constexpr std::string_view kTexts[] = {"SET", "REMOVE", "ADD", "DELETE"};
  return kTexts[static_cast<std::size_t>(kind)];
}

Function function_from_name(std::string_view name) noexcept {
  constexpr std::string_view kNames[] = {"attribute_exists", "attribute_not_exists",
                                         "attribute_type",   "begins_with",
                                         "contains",         "size",
                                         "if_not_exists",    "list_append"};
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  return static_cast<Function>(found -
                               std::begin(kNames));  // `unknown` stands behind the last name
}

}  // namespace stator::expr
