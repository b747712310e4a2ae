#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "expr/bound.h"
#include "expr/condition_index.h"
#include "expr/expression.h"
#include "item/attribute_finder.h"

namespace stator::expr {
namespace {

// A string's size is its length in UTF-16: two for a character beyond the basic plane.
std::size_t utf16_length(std::string_view utf8) noexcept {
  std::size_t length = 0;
  for (const char byte : utf8) {
    const auto unit = static_cast<unsigned char>(byte);
    length +=
        static_cast<std::size_t>((unit & 0xc0) != 0x80) + static_cast<std::size_t>(unit >= 0xf0);
  }
  return length;
}

std::optional<std::size_t> size_of(const item::Value& value) noexcept {
  switch (value.type()) {
    case item::Type::string:
      return utf16_length(value.text());
    case item::Type::binary:
      return value.text().size();
    case item::Type::map:
      return value.attributes().size();
    case item::Type::number:
    case item::Type::boolean:
    case item::Type::null:
      return std::nullopt;
    default:
      return value.elements().size();
  }
}

bool begins_with(const item::Value& value, const item::Value& prefix) noexcept {
  const bool text = value.is(item::Type::string) || value.is(item::Type::binary);
  return text && value.type() == prefix.type() && value.text().starts_with(prefix.text());
}

// Whatever both look like: the C library's search is linear for long parts, and looks at 256 bytes at a time at most for short ones.
bool has_part(std::string_view text, std::string_view part) noexcept {
  return part.empty() || ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

// Part of a string or binary, member of a set, element of a list.
bool contains(const item::Value& value, const item::Value& part) noexcept {
  switch (value.type()) {
    case item::Type::string:
    case item::Type::binary:
      return part.type() == value.type() && has_part(value.text(), part.text());
    case item::Type::list:
    case item::Type::string_set:
    case item::Type::number_set:
    case item::Type::binary_set:
      return std::any_of(value.elements().begin(), value.elements().end(),
                         [&](const item::Value& element) { return item::equal(element, part); });
    default:
      return false;
  }
}

bool in_order(ConditionKind kind, int order) noexcept {
  switch (kind) {
    case ConditionKind::less:
      return order < 0;
    case ConditionKind::less_or_equal:
      return order <= 0;
    case ConditionKind::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

// From so many paths on, an attribute may be compared so often that it is worth having it in order.
constexpr std::size_t kManyPaths = 8;

class Evaluator {
 public:
  // `paths`: how many the condition has.
  Evaluator(const item::StoredItem* item, std::size_t paths, base::Arena& arena)
      : item_(item, paths, arena,
              paths < kManyPaths ? item::AttributeFinder::Form::stored : item::AttributeFinder::Form::sorted),
        arena_(arena) {}

  [[nodiscard]] bool matches(const BoundNode& node) const;
  // The same of a long condition on the item, which may be null.
  [[nodiscard]] bool matches(const ConditionIndex& index, const item::StoredItem* item) const;

 private:
  [[nodiscard]] std::optional<item::Value> value_of(const BoundOperand& operand) const;
  [[nodiscard]] bool exists(Path path) const;
  [[nodiscard]] bool matches_leaf(const BoundNode& node) const;

  item::AttributeFinder item_;
  base::Arena& arena_;
};

std::optional<item::Value> Evaluator::value_of(const BoundOperand& operand) const {
  if (operand.kind == OperandKind::value) return operand.value;
  if (operand.kind == OperandKind::size) {
    const auto inner = value_of(*operand.inner);
    const auto size = inner ? size_of(*inner) : std::nullopt;
    if (!size) return std::nullopt;
    const std::span<char> digits = arena_.array<char>(20);
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), *size).ptr;
    return item::Value::number({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  const auto top = item_.find(operand.path.front().name);
  if (!top || operand.path.size() == 1) return top;
  const item::Value* found = descend(&*top, operand.path);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

bool Evaluator::exists(Path path) const {
  if (path.size() == 1) return item_.find_text(path.front().name).has_value();  // without decoding
  const auto top = item_.find(path.front().name);
  return top && descend(&*top, path) != nullptr;
}

bool Evaluator::matches(const BoundNode& node) const {
  const auto holds = [this](const BoundNode& child) { return matches(child); };
  switch (node.kind) {
    case ConditionKind::all:
      return std::all_of(node.children.begin(), node.children.end(), holds);
    case ConditionKind::any:
      return std::any_of(node.children.begin(), node.children.end(), holds);
    case ConditionKind::negation:
      return !matches(node.children.front());
    case ConditionKind::choice:
      return matches(node.children[matches(node.children[0]) ? 1 : 2]);
    case ConditionKind::agreement:
      return matches(node.children[0]) == matches(node.children[1]);
    case ConditionKind::attribute_exists:
      return exists(node.operands.front().path);
    case ConditionKind::attribute_not_exists:
      return !exists(node.operands.front().path);
    default:
      return matches_leaf(node);
  }
}

// A missing operand never matches, with one exception: it is not equal to anything, another missing
// one included.
bool Evaluator::matches_leaf(const BoundNode& node) const {
  const auto first = value_of(node.operands[0]);
  if (!first) return node.kind == ConditionKind::not_equal;
  if (node.kind == ConditionKind::attribute_type) return first->is(node.type);
  if (node.kind == ConditionKind::in) {
    const auto list = node.operands.subspan(1);
    if (node.is_sorted) {
      return first->is(list.front().value.type()) &&
             std::ranges::binary_search(list, first->text(), {},
                                        [](const BoundOperand& operand) { return operand.value.text(); });
    }
    return std::any_of(list.begin(), list.end(), [&](const BoundOperand& operand) {
      const auto candidate = value_of(operand);
      return candidate && item::equal(*first, *candidate);
    });
  }
  const auto second = value_of(node.operands[1]);
  if (!second) return node.kind == ConditionKind::not_equal;
  switch (node.kind) {
    case ConditionKind::equal:
      return item::equal(*first, *second);
    case ConditionKind::not_equal:
      return !item::equal(*first, *second);
    case ConditionKind::begins_with:
      return begins_with(*first, *second);
    case ConditionKind::contains:
      return contains(*first, *second);
    case ConditionKind::between: {
      const auto third = value_of(node.operands[2]);
      const auto low = item::compare(*first, *second);
      const auto high = third ? item::compare(*first, *third) : std::nullopt;
      return low && high && *low >= 0 && *high <= 0;
    }
    default: {
      const auto order = item::compare(*first, *second);
      return order && in_order(node.kind, *order);
    }
  }
}

bool Evaluator::matches(const ConditionIndex& index, const item::StoredItem* item) const {
  std::size_t absent = index.decisive_when_absent;  // of those that would settle it without their attributes
  bool settled = false;
  if (item != nullptr) {
    item->for_each([&](std::string_view escaped_name, std::string_view) {
      if (settled) return;
      const auto of_name = std::ranges::equal_range(index.entries, item::unescape(escaped_name, arena_), {},
                                                    &ConditionIndex::Entry::name);
      for (const ConditionIndex::Entry& entry : of_name) {
        settled = settled || matches(*entry.child) == index.decisive;
        if (entry.when_absent == index.decisive) --absent;
      }
    });
  }
  return settled || absent > 0 ? index.decisive : !index.decisive;
}

}  // namespace

bool matches_no_item(const BoundNode& condition, base::Arena& arena) {
  return Evaluator(nullptr, 0, arena).matches(condition);
}

bool Condition::matches(const item::StoredItem* item, base::Arena& arena) const {
  const Evaluator evaluator(item, path_count_, arena);
  return index_ != nullptr ? evaluator.matches(*index_, item) : evaluator.matches(*root_);
}

}  // namespace stator::expr
