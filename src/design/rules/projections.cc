#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/rules/rules.h"

namespace stator::design {
namespace {

// A smaller part of an index item is not worth a warning: keys and overhead outweigh it.
constexpr double kUnusedShareMin = 0.2;

// The attributes of the entity that the pattern reads from an index; those that only keys hold are read with the key.
std::set<std::string> needed_attributes(const Pattern& pattern, const Entity& entity) {
  std::set<std::string> needed;
  const auto add = [&](const std::string& name) {
    if (entity.attribute(name) != nullptr) needed.insert(name);
  };
  if (pattern.filter) std::for_each(pattern.filter->attributes.begin(), pattern.filter->attributes.end(), add);
  if (pattern.count_only) return needed;
  if (pattern.projection.empty()) {
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.stored) needed.insert(attribute.name);
    }
  }
  std::for_each(pattern.projection.begin(), pattern.projection.end(), add);
  return needed;
}

// An attribute that a local index does not project can be fetched from the table, but not filtered by.
bool filters_by_any_of(const Pattern& pattern, const std::vector<std::string>& names) {
  if (!pattern.filter) return false;
  const auto& filtered = pattern.filter->attributes;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(filtered.begin(), filtered.end(), name) != filtered.end();
  });
}

bool readable(const Model& model, const Index& index, const Entity& entity, const std::string& name) {
  if (is_projected(model, index, name)) return true;
  const Attribute* attribute = entity.attribute(name);
  if (attribute == nullptr || attribute->stored) return false;
  for (const KeyTemplate& key : entity.keys) {
    if (is_projected(model, index, key.attribute) && key.value.uses(name)) return true;
  }
  return false;
}

}  // namespace

void find_unprojected_attributes(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (resolution.index == nullptr) continue;
    for (const Entity* entity : meant_entities(model, pattern)) {
      std::vector<std::string> missing;
      for (const std::string& name : needed_attributes(pattern, *entity)) {
        if (!readable(model, *resolution.index, *entity, name)) missing.push_back(name);
      }
      if (missing.empty()) continue;
      const bool fetched = resolution.index->kind == IndexKind::local && !filters_by_any_of(pattern, missing);
      context.report(
          fetched ? Severity::warning : Severity::error, place_of(pattern),
          fmt::format("it needs {} of {}, which index {} does not project{}", join(missing), entity->name,
                      pattern.index, fetched ? ": the service fetches each item from the table, billed apart" : ""),
          fmt::format("Add {} to the projection of {}, or list under \"projection\" what the pattern needs.",
                      join(missing), pattern.index));
    }
  }
}

void find_unused_indexes(RuleContext& context) {
  const Model& model = context.model();
  for (const Index& index : model.indexes) {
    const bool used = std::any_of(model.patterns.begin(), model.patterns.end(),
                                  [&](const Pattern& pattern) { return pattern.index == index.name; });
    if (used) continue;
    context.report(place_of(index), "no pattern reads it",
                   "Remove it, or write down the pattern that it is there for.");
  }
}

void find_wide_projections(RuleContext& context) {
  const Model& model = context.model();
  for (const Index& index : model.indexes) {
    if (index.projection.kind == ProjectionKind::keys_only) continue;
    bool used = false;
    std::set<std::string> needed;
    double bytes = 0;
    double unused_bytes = 0;
    for (const Pattern& pattern : model.patterns) {
      if (pattern.index != index.name) continue;
      used = true;
      for (const Entity* entity : meant_entities(model, pattern)) needed.merge(needed_attributes(pattern, *entity));
    }
    if (!used) continue;  // index-unused says it
    std::set<std::string> unused;
    for (const Entity& entity : model.entities) {
      const double items = index_share(model, entity, index) * item_count(model, entity);
      if (items <= 0) continue;
      bytes += items * index_item_bytes(model, entity, index).typical;
      for (const Attribute& attribute : entity.attributes) {
        const bool in_index = attribute.stored && is_projected(model, index, attribute.name);
        if (!in_index || needed.contains(attribute.name) || entity.key(attribute.name) != nullptr) continue;
        unused.insert(attribute.name);
        unused_bytes +=
            items * attribute.present * (attribute.typical_bytes + static_cast<double>(attribute.name.size()));
      }
    }
    for (const std::string& name : index.projection.attributes) {
      const bool type = name == model.table.type_attribute;
      if (!needed.contains(name) && !type) unused.insert(name);
    }
    const bool listed = index.projection.kind == ProjectionKind::include;
    if (unused.empty() || (!listed && unused_bytes < kUnusedShareMin * bytes)) continue;
    const std::vector<std::string> names(unused.begin(), unused.end());
    context.report(
        place_of(index).at(index.projection.position),
        fmt::format(
            "no pattern reads {} from it{}", join(names),
            unused_bytes > 0 && bytes > 0 ? fmt::format(": {:.0f} % of its size", 100 * unused_bytes / bytes) : ""),
        needed.empty() ? "Project keys_only." : fmt::format("Project [{}].", join({needed.begin(), needed.end()})));
  }
}

}  // namespace stator::design
