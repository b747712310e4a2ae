#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "expr/bound.h"

namespace stator::expr {
namespace {

// Up to here comparing all with all is cheapest. Expressions have few paths, AttributesToGet and
// its kin can have as many as fit into a request.
constexpr std::size_t kFewPaths = 64;

bool same_step(const PathStep& a, const PathStep& b) noexcept {
  return a.is_index == b.is_index && (a.is_index ? a.index == b.index : a.name == b.name);
}

enum class Relation : std::uint8_t { apart, overlap, conflict };

Relation relate(Path a, Path b) noexcept {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].is_index != b[i].is_index) return Relation::conflict;
    if (!same_step(a[i], b[i])) return Relation::apart;
  }
  return Relation::overlap;
}

}  // namespace

std::string path_text(Path path) {
  std::string text = "[";
  for (const PathStep& step : path) {
    if (text.size() > 1) text += ", ";
    text += step.is_index ? fmt::format("[{}]", step.index) : std::string(step.name);
  }
  text += ']';
  return text;
}

bool same_path(Path a, Path b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_step);
}

std::string overlap_problem(std::span<const Path> paths) {
  // An overlap anywhere is reported before a conflict.
  for (const Relation wanted : {Relation::overlap, Relation::conflict}) {
    for (std::size_t second = 1; second < paths.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (relate(paths[first], paths[second]) != wanted) continue;
        return fmt::format(
            "Two document paths {} with each other; must remove or rewrite one of these paths; "
            "path one: {}, "
            "path two: {}",
            wanted == Relation::overlap ? "overlap" : "conflict", path_text(paths[first]),
            path_text(paths[second]));
      }
    }
  }
  return {};
}

namespace {

template <class Visit>
void visit_paths(const BoundNode& node, const Visit& visit) {
  for (const BoundNode& child : node.children) visit_paths(child, visit);
  for (const BoundOperand& operand : node.operands) {
    for (const BoundOperand* at = &operand; at != nullptr; at = at->inner) {
      if (at->kind == OperandKind::path) visit(at->path);
    }
  }
}

}  // namespace

std::span<const Path> paths_read(const BoundNode& root, base::Arena& arena) {
  std::size_t count = 0;
  visit_paths(root, [&](Path) { ++count; });
  const auto paths = make_array<Path>(arena, count);
  count = 0;
  visit_paths(root, [&](Path path) { paths[count++] = path; });
  return paths;
}

std::span<const std::string_view> names_read(const BoundNode& root, base::Arena& arena) {
  return top_level_names(paths_read(root, arena), arena);
}

const item::Value* descend(const item::Value* value, Path path) noexcept {
  for (std::size_t i = 1; i < path.size() && value != nullptr; ++i) {
    const PathStep& step = path[i];
    if (step.is_index) {
      const bool inside = value->is(item::Type::list) && step.index < value->elements().size();
      value = inside ? &value->elements()[step.index] : nullptr;
    } else {
      value = value->is(item::Type::map) ? value->find(step.name) : nullptr;
    }
  }
  return value;
}

std::span<const std::string_view> top_level_names(std::span<const Path> paths, base::Arena& arena) {
  const std::span<std::string_view> names = make_array<std::string_view>(arena, paths.size());
  std::size_t count = 0;
  if (paths.size() > kFewPaths) {
    std::set<std::string_view> seen;
    for (const Path path : paths) {
      if (seen.insert(path.front().name).second) names[count++] = path.front().name;
    }
    return names.first(count);
  }
  for (const Path path : paths) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(names.begin(), end, path.front().name) == end) names[count++] = path.front().name;
  }
  return names.first(count);
}

}  // namespace stator::expr
