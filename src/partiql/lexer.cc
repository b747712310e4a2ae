#include "partiql/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stator::partiql {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool starts_word(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

constexpr std::string_view kPairs[] = {"<>", "<=", ">=", "!=", "<<", ">>", "||"};
constexpr std::string_view kSingles = "()[]{},.:;*+-/%=<>?";

class Lexer {
 public:
  Lexer(std::string_view text, base::Arena& arena) : text_(text), arena_(arena) {}

  // False where the text cannot be read.
  bool run(std::vector<Token>& tokens) {
    for (;;) {
      if (!skip_space()) return false;
      Token token;
      token.position = static_cast<std::uint32_t>(at_);
      if (at_ < text_.size() && !read(token, tokens)) return false;
      token.length = static_cast<std::uint32_t>(at_ - token.position);
      tokens.push_back(token);
      if (token.kind == TokenKind::end) return true;
    }
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] std::string_view rest() const noexcept { return text_.substr(at_); }

  bool skip_space();
  bool read(Token& token, const std::vector<Token>& before);
  bool read_quoted(Token& token, char quote);
  bool read_number(Token& token);
  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }

  std::string_view text_;
  base::Arena& arena_;
  std::size_t at_ = 0;
};

bool Lexer::skip_space() {
  while (at_ < text_.size()) {
    if (is_space(peek())) {
      ++at_;
    } else if (rest().starts_with("--")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest().starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return false;
      at_ = end + 2;
    } else {
      break;
    }
  }
  return true;
}

// A dot behind a name leads to the next part of a path; anywhere else it may begin a number.
bool follows_path(const std::vector<Token>& before) {
  if (before.empty()) return false;
  const Token& last = before.back();
  return last.kind == TokenKind::word || last.kind == TokenKind::quoted ||
         (last.kind == TokenKind::symbol && last.text == "]");
}

bool Lexer::read(Token& token, const std::vector<Token>& before) {
  const char first = peek();
  if (starts_word(first)) {
    const std::size_t start = at_;
    while (starts_word(peek()) || is_digit(peek())) ++at_;
    token.kind = TokenKind::word;
    token.text = text_.substr(start, at_ - start);
    return true;
  }
  if (first == '\'' || first == '"') {
    token.kind = first == '"' ? TokenKind::quoted : TokenKind::string;
    return read_quoted(token, first);
  }
  if (is_digit(first) || (first == '.' && is_digit(peek(1)) && !follows_path(before))) return read_number(token);
  token.kind = TokenKind::symbol;
  std::size_t length = 1;
  for (const std::string_view pair : kPairs) {
    if (rest().starts_with(pair)) length = 2;
  }
  if (length == 1 && kSingles.find(first) == std::string_view::npos) return false;
  token.text = text_.substr(at_, length);
  at_ += length;
  return true;
}

// A quote inside is written twice.
bool Lexer::read_quoted(Token& token, char quote) {
  const std::size_t start = ++at_;
  bool doubled = false;
  for (;;) {
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) return false;
    at_ = end + 1;
    if (peek() != quote) break;
    doubled = true;
    ++at_;
  }
  token.text = text_.substr(start, at_ - 1 - start);
  if (!doubled) return true;
  const std::span<char> plain = arena_.array<char>(token.text.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    plain[count++] = token.text[i];
    if (token.text[i] == quote) ++i;
  }
  token.text = {plain.data(), count};
  return true;
}

bool Lexer::read_number(Token& token) {
  const std::size_t start = at_;
  skip_digits();
  std::int64_t fraction = 0;
  if (peek() == '.') {
    const std::size_t point = at_++;
    skip_digits();
    fraction = static_cast<std::int64_t>(at_ - point) - 1;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    const bool negative = peek() == '-';
    if (peek() == '+' || peek() == '-') ++at_;
    const std::size_t digits = at_;
    skip_digits();
    std::int32_t exponent = 0;
    const std::string_view text = text_.substr(digits, at_ - digits);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    // The places behind the point, less the exponent, have to fit 32 bits too.
    if (negative && fraction + exponent > INT32_MAX) return false;
  }
  if (starts_word(peek())) return false;
  token.kind = TokenKind::number;
  token.text = text_.substr(start, at_ - start);
  return true;
}

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view text, base::Arena& arena) {
  std::vector<Token> tokens;
  if (!Lexer(text, arena).run(tokens)) return not_well_formed("");
  return tokens;
}

tl::unexpected<Error> not_well_formed(std::string_view problem) {
  return invalid(fmt::format("Statement wasn't well formed, can't be processed: {}", problem));
}

std::string place_text(std::string_view statement, std::uint32_t position, std::uint32_t length) {
  const std::string_view before = statement.substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? position + 1 : position - last;
  return fmt::format("{}:{}:{}", line, column, length);
}

bool same_word(std::string_view word, std::string_view lower) noexcept {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace stator::partiql
