#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Syntax trees. They know nothing of a request: placeholders are kept by name. Trees are plain
// values and can be built by hand; the views in a tree point into the text of the Parsed... that
// owns it, or to what the builder keeps alive.
namespace stator::expr {

struct PathElement {
  enum class Kind : std::uint8_t { name, placeholder, index };
  Kind kind = Kind::name;
  std::string_view text;  // the name, or the placeholder with its '#'; empty for an index
  std::uint32_t index = 0;

  friend bool operator==(const PathElement&, const PathElement&) = default;
};
using PathTree = std::vector<PathElement>;

enum class NodeKind : std::uint8_t {
  path,
  value,  // a placeholder with its ':'
  call,
  comparison,
  between,  // children: operand, low, high
  in,       // children: operand, then the list
  logical_and,
  logical_or,
  logical_not,
  plus,
  minus,
};

enum class Comparator : std::uint8_t {
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal
};

enum class Function : std::uint8_t {
  attribute_exists,
  attribute_not_exists,
  attribute_type,
  begins_with,
  contains,
  size,
  if_not_exists,
  list_append,
  unknown,
};

struct Node {
  NodeKind kind = NodeKind::path;
  Comparator comparator = Comparator::equal;
  Function function = Function::unknown;
  std::string_view text;  // of a value or the name of a function
  PathTree path;
  std::vector<Node> children;

  friend bool operator==(const Node&, const Node&) = default;
};

enum class ActionKind : std::uint8_t { set, remove, add, erase };  // erase: DELETE

struct Action {
  ActionKind kind = ActionKind::set;
  PathTree path;
  std::vector<Node> value;  // none for REMOVE, one otherwise

  friend bool operator==(const Action&, const Action&) = default;
};

// `text` is what the views of the tree point into, so none of these is copied or moved once parsed.
struct ParsedCondition {
  std::string text;
  Node root;
};
struct ParsedUpdate {
  std::string text;
  std::vector<Action> actions;
};
struct ParsedProjection {
  std::string text;
  std::vector<PathTree> paths;
};

[[nodiscard]] std::string_view comparator_text(Comparator comparator) noexcept;
[[nodiscard]] std::string_view section_text(ActionKind kind) noexcept;
[[nodiscard]] Function function_from_name(std::string_view name) noexcept;

}  // namespace stator::expr
