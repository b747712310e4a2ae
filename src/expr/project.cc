#include <algorithm>
#include <tuple>

#include "expr/bound.h"
#include "expr/expression.h"
#include "item/attribute_finder.h"

namespace stator::expr {
namespace {

// Up to here comparing with every name is cheapest.
constexpr std::size_t kFewNames = 64;

// Stored names are escaped; nearly none needs it.
bool same_name(std::string_view escaped, std::string_view name, base::Arena& arena) {
  if (escaped.find('\\') == std::string_view::npos) return escaped == name;
  return item::unescape(escaped, arena) == name;
}

bool is_top_level(std::span<const Path> paths) {
  return std::all_of(paths.begin(), paths.end(), [](Path path) { return path.size() == 1; });
}

// What the paths select below `value`, which is `depth` steps deep; nothing if they select nothing.
// The paths are in the order of before(), and the same up to there.
std::optional<item::Value> prune(const item::Value& value, std::span<const Path> paths,
                                 std::size_t depth, base::Arena& arena);

// Sorted like this, the paths through one child stand together, and are found without looking at the others.
bool before(Path a, Path b) {
  return std::ranges::lexicographical_compare(a, b, [](const PathStep& x, const PathStep& y) {
    return std::tie(x.is_index, x.index, x.name) < std::tie(y.is_index, y.index, y.name);
  });
}

std::span<const Path> through(std::span<const Path> paths, std::size_t depth, std::string_view name) {
  const auto found = std::ranges::equal_range(paths, name, {}, [depth](Path path) { return path[depth].name; });
  return {found.begin(), found.end()};
}

std::optional<item::Value> prune_map(const item::Value& map, std::span<const Path> paths,
                                     std::size_t depth, base::Arena& arena) {
  if (paths.front()[depth].is_index) return std::nullopt;  // paths do not conflict: neither is any other
  const auto kept =
      make_array<item::Attribute>(arena, std::min(map.attributes().size(), paths.size()));
  std::size_t count = 0;
  for (const item::Attribute& attribute : map.attributes()) {
    const auto below = through(paths, depth, attribute.name);
    if (below.empty()) continue;
    if (const auto child = prune(attribute.value, below, depth + 1, arena)) {
      kept[count++] = {attribute.name, *child};
    }
  }
  if (count == 0) return std::nullopt;
  return item::Value::map(kept.first(count));
}

std::optional<item::Value> prune_list(const item::Value& list, std::span<const Path> paths,
                                      std::size_t depth, base::Arena& arena) {
  if (!paths.front()[depth].is_index) return std::nullopt;
  const auto elements = list.elements();
  const auto kept = make_array<item::Value>(arena, std::min(elements.size(), paths.size()));
  std::size_t count = 0;
  while (!paths.empty()) {
    const std::size_t index = paths.front()[depth].index;
    if (index >= elements.size()) break;
    const auto end = std::ranges::find_if(paths, [&](Path path) { return path[depth].index != index; });
    const std::span<const Path> below(paths.begin(), end);
    if (const auto child = prune(elements[index], below, depth + 1, arena)) kept[count++] = *child;
    paths = paths.subspan(below.size());
  }
  if (count == 0) return std::nullopt;
  return item::Value::list(kept.first(count));
}

std::optional<item::Value> prune(const item::Value& value, std::span<const Path> paths,
                                 std::size_t depth, base::Arena& arena) {
  if (paths.front().size() == depth) return value;  // paths do not overlap: this is the only one
  if (value.is(item::Type::map)) return prune_map(value, paths, depth, arena);
  if (value.is(item::Type::list)) return prune_list(value, paths, depth, arena);
  return std::nullopt;
}

void append_attribute(base::Buffer& out, std::size_t count, std::string_view escaped_name) {
  out.append(count == 0 ? "\"" : ",\"");
  out.append(escaped_name);
  out.append("\":");
}

}  // namespace

Projection::Projection(std::span<const Path> paths, base::Arena& arena)
    : paths_(paths),
      attribute_names_(top_level_names(paths, arena)),
      top_level_only_(is_top_level(paths)) {
  if (!top_level_only_) {
    const std::span<Path> sorted = arena.copy(paths);
    std::sort(sorted.begin(), sorted.end(), before);
    sorted_paths_ = sorted;
  } else if (attribute_names_.size() > kFewNames) {
    const std::span<std::string_view> sorted = arena.copy(attribute_names_);
    std::sort(sorted.begin(), sorted.end());
    sorted_names_ = sorted;
  }
}

Projection Projection::labelled(std::span<const Path> paths, std::span<const std::string_view> labels,
                                base::Arena& arena) {
  Projection projection(paths, arena);
  projection.labels_ = labels;
  return projection;
}

std::size_t Projection::append_labelled(base::Buffer& out, const item::StoredItem& item, base::Arena& arena) const {
  const item::AttributeFinder finder(&item, attribute_names_.size(), arena);
  std::size_t count = 0;
  out.push_back('{');
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto top = finder.find(paths_[i].front().name);
    const item::Value* found = top ? descend(&*top, paths_[i]) : nullptr;
    if (found == nullptr) continue;
    out.append(count++ == 0 ? "\"" : ",\"");
    item::append_escaped(out, labels_[i]);
    out.append("\":");
    item::append_value(out, *found);
  }
  out.push_back('}');
  return count;
}

std::size_t Projection::append(base::Buffer& out, const item::StoredItem& item,
                               base::Arena& arena) const {
  if (!labels_.empty()) return append_labelled(out, item, arena);
  std::size_t count = 0;
  out.push_back('{');
  item.for_each([&](std::string_view escaped_name, std::string_view value_text) {
    if (top_level_only_) {
      const auto is_here = [&](Path path) { return same_name(escaped_name, path.front().name, arena); };
      const bool wanted = sorted_names_.empty()
                              ? std::any_of(paths_.begin(), paths_.end(), is_here)
                              : std::binary_search(sorted_names_.begin(), sorted_names_.end(),
                                                   item::unescape(escaped_name, arena));
      if (!wanted) return;
      append_attribute(out, count++, escaped_name);
      out.append(value_text);
      return;
    }
    const auto below = through(sorted_paths_, 0, item::unescape(escaped_name, arena));
    if (below.empty()) return;
    if (below.front().size() == 1) {
      append_attribute(out, count++, escaped_name);
      out.append(value_text);
      return;
    }
    const auto value = item::decode_value(value_text, arena);
    const auto pruned = value ? prune(*value, below, 1, arena) : std::nullopt;
    if (!pruned) return;
    append_attribute(out, count++, escaped_name);
    item::append_value(out, *pruned);
  });
  out.push_back('}');
  return count;
}

}  // namespace stator::expr
