#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "design/report/text_table.h"
#include "design/workbench/infer.h"

namespace stator::design {

namespace {

// A scalar, in quotes where YAML would read something else: JSON strings are YAML too.
std::string scalar(const std::string& text) {
  const bool plain = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
                     std::all_of(text.begin(), text.end(), [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
                     });
  constexpr std::string_view kReserved[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool reserved = std::find(std::begin(kReserved), std::end(kReserved), lower) != std::end(kReserved);
  return plain && !reserved ? text : nlohmann::json(text).dump();
}

std::string number(double value) { return fmt::format("{:g}", std::round(value * 10000) / 10000); }
std::string whole(double value) { return fmt::format("{:.0f}", value); }

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + scalar(text);
  return "[" + out + "]";
}

std::string key_yaml(const KeyAttribute& key) {
  if (key.type == AttributeType::string) return scalar(key.name);
  return fmt::format("{{name: {}, type: {}}}", scalar(key.name), attribute_type_text(key.type));
}

std::string capacity_yaml(const Capacity& capacity) {
  if (capacity.mode == CapacityMode::on_demand) return "on_demand";
  return fmt::format("{{mode: provisioned, read: {}, write: {}}}", whole(std::max(1.0, capacity.read_units)),
                     whole(std::max(1.0, capacity.write_units)));
}

std::string table_text(const Model& model) {
  const Table& table = model.table;
  std::string out =
      fmt::format("table:\n  name: {}\n  partition_key: {}\n", scalar(table.name), key_yaml(table.partition_key));
  if (table.sort_key) out += fmt::format("  sort_key: {}\n", key_yaml(*table.sort_key));
  if (!table.type_attribute.empty()) out += fmt::format("  type_attribute: {}\n", scalar(table.type_attribute));
  if (!table.stream_view.empty()) out += fmt::format("  stream: {}\n", table.stream_view);
  out += fmt::format("  capacity: {}\n", capacity_yaml(table.capacity));
  if (model.indexes.empty()) return out;
  out += "\nindexes:\n";
  for (const Index& index : model.indexes) {
    out += fmt::format("  {}:\n", scalar(index.name));
    if (index.kind == IndexKind::local) {
      out += "    kind: local\n";
    } else {
      out += fmt::format("    partition_key: {}\n", key_yaml(index.partition_key));
    }
    if (index.sort_key) out += fmt::format("    sort_key: {}\n", key_yaml(*index.sort_key));
    const bool include = index.projection.kind == ProjectionKind::include;
    out += fmt::format("    projection: {}\n", include ? list(index.projection.attributes)
                                               : index.projection.kind == ProjectionKind::keys_only ? "keys_only"
                                                                                                    : "all");
  }
  return out;
}

std::string attribute_text(const Attribute& attribute) {
  std::vector<std::string> parts;
  const bool numeric = attribute.format == ValueFormat::number || attribute.format == ValueFormat::epoch;
  if (attribute.type != AttributeType::string && !(numeric && attribute.format == ValueFormat::epoch)) {
    parts.push_back(fmt::format("type: {}", attribute_type_text(attribute.type)));
  }
  if (attribute.values.empty() && attribute.format != ValueFormat::text && attribute.format != ValueFormat::number) {
    parts.push_back(fmt::format("format: {}", value_format_text(attribute.format)));
  }
  if (attribute.unique) parts.emplace_back("unique: true");
  if (!attribute.stored) parts.emplace_back("stored: false");
  if (!attribute.values.empty()) {
    std::string values;
    for (const NamedValue& value : attribute.values) {
      values += fmt::format("{}{}: {}", values.empty() ? "" : ", ", scalar(value.value), number(value.weight));
    }
    parts.push_back(fmt::format("values: {{{}}}", values));
  } else {
    parts.push_back(fmt::format("size: {}", whole(std::max(1.0, attribute.typical_bytes))));
    parts.push_back(
        attribute.unbounded
            ? "max_size: unbounded"
            : fmt::format("max_size: {}", whole(std::max({1.0, attribute.typical_bytes, attribute.maximum_bytes}))));
  }
  if (attribute.minimum) parts.push_back(fmt::format("min: {}", number(*attribute.minimum)));
  if (attribute.maximum) parts.push_back(fmt::format("max: {}", number(*attribute.maximum)));
  if (attribute.decimals) parts.push_back(fmt::format("decimals: {}", *attribute.decimals));
  if (attribute.distinct) parts.push_back(fmt::format("distinct: {}", whole(*attribute.distinct)));
  if (attribute.present < 1) parts.push_back(fmt::format("present: {}%", number(attribute.present * 100)));
  if (!attribute.example.empty()) parts.push_back("example: " + nlohmann::json(attribute.example).dump());
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return "{" + out + "}";
}

std::string sparse_yaml(const SparseCondition& condition) {
  std::string when = condition.attribute + " exists";
  if (condition.values.size() == 1) when = fmt::format("{} = {}", condition.attribute, condition.values.front());
  if (condition.values.size() > 1) {
    when = condition.attribute + " in [";
    for (std::size_t at = 0; at < condition.values.size(); ++at) when += (at == 0 ? "" : ", ") + condition.values[at];
    when += "]";
  }
  const std::string quoted = nlohmann::json(when).dump();
  return condition.share ? fmt::format("{{when: {}, share: {}%}}", quoted, number(*condition.share * 100)) : quoted;
}

std::string entity_text(const Model& model, const Entity& entity) {
  std::string out = fmt::format("  {}:\n", scalar(entity.name));
  if (!entity.description.empty())
    out += fmt::format("    description: {}\n", nlohmann::json(entity.description).dump());
  if (!entity.has_type && !model.table.type_attribute.empty()) out += "    type: none\n";
  if (entity.has_type && entity.type_value != entity.name)
    out += fmt::format("    type: {}\n", scalar(entity.type_value));
  if (entity.count) out += fmt::format("    count: {}\n", whole(*entity.count));
  if (!entity.attributes.empty()) out += "    attributes:\n";
  for (const Attribute& attribute : entity.attributes) {
    out += fmt::format("      {}: {}\n", scalar(attribute.name), attribute_text(attribute));
  }
  out += "    keys:\n";
  for (const KeyTemplate& key : entity.keys) {
    out += fmt::format("      {}: {}\n", scalar(key.attribute), nlohmann::json(key.value.text()).dump());
  }
  if (!entity.sparse.empty()) out += "    sparse:\n";
  for (const SparseCondition& condition : entity.sparse)
    out += fmt::format("      {}: {}\n", scalar(condition.index), sparse_yaml(condition));
  if (!entity.ttl_attribute.empty()) out += fmt::format("    ttl: {}\n", scalar(entity.ttl_attribute));
  return out;
}

std::string relationships_text(const Model& model) {
  if (model.relationships.empty()) return "";
  std::string out = "\nrelationships:\n";
  for (const Relationship& one : model.relationships) {
    std::string children = fmt::format("average: {}", number(one.children.average));
    if (one.children.unbounded) children += ", max: unbounded";
    if (one.children.maximum) children += fmt::format(", max: {}", whole(std::ceil(*one.children.maximum)));
    if (one.children.distribution == Distribution::zipf) children += ", distribution: zipf";
    out += fmt::format("  {}: {{parent: {}, child: {}, by: {}, children: {{{}}}}}\n", scalar(one.name),
                       scalar(one.parent), scalar(one.child), list(one.by), children);
  }
  return out;
}

std::string patterns_text(const Model& model) {
  std::string out = "\npatterns:\n";
  for (const Pattern& pattern : model.patterns) {
    out += fmt::format("  {}:\n", scalar(pattern.name));
    if (!pattern.description.empty())
      out += fmt::format("    description: {}\n", nlohmann::json(pattern.description).dump());
    out += fmt::format("    kind: {}\n    entities: {}\n", pattern_kind_text(pattern.kind), list(pattern.entities));
    if (!pattern.index.empty()) out += fmt::format("    index: {}\n", scalar(pattern.index));
    std::string key;
    for (const KeyCondition& condition : pattern.key) {
      key += fmt::format("{}{}: {}", key.empty() ? "" : ", ", scalar(condition.attribute),
                         nlohmann::json(condition.value.text()).dump());
    }
    out += fmt::format("    key: {{{}}}\n", key);
    if (pattern.limit) out += fmt::format("    limit: {}\n", whole(*pattern.limit));
    out += fmt::format("    rate: {}\n", number(pattern.rate.average));
  }
  return out;
}

}  // namespace

std::string model_text(const Model& model, const std::string& head_comment) {
  std::string out = head_comment + "stator_model: 1\n" + fmt::format("name: {}\n", scalar(model.name));
  if (!model.description.empty()) out += fmt::format("description: {}\n", nlohmann::json(model.description).dump());
  if (model.delimiter != '#') out += fmt::format("delimiter: \"{}\"\n", model.delimiter);
  out += "\n" + table_text(model) + "\nentities:\n";
  for (std::size_t at = 0; at < model.entities.size(); ++at)
    out += (at == 0 ? "" : "\n") + entity_text(model, model.entities[at]);
  return out + relationships_text(model) + patterns_text(model);
}

}  // namespace stator::design
