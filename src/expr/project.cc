#include <algorithm>

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
std::optional<item::Value> prune(const item::Value& value, std::span<const Path> paths,
                                 std::size_t depth, base::Arena& arena);

// The paths that go through one child. `matching` has room for all of them.
template <class Matches>
std::span<const Path> select(std::span<const Path> paths, std::span<Path> matching,
                             const Matches& matches) {
  const auto end = std::copy_if(paths.begin(), paths.end(), matching.begin(), matches);
  return matching.first(static_cast<std::size_t>(end - matching.begin()));
}

std::optional<item::Value> prune_map(const item::Value& map, std::span<const Path> paths,
                                     std::size_t depth, base::Arena& arena) {
  const auto kept =
      make_array<item::Attribute>(arena, std::min(map.attributes().size(), paths.size()));
  const auto matching = make_array<Path>(arena, paths.size());
  std::size_t count = 0;
  for (const item::Attribute& attribute : map.attributes()) {
    const auto below = select(paths, matching, [&](Path path) {
      return !path[depth].is_index && path[depth].name == attribute.name;
    });
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
  const auto elements = list.elements();
  const auto kept = make_array<item::Value>(arena, std::min(elements.size(), paths.size()));
  const auto matching = make_array<Path>(arena, paths.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto below = select(
        paths, matching, [&](Path path) { return path[depth].is_index && path[depth].index == i; });
    if (below.empty()) continue;
    if (const auto child = prune(elements[i], below, depth + 1, arena)) kept[count++] = *child;
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

Projection::Projection(std::span<const Path> paths)
    : paths_(paths), top_level_only_(is_top_level(paths)) {
  if (paths.empty()) return;
  std::vector<std::string_view> names;
  for (const Path path : paths) {
    if (std::find(names.begin(), names.end(), path.front().name) == names.end()) {
      names.push_back(path.front().name);
    }
  }
  owned_names_ = std::make_shared<const std::vector<std::string_view>>(std::move(names));
  attribute_names_ = *owned_names_;
}

Projection::Projection(std::span<const Path> paths, base::Arena& arena)
    : paths_(paths),
      attribute_names_(top_level_names(paths, arena)),
      top_level_only_(is_top_level(paths)) {
  if (!top_level_only_ || attribute_names_.size() <= kFewNames) return;
  const std::span<std::string_view> sorted = arena.copy(attribute_names_);
  std::sort(sorted.begin(), sorted.end());
  sorted_names_ = sorted;
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
    const auto top = finder.find(paths_[i].front().name, arena);
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
  const auto matching =
      top_level_only_ ? std::span<Path>() : make_array<Path>(arena, paths_.size());
  out.push_back('{');
  item.for_each([&](std::string_view escaped_name, std::string_view value_text) {
    const auto is_here = [&](Path path) {
      return same_name(escaped_name, path.front().name, arena);
    };
    if (top_level_only_) {
      const bool wanted = sorted_names_.empty()
                              ? std::any_of(paths_.begin(), paths_.end(), is_here)
                              : std::binary_search(sorted_names_.begin(), sorted_names_.end(),
                                                   item::unescape(escaped_name, arena));
      if (!wanted) return;
      append_attribute(out, count++, escaped_name);
      out.append(value_text);
      return;
    }
    const auto below = select(paths_, matching, is_here);
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
