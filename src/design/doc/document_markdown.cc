#include <fmt/format.h>

#include <map>

#include "design/doc/collections.h"
#include "design/doc/document.h"
#include "design/report/text_table.h"
#include "design/resolve.h"
#include "design/shape.h"

namespace stator::design {

namespace {

std::string code_span(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string key_with_type(const KeyAttribute& key) {
  return fmt::format("{} ({})", code_span(key.name), attribute_type_text(key.type));
}

std::string table_section(const Model& model) {
  const Table& table = model.table;
  std::string out =
      fmt::format("## Table {}\n\nPartition key {}", code_span(table.name), key_with_type(table.partition_key));
  if (table.sort_key) out += fmt::format(", sort key {}", key_with_type(*table.sort_key));
  out += table.capacity.mode == CapacityMode::provisioned
             ? fmt::format(". Provisioned: {} RCU, {} WCU", figure(table.capacity.read_units),
                           figure(table.capacity.write_units))
             : ". On-demand";
  if (!table.type_attribute.empty())
    out += fmt::format(". Every item says what it is in {}", code_span(table.type_attribute));
  if (!model.ttl_attribute().empty())
    out += fmt::format(". Items expire by {}", code_span(std::string(model.ttl_attribute())));
  if (!table.stream_view.empty()) out += fmt::format(". Stream: {}", table.stream_view);
  out += ".\n\n";
  if (model.indexes.empty()) return out;
  TextTable indexes({{"index"}, {"partition key"}, {"sort key"}, {"projection"}});
  for (const Index& index : model.indexes) {
    indexes.add({code_span(index.name) + (index.kind == IndexKind::local ? " (local)" : ""),
                 key_with_type(index.partition_key), index.sort_key ? key_with_type(*index.sort_key) : "",
                 projection_text(index.projection)});
  }
  return out + indexes.markdown() + "\n";
}

std::string entities_section(const Model& model) {
  std::vector<TextTable::Column> columns = {{"entity"}};
  for (const KeyAttribute& key : model.key_attributes()) columns.push_back({key.name});
  columns.push_back({"items", Align::right});
  columns.push_back({"item", Align::right});
  TextTable table(columns);
  for (const Entity& entity : model.entities) {
    std::vector<std::string> cells = {entity.name};
    for (const KeyAttribute& key : model.key_attributes()) {
      const Template* value = entity.key(key.name);
      cells.push_back(value == nullptr ? "" : code_span(value->text()));
    }
    cells.push_back(figure(item_count(model, entity)));
    cells.push_back(bytes_text(item_bytes(model, entity).typical));
    table.add(std::move(cells));
  }
  std::string out = "## Entities and their keys\n\n" + table.markdown() + "\n";
  bool any = false;
  for (const Entity& entity : model.entities) {
    for (const SparseCondition& condition : entity.sparse) {
      out += fmt::format("- {} is in {} {}.\n", entity.name, code_span(condition.index), sparse_text(condition));
      any = true;
    }
  }
  return out + (any ? "\n" : "");
}

// Which beginnings of keys are taken, and by whom: what a new entity must not collide with.
std::string prefixes_section(const Model& model) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> prefixes;  // (attribute, prefix) -> entities
  for (const Entity& entity : model.entities) {
    for (const KeyTemplate& key : entity.keys) {
      const std::string prefix = key.value.literal_prefix();
      prefixes[{key.attribute, prefix.empty() ? key.value.text() : prefix}].push_back(entity.name);
    }
  }
  TextTable table({{"attribute"}, {"begins with"}, {"used by"}});
  for (const KeyAttribute& key : model.key_attributes()) {
    for (const auto& [where, entities] : prefixes) {
      if (where.first != key.name) continue;
      std::string names;
      for (const std::string& entity : entities) names += (names.empty() ? "" : ", ") + entity;
      table.add({code_span(key.name), code_span(where.second), names});
    }
  }
  return "## Prefixes in use\n\n" + table.markdown() + "\n";
}

std::string patterns_section(const Model& model) {
  TextTable table({{"pattern"}, {"what"}, {"call"}, {"key"}, {"per second", Align::right}});
  for (const Pattern& pattern : model.patterns) {
    const Resolution resolution = resolve(model, pattern);
    std::string call = resolution.call;
    if (resolution.index != nullptr) call += " on " + resolution.index->name;
    if (resolution.calls > 1) call += " x " + rounded(resolution.calls);
    table.add({pattern.name, pattern.description, call, code_span(pattern_key_text(model, pattern)),
               rate_text(pattern.rate)});
  }
  return "## Access patterns\n\n" + table.markdown() + "\n";
}

std::string attributes_section(const Model& model) {
  std::string out = "## Attributes\n\n";
  for (const Entity& entity : model.entities) {
    TextTable table({{"attribute"}, {"type"}, {"form"}, {"bytes", Align::right}, {"at most", Align::right}, {"notes"}});
    for (const Attribute& attribute : entity.attributes) {
      std::string notes;
      const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
      if (!attribute.stored) note("only in keys");
      if (attribute.unique) note("unique");
      if (attribute.name == entity.ttl_attribute) note("expires the item");
      if (attribute.present < 1) note("on " + percent(attribute.present) + " of the items");
      std::string values;
      for (const NamedValue& value : attribute.values) values += (values.empty() ? "" : ", ") + value.value;
      if (!values.empty()) note("one of " + values);
      table.add({code_span(attribute.name), std::string(attribute_type_text(attribute.type)),
                 std::string(value_format_text(attribute.format)), figure(attribute.typical_bytes),
                 attribute.unbounded ? "no limit" : figure(attribute.maximum_bytes), notes});
    }
    out += fmt::format("### {}\n\n", entity.name);
    if (!entity.description.empty()) out += entity.description + "\n\n";
    out += table.markdown() + "\n";
  }
  return out;
}

std::string collections_section(const Model& model, const std::vector<ExampleView>& views) {
  std::string out = "## Item collections, by example\n\n";
  for (const ExampleView& view : views) {
    const std::string index = view.index == nullptr ? "" : view.index->name;
    const KeyAttribute* sort_key = model.sort_key(index);
    out += fmt::format("### {}\n\n", view.index == nullptr ? "Table" : view.index->name);
    TextTable table(
        {{model.partition_key(index).name}, {sort_key == nullptr ? "" : sort_key->name}, {"entity"}, {"attributes"}});
    for (const ExampleCollection& collection : view.collections) {
      bool first = true;
      for (const ExampleRow& row : collection.rows) {
        std::string attributes;
        for (const auto& [name, value] : row.attributes)
          attributes += (attributes.empty() ? "" : ", ") + name + "=" + value;
        table.add({first ? code_span(collection.partition_key) : "", code_span(row.sort_key), row.entity, attributes});
        first = false;
      }
      if (collection.left_out > 0) table.add({"", "", "", fmt::format("and {} more", collection.left_out)});
    }
    out += table.markdown() + "\n";
  }
  return out;
}

std::string decisions_section(const Model& model) {
  std::string out;
  const auto add = [&](const std::string& where, const std::vector<Allowance>& allowances) {
    for (const Allowance& allowance : allowances)
      out += fmt::format("- {} ({}): {}\n", where, allowance.rule, allowance.reason);
  };
  add(model.name, model.allow);
  for (const Index& index : model.indexes) add(index.name, index.allow);
  for (const Entity& entity : model.entities) add(entity.name, entity.allow);
  for (const Pattern& pattern : model.patterns) add(pattern.name, pattern.allow);
  return out.empty() ? "" : "## Decisions\n\n" + out;
}

}  // namespace

Result<std::string> document_markdown(const Model& model) {
  TRY(const std::vector<ExampleView> views, example_views(model));
  std::string out = fmt::format("# {}: table design\n\n", model.name);
  if (!model.description.empty()) out += model.description + "\n\n";
  out += "Written by `stator design doc` from the model file; change the model and run it again.\n\n";
  out += table_section(model) + patterns_section(model) + entities_section(model) + prefixes_section(model);
  out += collections_section(model, views) + attributes_section(model) + decisions_section(model);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace stator::design
