#include "expr/print.h"

#include <fmt/core.h>

namespace stator::expr {
namespace {

void append_path(std::string& out, const PathTree& path) {
  bool first = true;
  for (const PathElement& element : path) {
    if (element.kind == PathElement::Kind::index) {
      out += fmt::format("[{}]", element.index);
    } else {
      if (!first) out += '.';
      out += element.text;
    }
    first = false;
  }
}

void append_node(std::string& out, const Node& node);

void append_joined(std::string& out, const Node& node, std::size_t from,
                   std::string_view separator) {
  for (std::size_t i = from; i < node.children.size(); ++i) {
    if (i != from) out += separator;
    append_node(out, node.children[i]);
  }
}

// AND, OR and NOT bind tighter in this order: NOT, AND, OR. A chain inside a chain of its own kind
// was written in parentheses, or it would have been one chain.
void append_logical(std::string& out, const Node& node) {
  const auto level = [](NodeKind kind) {
    return kind == NodeKind::logical_or ? 0 : kind == NodeKind::logical_and ? 1 : 2;
  };
  if (node.kind == NodeKind::logical_not) out += "NOT ";
  const int own = level(node.kind);
  bool first = true;
  for (const Node& child : node.children) {
    if (!first) out += node.kind == NodeKind::logical_or ? " OR " : " AND ";
    first = false;
    const bool parentheses = own == 2 ? level(child.kind) < 2 : level(child.kind) <= own;
    if (parentheses) out += '(';
    append_node(out, child);
    if (parentheses) out += ')';
  }
}

void append_node(std::string& out, const Node& node) {
  switch (node.kind) {
    case NodeKind::path:
      append_path(out, node.path);
      return;
    case NodeKind::value:
      out += node.text;
      return;
    case NodeKind::call:
      out += node.text;
      out += '(';
      append_joined(out, node, 0, ", ");
      out += ')';
      return;
    case NodeKind::comparison:
      append_joined(out, node, 0, fmt::format(" {} ", comparator_text(node.comparator)));
      return;
    case NodeKind::between:
      append_node(out, node.children[0]);
      out += " BETWEEN ";
      append_joined(out, node, 1, " AND ");
      return;
    case NodeKind::in:
      append_node(out, node.children[0]);
      out += " IN (";
      append_joined(out, node, 1, ", ");
      out += ')';
      return;
    case NodeKind::plus:
      append_joined(out, node, 0, " + ");
      return;
    case NodeKind::minus:
      append_joined(out, node, 0, " - ");
      return;
    case NodeKind::logical_and:
    case NodeKind::logical_or:
    case NodeKind::logical_not:
      append_logical(out, node);
      return;
  }
}

}  // namespace

std::string print(const Node& condition) {
  std::string out;
  append_node(out, condition);
  return out;
}

std::string print(const std::vector<Action>& update) {
  std::string out;
  for (std::size_t i = 0; i < update.size(); ++i) {
    const Action& action = update[i];
    const bool same_section = i > 0 && update[i - 1].kind == action.kind;
    if (i > 0) out += same_section ? "," : "";
    if (i > 0) out += ' ';
    if (!same_section) out += fmt::format("{} ", section_text(action.kind));
    append_path(out, action.path);
    if (action.value.empty()) continue;
    out += action.kind == ActionKind::set ? " = " : " ";
    append_node(out, action.value.front());
  }
  return out;
}

std::string print(const std::vector<PathTree>& projection) {
  std::string out;
  for (const PathTree& path : projection) {
    if (!out.empty()) out += ", ";
    append_path(out, path);
  }
  return out;
}

}  // namespace stator::expr
