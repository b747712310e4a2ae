#include "script.h"

#include <fmt/format.h>

#include "json_layout.h"

namespace stator::scripts {
namespace {

constexpr std::string_view kSeparator = "----";
constexpr std::string_view kAnySuccess = "ok\n";

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] std::string_view peek() const { return text_.substr(0, text_.find('\n')); }
  std::string_view take() {
    const std::string_view line = peek();
    text_.remove_prefix(std::min(line.size() + 1, text_.size()));
    ++number_;
    return line;
  }
  [[nodiscard]] int number() const { return number_; }  // of the last line taken

 private:
  std::string_view text_;
  int number_ = 0;
};

// Takes lines, with their ends, as long as `wanted` holds for the next one.
template <class Wanted>
std::string take_while(Lines& lines, Wanted wanted) {
  std::string text;
  while (!lines.at_end() && wanted(lines.peek())) text.append(lines.take()).push_back('\n');
  return text;
}

// The string member of a flat position in compact JSON; enough for the errors that we write.
std::string_view string_member(std::string_view json, std::string_view name) {
  const std::string start = fmt::format("\"{}\":\"", name);
  const std::size_t at = json.find(start);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + start.size();
  std::size_t to = from;
  while (to < json.size() && json[to] != '"') to += json[to] == '\\' ? 2 : 1;
  return json.substr(from, to - from);
}

}  // namespace

Result<Script> parse_script(std::string_view text) {
  Lines lines(text);
  Script script;
  for (;;) {
    Case next;
    next.before = take_while(
        lines, [](std::string_view line) { return line.empty() || line.starts_with('#'); });
    if (lines.at_end()) {
      script.after = next.before;
      return script;
    }
    next.operation = lines.take();
    next.line = lines.number();
    next.request = take_while(lines, [](std::string_view line) { return line != kSeparator; });
    if (lines.at_end()) {
      return invalid(fmt::format("line {}: {} has no {}", next.line, next.operation, kSeparator));
    }
    lines.take();
    next.expected = take_while(lines, [](std::string_view line) { return !line.empty(); });
    script.cases.push_back(std::move(next));
  }
}

std::string format_script(const Script& script) {
  std::string text;
  for (const Case& test : script.cases) {
    text += fmt::format("{}{}\n{}{}\n{}", test.before, test.operation, test.request, kSeparator,
                        test.expected);
  }
  return text + script.after;
}

std::string show_answer(const api::testing::Answer& answer) {
  const std::string body = api::testing::without_table_ids(answer.body);
  if (answer.status == 200) return lay_out_json(body) + "\n";
  std::string_view type = string_member(body, "__type");
  type.remove_prefix(type.find('#') + 1);
  std::string_view message = string_member(body, "message");
  if (message.empty()) message = string_member(body, "Message");
  std::string text(type);
  if (!message.empty()) text += fmt::format(": {}", message);
  // What an error carries besides its text is shown below it.
  for (const std::string_view name : {"Item", "CancellationReasons"}) {
    const std::size_t at = body.find(fmt::format(",\"{}\":", name));
    if (at != std::string::npos) text += "\n" + lay_out_json("{" + body.substr(at + 1));
  }
  return text + "\n";
}

bool fits_expected(const api::testing::Answer& answer, std::string_view expected) {
  if (expected == kAnySuccess) return answer.status == 200;
  return show_answer(answer) == normalize_expected(expected);
}

std::string normalize_expected(std::string_view expected) {
  if (!expected.starts_with('{')) return std::string(expected);
  return lay_out_json(compact_json(expected)) + "\n";
}

}  // namespace stator::scripts
