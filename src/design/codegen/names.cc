#include "design/codegen/names.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace stator::design {

namespace {

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto sign = static_cast<unsigned char>(c);
    if (std::isalnum(sign) == 0) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool starts = std::isupper(sign) != 0 && !words.back().empty() &&
                        std::islower(static_cast<unsigned char>(words.back().back())) != 0;
    if (starts) words.emplace_back();
    words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string safe(std::string name) {
  static const std::set<std::string> kKeywords = {
      "class",  "def",   "from",   "import", "in",     "is",   "not",      "and",  "or",
      "for",    "if",    "else",   "return", "delete", "new",  "function", "type", "default",
      "export", "case",  "switch", "global", "lambda", "pass", "raise",    "try",  "while",
      "with",   "yield", "var",    "let",    "const",  "enum", "null",     "true", "false",
      "this",   "void",  "None",   "True",   "False"};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ||
      kKeywords.contains(name))
    return "_" + name;
  return name;
}

}  // namespace

std::string pascal_name(std::string_view name) {
  std::string out;
  for (std::string word : name_words(name)) {
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    out += word;
  }
  return safe(out);
}

std::string camel_name(std::string_view name) {
  std::string out = pascal_name(name);
  const std::vector<std::string> words = name_words(name);
  // A001 and URL are one word each: all of it goes down.
  const std::size_t head = words.empty() ? 0 : words.front().size();
  const bool capitals = std::none_of(
      out.begin(), out.begin() + static_cast<std::ptrdiff_t>(std::min(head, out.size())),
      [](unsigned char c) { return std::islower(c) != 0; });
  for (std::size_t at = 0; at < (capitals ? head : 1) && at < out.size(); ++at) {
    out[at] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[at])));
  }
  return safe(out);
}

std::string snake_name(std::string_view name) {
  std::string out;
  for (const std::string& word : name_words(name)) out += (out.empty() ? "" : "_") + lower(word);
  return safe(out);
}

std::string code_literal(std::string_view text) { return nlohmann::json(text).dump(); }

}  // namespace stator::design
