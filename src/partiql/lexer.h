#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"

namespace stator::partiql {

enum class TokenKind : std::uint8_t {
  end,
  word,    // an identifier or keyword as written
  quoted,  // "name", without the quotes
  string,  // 'text', without the quotes
  number,
  symbol,  // punctuation and operators, one to two characters
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t position = 0;
  std::uint32_t length = 0;  // in the statement, quotes included
};

// The tokens of a statement with an `end` behind them. Texts are views into `text` or, where quotes were doubled, into the
// arena. A literal or comment that cannot be read makes the whole statement unreadable.
[[nodiscard]] Result<std::vector<Token>> tokenize(std::string_view text, base::Arena& arena);

// The service's text about a statement that is none; `problem` may be empty.
[[nodiscard]] tl::unexpected<Error> not_well_formed(std::string_view problem);

// "1:15:3": line, column and length of a part of the statement.
[[nodiscard]] std::string place_text(std::string_view statement, std::uint32_t position, std::uint32_t length);

// Equal but for the case of ASCII letters; `lower` is in small letters.
[[nodiscard]] bool same_word(std::string_view word, std::string_view lower) noexcept;

}  // namespace stator::partiql
