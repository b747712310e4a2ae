#include "json_layout.h"

#include <vector>

namespace stator::scripts {
namespace {

constexpr std::size_t kWidthMax = 100;

// Where the string that begins at `at` ends: behind its closing quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

// The members of an object or the elements of an array, without their commas.
std::vector<std::string_view> split_members(std::string_view container) {
  std::vector<std::string_view> members;
  int depth = 0;
  std::size_t start = 1;
  for (std::size_t i = 0; i < container.size(); ++i) {
    const char c = container[i];
    if (c == '"') {
      i = end_of_string(container, i) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
    const bool ends = (c == ',' && depth == 1) || (depth == 0 && i + 1 == container.size());
    if (!ends) continue;
    if (i > start) members.push_back(container.substr(start, i - start));
    start = i + 1;
  }
  return members;
}

void lay_out(std::string& out, std::string_view json, std::size_t indent, std::size_t column) {
  const bool is_container = json.starts_with('{') || json.starts_with('[');
  if (!is_container || column + json.size() <= kWidthMax) {
    out += json;
    return;
  }
  out += json.front();
  const std::vector<std::string_view> members = split_members(json);
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::string_view value = members[i];
    out += '\n';
    out.append(indent + 2, ' ');
    std::size_t name_bytes = 0;
    if (json.front() == '{') {
      name_bytes = end_of_string(value, 0) + 1;  // with its colon
      out += value.substr(0, name_bytes);
      value.remove_prefix(name_bytes);
    }
    lay_out(out, value, indent + 2, indent + 2 + name_bytes);
    if (i + 1 < members.size()) out += ',';
  }
  out += '\n';
  out.append(indent, ' ');
  out += json.back();
}

}  // namespace

std::string compact_json(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t end = end_of_string(json, i);
      out += json.substr(i, end - i);
      i = end;
    } else {
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') out += c;
      ++i;
    }
  }
  return out;
}

std::string lay_out_json(std::string_view compact) {
  std::string out;
  lay_out(out, compact, 0, 0);
  return out;
}

}  // namespace stator::scripts
