#include "design/workbench/key_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace stator::design {

namespace {

std::vector<std::string> split(const std::string& text, char delimiter) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(delimiter, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return parts;
    start = end + 1;
  }
}

bool is_same(const Column& column) {
  return std::all_of(column.begin(), column.end(), [&](const std::string& value) { return value == column.front(); });
}

// A word of capitals is a label even where there is one item only.
bool is_label(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isupper(c) != 0 || c == '_'; });
}

bool matches(const std::string& text,
             std::string_view pattern) {  // 9: a digit, h: a hexadecimal one, others themselves
  if (text.size() < pattern.size()) return false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool fits = pattern[at] == '9'   ? std::isdigit(c) != 0
                      : pattern[at] == 'h' ? std::isxdigit(c) != 0
                                           : text[at] == pattern[at];
    if (!fits) return false;
  }
  return true;
}

// customer of CUSTOMER, orderItem of ORDER_ITEM.
std::string lower_camel(const std::string& label) {
  std::string out;
  bool upper = false;
  for (const char c : label) {
    const auto sign = static_cast<unsigned char>(c);
    if (std::isalnum(sign) == 0) {
      upper = !out.empty();
      continue;
    }
    out += static_cast<char>(upper ? std::toupper(sign) : std::tolower(sign));
    upper = false;
  }
  return out;
}

std::string suffix_for(ValueFormat format) {
  switch (format) {
    case ValueFormat::date:
      return "Date";
    case ValueFormat::datetime:
      return "Time";
    case ValueFormat::number:
      return "Number";
    default:
      return "Id";
  }
}

std::string braces_doubled(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '{' ? "{{" : c == '}' ? "}}" : std::string(1, c);
  return out;
}

}  // namespace

char guess_delimiter(const std::vector<std::string>& texts) {
  char best = '#';
  std::size_t most = 0;
  for (const char candidate : {'#', '|', ':', '/'}) {
    const auto uses = static_cast<std::size_t>(std::count_if(texts.begin(), texts.end(), [&](const std::string& text) {
      return text.find(candidate) != std::string::npos;
    }));
    if (uses > most) {
      best = candidate;
      most = uses;
    }
  }
  return best;
}

ValueFormat guess_format(const Column& values) {
  const auto all = [&](const auto& test) { return !values.empty() && std::all_of(values.begin(), values.end(), test); };
  if (all([](const std::string& v) { return v.size() == 36 && matches(v, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"); }))
    return ValueFormat::uuid;
  if (all([](const std::string& v) { return matches(v, "9999-99-99T99:99"); })) return ValueFormat::datetime;
  if (all([](const std::string& v) { return v.size() == 10 && matches(v, "9999-99-99"); })) return ValueFormat::date;
  if (all([](const std::string& v) { return v.find('@') != std::string::npos; })) return ValueFormat::email;
  const bool ulid = all([](const std::string& v) {
    return v.size() == 26 && std::all_of(v.begin(), v.end(),
                                         [](unsigned char c) { return std::isdigit(c) != 0 || std::isupper(c) != 0; });
  });
  if (ulid) return ValueFormat::ulid;
  if (all([](const std::string& v) { return v.find(' ') == std::string::npos && v.size() <= 40; }))
    return ValueFormat::id;
  return ValueFormat::text;
}

KeyGuess guess_template(const std::string& key_attribute, const Column& texts, char delimiter,
                        const std::map<std::string, Column>& known) {
  KeyGuess guess;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& text : texts) rows.push_back(split(text, delimiter));
  std::size_t parts = rows.front().size();
  for (const auto& row : rows) parts = std::min(parts, row.size());
  const bool even = std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() == parts; });
  std::string label;  // the last literal component, for naming
  for (std::size_t at = 0; at < parts; ++at) {
    const bool rest = !even && at + 1 == parts;  // what has different numbers of components is one path
    Column column;
    for (const auto& row : rows) {
      std::string value = row[at];
      if (rest)
        for (std::size_t next = at + 1; next < row.size(); ++next) value += delimiter + row[next];
      column.push_back(std::move(value));
    }
    if (at > 0) guess.text += delimiter;
    const bool constant = is_same(column) && (texts.size() > 1 || is_label(column.front()));
    // A field that is known wins over a literal: one customer's orders all have the same customer.
    std::string name;
    for (const auto& [candidate, values] : known)
      if (values == column && !(constant && is_label(column.front()))) name = candidate;
    if (name.empty() && constant) {
      guess.text += braces_doubled(column.front());
      label = column.front();
      continue;
    }
    if (name.empty()) {
      const std::string base = lower_camel(label.empty() ? key_attribute : label);
      name = rest ? base + "Path" : base + suffix_for(guess_format(column));
      std::string unique_name = name;
      for (int number = 2; known.contains(unique_name) || guess.new_fields.contains(unique_name); ++number) {
        unique_name = fmt::format("{}{}", name, number);
      }
      name = unique_name;
      guess.new_fields[name] = column;
    }
    guess.text += "{" + name + "}";
  }
  return guess;
}

}  // namespace stator::design
