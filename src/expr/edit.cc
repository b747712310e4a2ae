#include "expr/edit.h"

#include <algorithm>

#include "expr/bound.h"

namespace stator::expr {
namespace {

using item::Type;
using item::Value;

tl::unexpected<Error> invalid_path() {
  return invalid("The document path provided in the update expression is invalid for update");
}

Result<std::optional<Value>> edit_map(const Value& map, std::span<const Edit> edits, std::size_t depth,
                                      base::Arena& arena) {
  const auto before = map.attributes();
  const auto after = make_array<item::Attribute>(arena, before.size() + edits.size());
  const auto name_of = [depth](const Edit& edit) { return edit.path[depth].name; };
  const std::span<Edit> by_name = arena.copy(edits);
  std::ranges::stable_sort(by_name, {}, name_of);
  const auto edited = make_array<std::string_view>(arena, edits.size());  // the names that the map has
  std::size_t edited_count = 0;
  std::size_t count = 0;
  for (const item::Attribute& attribute : before) {
    const auto found = std::ranges::equal_range(by_name, attribute.name, {}, name_of);
    const std::span<const Edit> mine(found.begin(), found.end());
    if (mine.empty()) {
      after[count++] = attribute;
      continue;
    }
    edited[edited_count++] = attribute.name;
    TRY(const std::optional<Value> child, apply_edits(attribute.value, mine, depth + 1, arena));
    if (child) after[count++] = {attribute.name, *child};
  }
  const auto known = edited.first(edited_count);
  std::ranges::sort(known);
  // Attributes that the map does not have come behind its own, in the order of the edits.
  for (const Edit& edit : edits) {
    if (std::ranges::binary_search(known, name_of(edit))) continue;
    if (edit.path.size() > depth + 1) return invalid_path();
    if (edit.value) after[count++] = {name_of(edit), *edit.value};
  }
  return Value::map(after.first(count));
}

// Elements set behind the end are appended in the order of their indexes.
Result<std::optional<Value>> edit_list(const Value& list, std::span<Edit> edits, std::size_t depth,
                                       base::Arena& arena) {
  const auto before = list.elements();
  const auto after = make_array<Value>(arena, before.size() + edits.size());
  std::size_t count = 0;
  std::sort(edits.begin(), edits.end(), [depth](const Edit& a, const Edit& b) {
    return a.path[depth].index < b.path[depth].index;
  });
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::size_t mine = 0;
    while (mine < edits.size() && edits[mine].path[depth].index == i) ++mine;
    if (mine == 0) {
      after[count++] = before[i];
      continue;
    }
    TRY(const std::optional<Value> child,
        apply_edits(before[i], edits.first(mine), depth + 1, arena));
    if (child) after[count++] = *child;
    edits = edits.subspan(mine);
  }
  for (const Edit& edit : edits) {
    if (edit.path.size() > depth + 1) return invalid_path();
    if (edit.value) after[count++] = *edit.value;
  }
  return Value::list(after.first(count));
}

}  // namespace

Result<std::optional<Value>> apply_edits(const std::optional<Value>& value,
                                         std::span<const Edit> edits, std::size_t depth,
                                         base::Arena& arena) {
  if (edits.front().path.size() == depth) return edits.front().value;
  if (!value) return invalid_path();
  // Paths do not conflict, so all steps here are of one kind.
  const bool by_index = edits.front().path[depth].is_index;
  if (!value->is(by_index ? Type::list : Type::map)) return invalid_path();
  return by_index ? edit_list(*value, arena.copy(edits), depth, arena) : edit_map(*value, edits, depth, arena);
}

}  // namespace stator::expr
