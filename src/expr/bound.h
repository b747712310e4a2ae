#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "expr/expression.h"
#include "item/value.h"

// Bound expressions: what evaluation works on. All of it lives in the request's arena and can be
// made from a syntax tree or by hand; nothing here has ever seen a text or a placeholder.
namespace stator::expr {

enum class OperandKind : std::uint8_t { path, value, size };

struct BoundOperand {
  OperandKind kind = OperandKind::value;
  Path path;
  item::Value value;
  const BoundOperand* inner = nullptr;  // of size
};

enum class ConditionKind : std::uint8_t {
  all,       // of the children
  any,       // of the children
  negation,  // of the only child
  choice,    // children: a condition, what must hold if it does, what must hold otherwise
  agreement,  // both children hold, or neither does
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  between,  // operands: the value, low, high
  in,       // operands: the value, then the list
  attribute_exists,
  attribute_not_exists,
  attribute_type,  // one operand; `type`
  begins_with,
  contains,
};

struct BoundNode {
  ConditionKind kind = ConditionKind::all;
  item::Type type = item::Type::null;
  std::span<const BoundNode> children;
  std::span<const BoundOperand> operands;
  // Of `in`: the list is strings, numbers or binaries of one type, in the order of their texts.
  bool is_sorted = false;
};

enum class ValueKind : std::uint8_t { path, value, plus, minus, if_not_exists, list_append };

struct BoundValue {
  ValueKind kind = ValueKind::value;
  Path path;  // of path and if_not_exists
  item::Value value;
  std::span<const BoundValue> operands;  // two; one for if_not_exists: what to take otherwise
};

enum class UpdateKind : std::uint8_t { set, remove, add, erase };

struct BoundAction {
  UpdateKind kind = UpdateKind::set;
  Path path;
  // Of add and erase always a literal. ADD of a list appends to a list: only AttributeUpdates can
  // ask for it.
  BoundValue value;
};

// AttributeUpdates words it differently when an attribute has another type than the action needs.
enum class MismatchText : std::uint8_t { expression, attribute_updates };

struct BoundUpdate {
  std::span<const BoundAction> actions;  // no path is the start of another
  MismatchText mismatch = MismatchText::expression;
};

template <class T>
[[nodiscard]] std::span<T> make_array(base::Arena& arena, std::size_t count) {
  const std::span<T> array = arena.array<T>(count);
  std::uninitialized_value_construct(array.begin(), array.end());
  return array;
}

// "[a, [1], b]", as error texts show a path.
[[nodiscard]] std::string path_text(Path path);
[[nodiscard]] bool same_path(Path a, Path b) noexcept;
// The message about the first two paths of which one contains the other, or which use one value as
// a list and as a map; empty if there are none.
[[nodiscard]] std::string overlap_problem(std::span<const Path> paths);
// The value at steps 1 and up of the path, below the top-level value; null where there is none.
[[nodiscard]] const item::Value* descend(const item::Value* value, Path path) noexcept;
// Whether a condition holds where there is no item.
[[nodiscard]] bool matches_no_item(const BoundNode& condition, base::Arena& arena);
// The paths that a condition reads.
[[nodiscard]] std::span<const Path> paths_read(const BoundNode& root, base::Arena& arena);
// Their top-level names, without duplicates.
[[nodiscard]] std::span<const std::string_view> names_read(const BoundNode& root, base::Arena& arena);
// The first steps of the paths, without duplicates.
[[nodiscard]] std::span<const std::string_view> top_level_names(std::span<const Path> paths,
                                                                base::Arena& arena);

}  // namespace stator::expr
