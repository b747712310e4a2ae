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

// The edits of one child, moved to the front of `rest`, and `rest` behind them: each edit is looked
// at by one child.
template <class Matches>
std::span<const Edit> take(std::span<Edit>& rest, const Matches& matches) {
  const auto end = std::stable_partition(rest.begin(), rest.end(), matches);
  const auto count = static_cast<std::size_t>(end - rest.begin());
  const std::span<const Edit> taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

Result<std::optional<Value>> edit_map(const Value& map, std::span<Edit> edits, std::size_t depth,
                                      base::Arena& arena) {
  const auto before = map.attributes();
  const auto after = make_array<item::Attribute>(arena, before.size() + edits.size());
  std::size_t count = 0;
  for (const item::Attribute& attribute : before) {
    const auto mine =
        take(edits, [&](const Edit& edit) { return edit.path[depth].name == attribute.name; });
    if (mine.empty()) {
      after[count++] = attribute;
      continue;
    }
    TRY(const std::optional<Value> child, apply_edits(attribute.value, mine, depth + 1, arena));
    if (child) after[count++] = {attribute.name, *child};
  }
  for (const Edit& edit : edits) {  // of attributes that the map does not have
    if (edit.path.size() > depth + 1) return invalid_path();
    if (edit.value) after[count++] = {edit.path[depth].name, *edit.value};
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
  const std::span<Edit> own = arena.copy(edits);
  return by_index ? edit_list(*value, own, depth, arena) : edit_map(*value, own, depth, arena);
}

}  // namespace stator::expr
