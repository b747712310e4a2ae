#include "expr/lexer.h"

#include <cstddef>

namespace stator::expr {
namespace {

bool is_letter(char character) noexcept {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}
bool is_digit(char character) noexcept { return character >= '0' && character <= '9'; }
bool is_space(char character) noexcept {
  return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

// The end of the token that starts at `at`, and its kind.
std::size_t scan(std::string_view text, std::size_t at, TokenKind& kind) noexcept {
  const char first = text[at];
  const char second = at + 1 < text.size() ? text[at + 1] : '\0';
  std::size_t end = at + 1;
  if (is_letter(first)) {
    kind = TokenKind::identifier;
    while (end < text.size() && is_word_character(text[end])) ++end;
    return end;
  }
  if (first == '#' || first == ':') {
    while (end < text.size() && is_word_character(text[end])) ++end;
    kind = first == '#' ? TokenKind::name_placeholder : TokenKind::value_placeholder;
    if (end == at + 1) kind = TokenKind::unknown;
    return end;
  }
  if (is_digit(first)) {
    kind = TokenKind::index;  // no leading zeros: "01" is two tokens
    while (first != '0' && end < text.size() && is_digit(text[end])) ++end;
    return end;
  }
  kind = TokenKind::symbol;
  if (first == '<' && (second == '>' || second == '=')) return at + 2;
  if (first == '>' && second == '=') return at + 2;
  if (std::string_view("=<>()[],.+-").find(first) != std::string_view::npos) return end;
  kind = TokenKind::unknown;  // one character, which may be several bytes
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end;
}

}  // namespace

bool is_word_character(char character) noexcept {
  return is_letter(character) || is_digit(character) || character == '_';
}

bool equals_ignoring_case(std::string_view text, std::string_view upper) noexcept {
  if (text.size() != upper.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    const char raised =
        character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A') : character;
    if (raised != upper[i]) return false;
  }
  return true;
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    Token token;
    const std::size_t end = scan(text, at, token.kind);
    token.text = text.substr(at, end - at);
    token.begin = static_cast<std::uint32_t>(at);
    token.end = static_cast<std::uint32_t>(end);
    tokens.push_back(token);
    at = end;
  }
  const auto size = static_cast<std::uint32_t>(text.size());
  tokens.push_back({TokenKind::end, "<EOF>", size, size});
  return tokens;
}

}  // namespace stator::expr
