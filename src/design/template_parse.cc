#include <fmt/format.h>

#include <charconv>

#include "design/template.h"

namespace stator::design {
namespace {

constexpr int kShardsMax = 10'000;
constexpr int kWidthMax = 64;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '*';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Part>> parse() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == c;
      if ((c == '{' || c == '}') && doubled) {
        literal_ += c;
        at_ += 2;
      } else if (c == '{') {
        ++at_;
        TRY_VOID(part());
      } else if (c == '}') {
        return wrong("a lone \"}\"; write \"}}\" for a brace of the text");
      } else {
        literal_ += c;
        ++at_;
      }
    }
    end_literal();
    return std::move(parts_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view what) const {
    return invalid(fmt::format("at character {}: {}", at_ + 1, what));
  }

  void end_literal() {
    if (literal_.empty()) return;
    parts_.push_back(Part{PartKind::literal, std::move(literal_), {}, {}, 0});
    literal_.clear();
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string word() {
    skip_spaces();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    std::string found(text_.substr(start, at_ - start));
    skip_spaces();
    return found;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Result<void> part() {
    end_literal();
    Part part;
    part.kind = PartKind::field;
    part.text = word();
    if (part.text.empty()) return wrong("expected the name of a field after \"{\"");
    if (part.text == "shard" && take('(')) {
      TRY_VOID(shard(part));
    } else if (take(':')) {
      TRY_VOID(format(part.format));
    }
    if (!take('}')) return wrong("expected \"}\"");
    parts_.push_back(std::move(part));
    return {};
  }

  Result<void> shard(Part& part) {
    for (const Part& other : parts_) {
      if (other.kind == PartKind::shard) return wrong("a second shard; a key has one at most");
    }
    part.kind = PartKind::shard;
    part.text = word();
    part.shard_kind = part.text == "*"        ? ShardKind::every
                      : part.text == "random" ? ShardKind::random
                                              : ShardKind::calculated;
    if (part.text.empty()) return wrong("expected a field, \"random\" or \"*\" after \"shard(\"");
    if (!take(',')) return wrong("expected \",\" and the number of shards, as in shard(orderId, 10)");
    const std::string count = word();
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), part.shard_count);
    if (error != std::errc() || end != count.data() + count.size() || part.shard_count < 1 ||
        part.shard_count > kShardsMax) {
      return wrong(fmt::format("expected a number of shards from 1 to {}", kShardsMax));
    }
    if (!take(')')) return wrong("expected \")\"");
    if (part.shard_kind != ShardKind::calculated) part.text.clear();
    return {};
  }

  Result<void> format(Format& format) {
    const std::string text = word();
    constexpr std::pair<std::string_view, TimeUnit> kUnits[] = {
        {"year", TimeUnit::year}, {"month", TimeUnit::month},   {"day", TimeUnit::day},
        {"hour", TimeUnit::hour}, {"minute", TimeUnit::minute}, {"second", TimeUnit::second}};
    for (const auto& [name, unit] : kUnits) {
      if (text != name) continue;
      format.kind = FormatKind::time;
      format.unit = unit;
      return {};
    }
    if (text == "upper" || text == "lower") {
      format.kind = text == "upper" ? FormatKind::upper : FormatKind::lower;
      return {};
    }
    return number(text, format);
  }

  Result<void> number(std::string_view text, Format& format) {
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, format.width);
    bool good = width.ec == std::errc() && format.width >= 1 && format.width <= kWidthMax;
    const char* rest = width.ptr;
    if (good && rest != end && *rest == '.') {
      const auto decimals = std::from_chars(rest + 1, end, format.decimals);
      good = decimals.ec == std::errc() && format.decimals >= 1 && format.decimals + 1 < format.width;
      rest = decimals.ptr;
    }
    if (!good || rest != end) {
      return wrong(
          fmt::format("\"{}\" is no format: expected a width such as 08 or 06.2, one of year, month, day, hour, "
                      "minute, second, or upper, lower",
                      text));
    }
    format.kind = FormatKind::number;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string literal_;
  std::vector<Part> parts_;
};

}  // namespace

Result<Template> Template::parse(std::string_view text, Position position) {
  Template made;
  TRY(made.parts_, Parser(text).parse());
  made.text_ = text;
  made.position_ = position;
  return made;
}

}  // namespace stator::design
