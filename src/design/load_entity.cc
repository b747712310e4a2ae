#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "design/load_attribute.h"
#include "design/yaml_reader.h"

namespace stator::design {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

// `status = OPEN`, `status in [OPEN, PAID]`, `flaggedAt exists`
bool parse_sparse(const std::string& text, SparseCondition& condition) {
  const std::size_t name_end = text.find_first_of(" =");
  if (name_end == std::string::npos) return false;
  condition.attribute = text.substr(0, name_end);
  const std::string rest = trimmed(std::string_view(text).substr(name_end));
  if (condition.attribute.empty()) return false;
  if (rest == "exists") return true;
  if (rest.starts_with('=')) {
    condition.values = {trimmed(std::string_view(rest).substr(1))};
    return !condition.values.front().empty();
  }
  if (!rest.starts_with("in ")) return false;
  std::string list = trimmed(std::string_view(rest).substr(3));
  if (list.size() < 3 || list.front() != '[' || list.back() != ']') return false;
  list = list.substr(1, list.size() - 2);
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    condition.values.push_back(trimmed(std::string_view(list).substr(start, comma - start)));
    if (condition.values.back().empty()) return false;
    start = comma + 1;
  }
  return true;
}

void load_sparse(LoadContext& context, const YAML::Node& node, const std::string& what, Entity& entity) {
  for (const Entry& entry : read_entries(context, node, what)) {
    SparseCondition condition;
    condition.index = entry.key;
    condition.position = entry.position;
    const std::string where = what + " in " + entry.key;
    std::optional<std::string> text;
    if (entry.value.IsScalar()) {
      text = entry.value.Scalar();
    } else {
      const MapReader map(context, entry.value, where, {"when", "share"});
      if (const auto when = map.need("when")) text = read_text(context, *when, map.name("when"));
      if (const auto share = map.find("share")) condition.share = read_share(context, *share, map.name("share"));
    }
    if (text && !parse_sparse(trimmed(*text), condition)) {
      context.problem(entry.position, fmt::format("{}: expected \"attribute = VALUE\", \"attribute in [A, B]\" or "
                                                  "\"attribute exists\", found \"{}\"",
                                                  where, *text));
      continue;
    }
    entity.sparse.push_back(std::move(condition));
  }
}

Cardinality load_cardinality(LoadContext& context, const YAML::Node& node, const std::string& what) {
  Cardinality cardinality;
  cardinality.position = position_of(node);
  if (node.IsScalar()) {
    cardinality.average = read_number(context, node, what).value_or(0);
    cardinality.maximum = cardinality.average;
    cardinality.distribution = Distribution::fixed;
    return cardinality;
  }
  const MapReader map(context, node, what, {"average", "p99", "max", "distribution", "exponent"});
  if (map.need("average")) map.number("average", cardinality.average);
  map.number("p99", cardinality.p99);
  if (const auto max = map.find("max")) {
    if (max->IsScalar() && max->Scalar() == "unbounded") {
      cardinality.unbounded = true;
    } else {
      map.number("max", cardinality.maximum);
    }
  }
  if (cardinality.maximum && *cardinality.maximum < cardinality.average) {
    context.problem(cardinality.position, map.name("max") + ": expected at least the average");
  }
  if (const auto distribution = map.find("distribution")) {
    cardinality.distribution =
        read_choice<Distribution>(
            context, *distribution, map.name("distribution"),
            {{"uniform", Distribution::uniform}, {"zipf", Distribution::zipf}, {"fixed", Distribution::fixed}})
            .value_or(Distribution::uniform);
  }
  map.number("exponent", cardinality.exponent);
  return cardinality;
}

Entity load_entity(LoadContext& context, const Entry& entry) {
  const std::string what = "entity " + entry.key;
  const MapReader map(
      context, entry.value, what,
      {"description", "type", "count", "growth_per_month", "attributes", "keys", "sparse", "ttl", "lifetime", "allow"});
  Entity entity;
  entity.name = entry.key;
  entity.position = entry.position;
  entity.type_value = entry.key;
  map.text("description", entity.description);
  map.text("type", entity.type_value);
  if (entity.type_value == "none") entity.has_type = false;
  map.number("count", entity.count);
  if (map.find("count") && !entity.count) entity.count = 1;  // its problem is noted; one is enough
  if (const auto growth = map.find("growth_per_month")) {
    entity.growth_per_month = read_share(context, *growth, map.name("growth_per_month")).value_or(0);
  }
  if (const auto attributes = map.find("attributes")) {
    for (const Entry& one : read_entries(context, *attributes, map.name("attributes"))) {
      entity.attributes.push_back(load_attribute(context, one, entry.key));
    }
  }
  if (const auto keys = map.need("keys")) {
    for (const Entry& one : read_entries(context, *keys, map.name("keys"))) {
      const auto value = read_template(context, one.value, fmt::format("key {} of {}", one.key, entry.key));
      // One that cannot be read has its problem noted; with nothing in its place it would count as missing, too.
      entity.keys.push_back({one.key, value.value_or(*Template::parse("?")), one.position});
    }
  }
  if (const auto sparse = map.find("sparse")) load_sparse(context, *sparse, map.name("sparse"), entity);
  map.text("ttl", entity.ttl_attribute);
  if (const auto lifetime = map.find("lifetime")) {
    entity.lifetime_s = read_seconds(context, *lifetime, map.name("lifetime"));
  }
  map.allowances(entity.allow);
  return entity;
}

}  // namespace

void load_entities(LoadContext& context, const YAML::Node& node, std::vector<Entity>& entities) {
  for (const Entry& entry : read_entries(context, node, "entities")) entities.push_back(load_entity(context, entry));
}

void load_relationships(LoadContext& context, const YAML::Node& node, std::vector<Relationship>& relationships) {
  for (const Entry& entry : read_entries(context, node, "relationships")) {
    const MapReader map(context, entry.value, "relationship " + entry.key, {"parent", "child", "by", "children"});
    Relationship relationship;
    relationship.name = entry.key;
    relationship.position = entry.position;
    if (map.need("parent")) map.text("parent", relationship.parent);
    if (map.need("child")) map.text("child", relationship.child);
    if (const auto by = map.need("by")) {
      if (by->IsMap()) {  // field of the child: field of the parent
        for (const Entry& pair : read_entries(context, *by, map.name("by"))) {
          relationship.by.push_back(pair.key);
          relationship.parent_fields.push_back(read_text(context, pair.value, map.name("by")).value_or(pair.key));
        }
      } else {
        relationship.by = read_texts(context, *by, map.name("by"));
        relationship.parent_fields = relationship.by;
      }
    }
    if (const auto children = map.need("children")) {
      relationship.children = load_cardinality(context, *children, map.name("children"));
    }
    relationships.push_back(std::move(relationship));
  }
}

void load_principals(LoadContext& context, const YAML::Node& node, std::vector<Principal>& principals) {
  for (const Entry& entry : read_entries(context, node, "principals")) {
    const MapReader map(context, entry.value, "principal " + entry.key, {"parameter", "variable", "patterns"});
    Principal principal;
    principal.name = entry.key;
    principal.position = entry.position;
    if (map.need("parameter")) map.text("parameter", principal.parameter);
    if (map.need("variable")) map.text("variable", principal.variable);
    map.texts("patterns", principal.patterns);
    principals.push_back(std::move(principal));
  }
}

}  // namespace stator::design
