#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/expression.h"
#include "expr/lexer.h"

namespace stator::expr {

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kOperatorsMax = 300;
inline constexpr std::size_t kPathElementsMax = 32;
// Parentheses that are not redundant need an operator each, so no good expression nests deeper.
inline constexpr std::size_t kParenthesesDepthMax = kOperatorsMax + 10;

// The name of the request parameter: ConditionExpression and so on.
[[nodiscard]] std::string_view parameter_name(Parameter parameter) noexcept;
// "Invalid <parameter>: <message>"
[[nodiscard]] tl::unexpected<Error> invalid_expression(Parameter parameter,
                                                       std::string_view message);

// Text to tree, with every check that needs no placeholders: size, syntax, function names and their
// places, reserved words, list indexes, number of operators, depth of paths, repeated sections.
[[nodiscard]] Result<std::shared_ptr<const ParsedCondition>> parse_condition(std::string_view text,
                                                                             Parameter parameter);
[[nodiscard]] Result<std::shared_ptr<const ParsedUpdate>> parse_update(std::string_view text);
[[nodiscard]] Result<std::shared_ptr<const ParsedProjection>> parse_projection(
    std::string_view text);

// The grammar alone. Methods return false after the first error, which `error` holds; nothing is
// thrown and frames stay small, because an expression may nest a thousand calls deep.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(tokenize(text)) {}

  bool parse_condition(Node& out);
  bool parse_update(std::vector<Action>& out);
  bool parse_projection(std::vector<PathTree>& out);
  [[nodiscard]] const std::string& error() const { return error_; }
  // The sections of an update in the order of the text, repeated ones too.
  [[nodiscard]] std::span<const ActionKind> sections() const { return sections_; }

 private:
  // What a piece of a condition turned out to be; a call can serve as both.
  enum class Shape : std::uint8_t { operand, call, condition };
  struct Piece {
    Shape shape = Shape::operand;
    bool parenthesized = false;
  };

  bool parse_or(Node& out, Piece& piece);
  bool parse_and(Node& out, Piece& piece);
  bool parse_chain(Node& out, Piece& piece, bool is_or);
  bool parse_not(Node& out, Piece& piece);
  bool parse_primary(Node& out, Piece& piece);
  bool parse_tail(Node& out, Piece& piece);
  bool parse_group(Node& out, Piece& piece);
  bool parse_set_value(Node& out);
  bool parse_arithmetic_piece(Node& out, bool& arithmetic, bool& parenthesized);
  bool parse_action(ActionKind kind, Action& out);
  bool parse_operand(Node& out, bool& parenthesized);
  bool parse_operand(Node& out);
  bool parse_operand_list(Node& out);  // behind '(': operands up to and with ')'
  bool parse_leaf(Node& out);          // path, value or call
  bool parse_path(PathTree& out);

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool at_symbol(std::string_view symbol) const;
  [[nodiscard]] bool at_keyword(std::string_view upper) const;
  [[nodiscard]] bool at_any_keyword() const;
  bool expect_symbol(std::string_view symbol);
  bool syntax_error();
  bool redundant_parentheses();
  bool open_parenthesis();   // consumes it; false where they nest too deep
  bool close_parenthesis();  // or a syntax error
  bool too_deep();

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;  // of open parentheses, without those of calls
  std::span<const std::string_view>
      keywords_;  // words that are no names in this kind of expression
  std::vector<ActionKind> sections_;
  std::string error_;
};

// The checks behind the grammar; see parse_condition. The messages come without "Invalid ...: ".
[[nodiscard]] std::string check_condition(const Node& root);
[[nodiscard]] std::string check_update(const std::vector<Action>& actions,
                                       std::span<const ActionKind> sections);
[[nodiscard]] std::string too_many_operators_problem(std::size_t count);  // empty if there are not
[[nodiscard]] std::string check_projection(const std::vector<PathTree>& paths);

}  // namespace stator::expr
