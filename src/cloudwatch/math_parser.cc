#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "cloudwatch/errors.h"
#include "cloudwatch/math.h"

namespace stator::cloudwatch {
namespace {

constexpr int kMathDepthMax = 40;

// Operators by how tightly they bind, loosest first. Longer ones come before their beginnings.
constexpr std::array<std::array<std::string_view, 6>, 6> kLevels = {{
    {"||", "OR"},
    {"&&", "AND"},
    {"==", "!=", "<=", ">=", "<", ">"},
    {"+", "-"},
    {"*", "/"},
    {"^"},
}};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<MathNode> whole() {
    TRY(MathNode node, level(0, 0));
    skip_space();
    if (at_ != text_.size()) return unexpected();
    return node;
  }

 private:
  tl::unexpected<Error> unexpected() const {
    if (at_ >= text_.size()) return invalid("Unexpected end of expression");
    return invalid(fmt::format("Unexpected character '{}' at position {}", text_[at_], at_));
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    const bool is_word = std::isalpha(static_cast<unsigned char>(token[0])) != 0;
    if (is_word && end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])) != 0) return false;
    at_ = end;
    return true;
  }
  std::optional<std::string_view> take_operator(std::size_t level) {
    for (const std::string_view token : kLevels[level]) {
      if (!token.empty() && take(token)) return token == "OR" ? "||" : token == "AND" ? "&&" : token;
    }
    return std::nullopt;
  }
  Result<MathNode> level(std::size_t index, int depth) {
    if (depth > kMathDepthMax) return invalid("The expression is nested too deeply");
    if (index == kLevels.size()) return unary(depth);
    TRY(MathNode left, level(index + 1, depth));
    while (const auto token = take_operator(index)) {
      TRY(MathNode right, level(index + 1, depth));
      MathNode node{.kind = MathNode::Kind::operation, .text = std::string(*token)};
      node.children.push_back(std::move(left));
      node.children.push_back(std::move(right));
      left = std::move(node);
      if (++operators_ > kOperatorsMax) return invalid("The expression is too long");
    }
    return left;
  }
  Result<MathNode> unary(int depth) {
    if (depth > kMathDepthMax) return invalid("The expression is nested too deeply");
    if (!take("-")) return primary(depth);
    MathNode node{.kind = MathNode::Kind::operation, .text = "-"};
    node.children.push_back({.kind = MathNode::Kind::number, .number = 0});
    TRY(MathNode right, unary(depth + 1));
    node.children.push_back(std::move(right));
    return node;
  }
  Result<MathNode> primary(int depth) {
    skip_space();
    if (at_ >= text_.size()) return unexpected();
    const char c = text_[at_];
    if (take("(")) {
      TRY(MathNode node, level(0, depth + 1));
      if (!take(")")) return unexpected();
      return node;
    }
    if (take("[")) return list(MathNode{.kind = MathNode::Kind::array}, "]", depth);
    if (c == '"' || c == '\'') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return word(depth);
    return unexpected();
  }
  Result<MathNode> list(MathNode node, std::string_view end, int depth) {
    if (take(end)) return node;
    for (;;) {
      TRY(MathNode element, level(0, depth + 1));
      node.children.push_back(std::move(element));
      if (take(end)) return node;
      if (!take(",")) return unexpected();
    }
  }
  Result<MathNode> quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return invalid("A string in the expression has no end");
    MathNode node{.kind = MathNode::Kind::text, .text = std::string(text_.substr(at_ + 1, end - at_ - 1))};
    at_ = end + 1;
    return node;
  }
  Result<MathNode> number() {
    MathNode node{.kind = MathNode::Kind::number};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
    if (error != std::errc()) return unexpected();
    at_ = static_cast<std::size_t>(end - text_.data());
    return node;
  }
  Result<MathNode> word(int depth) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    if (!take("(")) return MathNode{.kind = MathNode::Kind::name, .text = std::move(name)};
    for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return list(MathNode{.kind = MathNode::Kind::call, .text = std::move(name)}, ")", depth);
  }

  // Trees grow to the left with every operator: their depth is bounded, too.
  static constexpr int kOperatorsMax = 500;
  std::string_view text_;
  std::size_t at_ = 0;
  int operators_ = 0;
};

}  // namespace

Result<MathNode> parse_math(std::string_view text) { return Parser(text).whole(); }

}  // namespace stator::cloudwatch
