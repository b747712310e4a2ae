#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stator::expr {

enum class TokenKind : std::uint8_t {
  identifier,
  name_placeholder,   // #n
  value_placeholder,  // :v
  index,              // digits
  symbol,             // one of = <> < <= > >= ( ) [ ] , . + -
  unknown,            // a character that no token starts with
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;    // "<EOF>" at the end
  std::uint32_t begin = 0;  // byte positions in the expression
  std::uint32_t end = 0;
};

// Never fails: what is no token becomes an unknown one, for the parser to complain about. The last
// token is `end`.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

// Letters, digits and '_': what a placeholder consists of behind its first character.
[[nodiscard]] bool is_word_character(char character) noexcept;
// Without regard to case; `upper` is in capitals.
[[nodiscard]] bool equals_ignoring_case(std::string_view text, std::string_view upper) noexcept;

}  // namespace stator::expr
