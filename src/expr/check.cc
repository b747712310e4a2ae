#include <fmt/core.h>

#include <algorithm>

#include "expr/parser.h"
#include "expr/reserved_words.h"

// The checks that need a tree but no placeholders. Each is a walk of its own over the whole tree,
// because the service reports a later problem of an earlier kind first.
namespace stator::expr {
namespace {

enum class Place : std::uint8_t { condition, operand, assignment };

bool is_update_function(Function function) {
  return function == Function::if_not_exists || function == Function::list_append;
}

bool is_logical(NodeKind kind) {
  return kind == NodeKind::logical_and || kind == NodeKind::logical_or ||
         kind == NodeKind::logical_not;
}

template <class Visit>
std::string first_problem(const Node& node, Place place, const Visit& visit) {
  if (std::string problem = visit(node, place); !problem.empty()) return problem;
  const Place below = is_logical(node.kind) ? Place::condition : Place::operand;
  for (const Node& child : node.children) {
    if (std::string problem = first_problem(child, below, visit); !problem.empty()) return problem;
  }
  return {};
}

std::string unknown_function(const Node& node, Place) {
  if (node.kind != NodeKind::call || node.function != Function::unknown) return {};
  return fmt::format("Invalid function name; function: {}", node.text);
}

// A condition stands alone or under AND, OR, NOT; only size may be an operand. In an update,
// list_append has to be the whole value.
std::string misused_function(const Node& node, Place place, bool in_update) {
  if (node.kind != NodeKind::call) return {};
  if (in_update != is_update_function(node.function)) {
    return fmt::format("The function is not allowed in {} expression; function: {}",
                       in_update ? "an update" : "a condition", node.text);
  }
  const bool fits = in_update
                        ? place == Place::assignment || node.function == Function::if_not_exists
                        : (place == Place::operand) == (node.function == Function::size);
  if (fits) return {};
  return fmt::format(
      "The function is not allowed to be used this way in an expression; function: {}", node.text);
}

std::string bad_path_element(const PathTree& path) {
  for (const PathElement& element : path) {
    if (element.kind == PathElement::Kind::index && !element.text.empty()) {
      return fmt::format("List index is not within the allowable range; index: [{}]", element.text);
    }
    if (element.kind == PathElement::Kind::name && is_reserved_word(element.text)) {
      return fmt::format("Attribute name is a reserved keyword; reserved keyword: {}",
                         element.text);
    }
  }
  return {};
}

std::string deep_path(const PathTree& path) {
  if (path.size() <= kPathElementsMax) return {};
  return fmt::format("The document path has too many nesting levels; nesting levels: {}",
                     path.size());
}

std::size_t count_operators(const Node& node) {
  std::size_t count = 0;
  switch (node.kind) {
    case NodeKind::path:
    case NodeKind::value:
      break;
    case NodeKind::logical_and:
    case NodeKind::logical_or:
      count = node.children.size() - 1;
      break;
    default:
      count = 1;
  }
  for (const Node& child : node.children) count += count_operators(child);
  return count;
}

}  // namespace

std::string too_many_operators_problem(std::size_t count) {
  if (count <= kOperatorsMax) return {};
  // The service stops counting at the first one too many.
  return fmt::format("The expression contains too many operators; operator count: {}",
                     kOperatorsMax + 1);
}

std::string check_condition(const Node& root) {
  const auto misused = [](const Node& node, Place place) {
    return misused_function(node, place, false);
  };
  const auto element = [](const Node& node, Place) { return bad_path_element(node.path); };
  const auto depth = [](const Node& node, Place) { return deep_path(node.path); };
  std::string problem = first_problem(root, Place::condition, unknown_function);
  if (problem.empty()) problem = first_problem(root, Place::condition, misused);
  if (problem.empty()) problem = first_problem(root, Place::condition, element);
  if (problem.empty()) problem = too_many_operators_problem(count_operators(root));
  if (problem.empty()) problem = first_problem(root, Place::condition, depth);
  return problem;
}

std::string check_update(const std::vector<Action>& actions, std::span<const ActionKind> sections) {
  const auto walk = [&](const auto& on_path, const auto& on_node) -> std::string {
    for (const Action& action : actions) {
      if (std::string problem = on_path(action.path); !problem.empty()) return problem;
      for (const Node& value : action.value) {
        std::string problem = first_problem(value, Place::assignment, on_node);
        if (!problem.empty()) return problem;
      }
    }
    return {};
  };
  const auto none = [](const PathTree&) { return std::string(); };
  std::string problem =
      walk(bad_path_element, [](const Node& node, Place) { return bad_path_element(node.path); });
  if (problem.empty()) problem = walk(none, unknown_function);
  if (problem.empty()) {
    problem = walk(
        none, [](const Node& node, Place place) { return misused_function(node, place, true); });
  }
  for (std::size_t i = 0; problem.empty() && i < sections.size(); ++i) {
    if (std::find(sections.begin(), sections.begin() + static_cast<std::ptrdiff_t>(i),
                  sections[i]) != sections.begin() + static_cast<std::ptrdiff_t>(i)) {
      problem = fmt::format("The \"{}\" section can only be used once in an update expression;",
                            section_text(sections[i]));
    }
  }
  std::size_t operators = 0;
  for (const Action& action : actions) {
    for (const Node& value : action.value) operators += count_operators(value);
  }
  if (problem.empty()) problem = too_many_operators_problem(operators);
  if (problem.empty()) {
    problem = walk(deep_path, [](const Node& node, Place) { return deep_path(node.path); });
  }
  return problem;
}

std::string check_projection(const std::vector<PathTree>& paths) {
  for (const auto check : {bad_path_element, deep_path}) {
    for (const PathTree& path : paths) {
      if (std::string problem = check(path); !problem.empty()) return problem;
    }
  }
  return {};
}

}  // namespace stator::expr
