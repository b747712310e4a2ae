#include "expr/condition_index.h"

#include <algorithm>

namespace stator::expr {
namespace {

constexpr std::size_t kManyConditions = 64;

}  // namespace

const ConditionIndex* index_conditions(const BoundNode& root, base::Arena& arena) {
  const bool is_list = root.kind == ConditionKind::all || root.kind == ConditionKind::any;
  if (!is_list || root.children.size() < kManyConditions) return nullptr;
  const auto entries = make_array<ConditionIndex::Entry>(arena, root.children.size());
  auto* index = arena.make<ConditionIndex>();
  index->decisive = root.kind == ConditionKind::any;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const BoundNode& child = root.children[i];
    const std::span<const std::string_view> names = names_read(child, arena);
    if (names.size() != 1) return nullptr;
    entries[i] = {names.front(), &child, matches_no_item(child, arena)};
    if (entries[i].when_absent == index->decisive) ++index->decisive_when_absent;
  }
  std::ranges::stable_sort(entries, {}, &ConditionIndex::Entry::name);
  index->entries = entries;
  return index;
}

}  // namespace stator::expr
