#include "design/filter_text.h"

#include <algorithm>

#include "expr/lexer.h"
#include "expr/parser.h"

namespace stator::design {
namespace {

void add_once(std::vector<std::string>& list, std::string_view name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.emplace_back(name);
}

void collect(const expr::Node& node, Filter& filter) {
  if (node.kind == expr::NodeKind::path && !node.path.empty()) add_once(filter.attributes, node.path.front().text);
  if (node.kind == expr::NodeKind::value) add_once(filter.parameters, node.text.substr(1));
  for (const expr::Node& child : node.children) collect(child, filter);
}

}  // namespace

Result<Filter> read_filter_text(std::string_view text) {
  expr::Parser parser(text);
  expr::Node root;
  if (!parser.parse_condition(root)) return invalid(parser.error());
  Filter filter;
  filter.text = text;
  collect(root, filter);
  return filter;
}

std::string with_name_placeholders(const Filter& filter) {
  std::string made;
  std::size_t copied = 0;
  const std::vector<expr::Token> tokens = expr::tokenize(filter.text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const expr::Token& token = tokens[i];
    const bool inner = i > 0 && tokens[i - 1].text == ".";
    const bool call = i + 1 < tokens.size() && tokens[i + 1].text == "(" && token.text != "and" && token.text != "AND";
    if (token.kind != expr::TokenKind::identifier || inner || call) continue;
    if (std::find(filter.attributes.begin(), filter.attributes.end(), token.text) == filter.attributes.end()) continue;
    made.append(filter.text, copied, token.begin - copied);
    made += '#';
    copied = token.begin;
  }
  made.append(filter.text, copied);
  return made;
}

}  // namespace stator::design
