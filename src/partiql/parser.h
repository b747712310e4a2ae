#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "partiql/ast.h"
#include "partiql/lexer.h"

namespace stator::partiql {

// The tree of one statement. Every error is the service's ValidationException about the text alone.
[[nodiscard]] Result<Statement> parse(std::string_view text, base::Arena& arena);

// Recursive descent over the tokens of one statement. Used by parse() only.
class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  [[nodiscard]] Result<Statement> statement();

 private:
  // Statements.
  [[nodiscard]] Result<void> select(Statement& statement);
  [[nodiscard]] Result<void> select_list(Statement& statement);
  [[nodiscard]] Result<void> insert(Statement& statement);
  [[nodiscard]] Result<void> update(Statement& statement);
  [[nodiscard]] Result<void> remove(Statement& statement);
  [[nodiscard]] Result<void> update_from(Statement& statement);
  [[nodiscard]] Result<void> source(Statement& statement, std::string_view problem);
  [[nodiscard]] Result<void> where(Statement& statement);
  [[nodiscard]] Result<void> order_by(Statement& statement);
  [[nodiscard]] Result<void> changes(Statement& statement);
  [[nodiscard]] Result<void> returning(Statement& statement);
  [[nodiscard]] Result<void> check_alias() const;
  [[nodiscard]] tl::unexpected<Error> bare_expression();

  // Expressions, from the loosest operator to the tightest.
  [[nodiscard]] Result<Expr> expression();
  [[nodiscard]] Result<Expr> conjunction();
  [[nodiscard]] Result<Expr> negation();
  [[nodiscard]] Result<Expr> comparison();
  [[nodiscard]] Result<Expr> sum();
  [[nodiscard]] Result<Expr> primary();
  [[nodiscard]] Result<Expr> prefixed();
  [[nodiscard]] Result<Expr> path();
  [[nodiscard]] Result<std::uint32_t> list_index();
  [[nodiscard]] Result<Expr> call();
  [[nodiscard]] Result<Expr> tuple();
  [[nodiscard]] Result<Expr> between(Expr operand);
  [[nodiscard]] Result<Expr> in(Expr operand);
  [[nodiscard]] Result<Expr> is(Expr operand);
  [[nodiscard]] Result<Expr> simple_path();
  // Elements up to a closing symbol, which is consumed.
  [[nodiscard]] Result<void> elements(Expr& into, std::string_view close);
  // One step towards the next tighter operator with what follows checked for being there.
  [[nodiscard]] Result<Expr> right_side(Result<Expr> (Parser::*next)());

  [[nodiscard]] const Token& token(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return at < tokens_.size() ? tokens_[at] : tokens_.back();
  }
  [[nodiscard]] bool at_end() const { return token().kind == TokenKind::end; }
  [[nodiscard]] bool at_word(std::string_view lower, std::size_t ahead = 0) const {
    return token(ahead).kind == TokenKind::word && same_word(token(ahead).text, lower);
  }
  [[nodiscard]] bool at_symbol(std::string_view symbol, std::size_t ahead = 0) const {
    return token(ahead).kind == TokenKind::symbol && token(ahead).text == symbol;
  }
  [[nodiscard]] bool at_name() const;
  bool take_word(std::string_view lower) { return at_word(lower) && advance(); }
  bool take_symbol(std::string_view symbol) { return at_symbol(symbol) && advance(); }
  bool advance() {
    if (!at_end()) ++at_;
    return true;
  }
  [[nodiscard]] Expr begin(ExprKind kind) const;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::uint32_t parameters_ = 0;
};

// Words that are no names unless they stand in quotes, and those among them that are not functions either.
[[nodiscard]] bool is_keyword(std::string_view word) noexcept;
[[nodiscard]] bool is_clause_word(std::string_view word) noexcept;

}  // namespace stator::partiql
