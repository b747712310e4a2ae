#include "design/workbench/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/deploy/table_definition.h"
#include "design/generate/generator.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kSampleItems = 400;

OrderedJson key_json(const KeyAttribute& key) {
  return {{"AttributeName", key.name}, {"AttributeType", attribute_type_text(key.type)}};
}

OrderedJson keys_json(const KeyAttribute& partition_key, const KeyAttribute* sort_key) {
  OrderedJson out = {{"PartitionKey", key_json(partition_key)}};
  if (sort_key != nullptr) out["SortKey"] = key_json(*sort_key);
  return out;
}

// Stored attributes of all entities, each once; keys of indexes count as attributes there.
OrderedJson attributes_json(const Model& model) {
  OrderedJson out = OrderedJson::array();
  std::set<std::string> seen = {model.table.partition_key.name};
  if (model.table.sort_key) seen.insert(model.table.sort_key->name);
  const auto add = [&](const std::string& name, AttributeType type) {
    if (seen.insert(name).second)
      out.push_back({{"AttributeName", name}, {"AttributeType", attribute_type_text(type)}});
  };
  if (!model.table.type_attribute.empty()) add(model.table.type_attribute, AttributeType::string);
  for (const Entity& entity : model.entities)
    for (const Attribute& attribute : entity.attributes)
      if (attribute.stored) add(attribute.name, attribute.type);
  for (const KeyAttribute& key : model.key_attributes()) add(key.name, key.type);
  return out;
}

OrderedJson facet_json(const Model& model, const Entity& entity) {
  OrderedJson names = OrderedJson::array();
  if (!model.table.type_attribute.empty() && entity.has_type) names.push_back(model.table.type_attribute);
  for (const Attribute& attribute : entity.attributes)
    if (attribute.stored) names.push_back(attribute.name);
  for (const KeyTemplate& key : entity.keys) {
    const bool own = key.attribute == model.table.partition_key.name ||
                     (model.table.sort_key && key.attribute == model.table.sort_key->name);
    if (!own) names.push_back(key.attribute);
  }
  OrderedJson alias = {{"PartitionKeyAlias", entity.key(model.table.partition_key.name)->text()}};
  if (model.table.sort_key) alias["SortKeyAlias"] = entity.key(model.table.sort_key->name)->text();
  return {{"FacetName", entity.name},
          {"KeyAttributeAlias", alias},
          {"TableData", OrderedJson::array()},
          {"NonKeyAttributes", names},
          {"DataAccess", {{"MySql", OrderedJson::object()}}}};
}

Result<KeyAttribute> read_key(const OrderedJson& json, std::string_view where) {
  KeyAttribute key;
  key.name = json.value("AttributeName", std::string());
  if (key.name.empty()) return invalid(fmt::format("{}: expected an AttributeName", where));
  const std::string type = json.value("AttributeType", std::string("S"));
  key.type = type == "N" ? AttributeType::number : type == "B" ? AttributeType::binary : AttributeType::string;
  return key;
}

Result<Index> read_index(const OrderedJson& json) {
  Index index;
  index.name = json.value("IndexName", std::string());
  const OrderedJson keys = json.value("KeyAttributes", OrderedJson::object());
  TRY(index.partition_key, read_key(keys.value("PartitionKey", OrderedJson::object()), "index " + index.name));
  if (keys.contains("SortKey")) {
    TRY(KeyAttribute sort_key, read_key(keys["SortKey"], "index " + index.name));
    index.sort_key = std::move(sort_key);
  }
  const OrderedJson projection = json.value("Projection", OrderedJson::object());
  const std::string kind = projection.value("ProjectionType", std::string("ALL"));
  index.projection.kind = kind == "INCLUDE"     ? ProjectionKind::include
                          : kind == "KEYS_ONLY" ? ProjectionKind::keys_only
                                                : ProjectionKind::all;
  if (index.projection.kind == ProjectionKind::include) {
    index.projection.attributes = projection.value("NonKeyAttributes", std::vector<std::string>());
  }
  return index;
}

}  // namespace

Result<OrderedJson> workbench_json(const Model& model) {
  const double scale = std::min(1.0, Generator::scale_for(model, kSampleItems));
  TRY(const Generator generator, Generator::create(model, {1, scale}));
  OrderedJson table = {
      {"TableName", model.table.name},
      {"KeyAttributes", keys_json(model.table.partition_key, model.table.sort_key ? &*model.table.sort_key : nullptr)},
      {"NonKeyAttributes", attributes_json(model)},
      {"TableFacets", OrderedJson::array()},
      {"GlobalSecondaryIndexes", OrderedJson::array()},
      {"TableData", OrderedJson::array()},
      {"DataAccess", {{"MySql", OrderedJson::object()}}},
      {"SampleDataFormats", OrderedJson::object()},
      {"BillingMode", model.table.capacity.mode == CapacityMode::provisioned ? "PROVISIONED" : "PAY_PER_REQUEST"}};
  if (model.table.capacity.mode == CapacityMode::provisioned) {
    table["ProvisionedCapacitySettings"]["ProvisionedThroughput"] = {
        {"ReadCapacityUnits", model.table.capacity.read_units},
        {"WriteCapacityUnits", model.table.capacity.write_units}};
  }
  for (const Entity& entity : model.entities) table["TableFacets"].push_back(facet_json(model, entity));
  for (const Index& index : model.indexes) {
    if (index.kind != IndexKind::global) continue;  // Workbench knows global indexes only
    table["GlobalSecondaryIndexes"].push_back(
        {{"IndexName", index.name},
         {"KeyAttributes", keys_json(index.partition_key, index.sort_key ? &*index.sort_key : nullptr)},
         {"Projection", projection_definition(index.projection)}});
  }
  for (const Entity& entity : model.entities) {
    for (std::uint64_t number = 0; number < std::min<std::uint64_t>(generator.count(entity), 60); ++number) {
      TRY(const GeneratedItem item, generator.item(entity, number));
      table["TableData"].push_back(OrderedJson::parse(item.json()));
    }
  }
  return OrderedJson{{"ModelName", model.name},
              {"ModelMetadata",
               {{"Author", ""},
                {"DateCreated", "Jun 01, 2026, 12:00 AM"},
                {"DateLastModified", "Jun 01, 2026, 12:00 AM"},
                {"Description", model.description},
                {"AWSService", "Amazon DynamoDB"},
                {"Version", "3.0"}}},
              {"DataModel", OrderedJson::array({table})}};
}

Result<Model> read_workbench(const OrderedJson& document, const std::string& table_name) {
  if (!document.is_object() || !document.contains("DataModel") || !document["DataModel"].is_array()) {
    return invalid("expected a NoSQL Workbench model: an object with a member DataModel");
  }
  const OrderedJson* table = nullptr;
  std::string known;
  for (const OrderedJson& one : document["DataModel"]) {
    const std::string name = one.value("TableName", std::string());
    known += (known.empty() ? "" : ", ") + name;
    if (table == nullptr && (table_name.empty() || table_name == name)) table = &one;
  }
  if (table == nullptr) return invalid(fmt::format("the file has no table {}; there is: {}", table_name, known));
  InferInput input;
  input.table.name = table->value("TableName", std::string());
  const OrderedJson keys = table->value("KeyAttributes", OrderedJson::object());
  TRY(input.table.partition_key,
      read_key(keys.value("PartitionKey", OrderedJson::object()), "table " + input.table.name));
  if (keys.contains("SortKey")) {
    TRY(KeyAttribute sort_key, read_key(keys["SortKey"], "table " + input.table.name));
    input.table.sort_key = std::move(sort_key);
  }
  if (table->value("BillingMode", std::string()) == "PROVISIONED") {
    const OrderedJson throughput =
        table->value("/ProvisionedCapacitySettings/ProvisionedThroughput"_json_pointer, OrderedJson::object());
    input.table.capacity.mode = CapacityMode::provisioned;
    input.table.capacity.read_units = throughput.value("ReadCapacityUnits", 5.0);
    input.table.capacity.write_units = throughput.value("WriteCapacityUnits", 5.0);
  }
  for (const OrderedJson& json : table->value("GlobalSecondaryIndexes", OrderedJson::array())) {
    TRY(Index index, read_index(json));
    input.indexes.push_back(std::move(index));
  }
  for (const OrderedJson& item : table->value("TableData", OrderedJson::array())) input.items.push_back(item);
  if (input.items.empty()) {
    return invalid(fmt::format("table {} has no sample data to infer keys from; add some in Workbench and export again",
                               input.table.name));
  }
  for (const OrderedJson& facet : table->value("TableFacets", OrderedJson::array())) {
    const OrderedJson alias = facet.value("KeyAttributeAlias", OrderedJson::object());
    auto& templates = input.aliases[facet.value("FacetName", std::string())];
    templates[input.table.partition_key.name] = alias.value("PartitionKeyAlias", std::string());
    if (input.table.sort_key) templates[input.table.sort_key->name] = alias.value("SortKeyAlias", std::string());
  }
  Model model = infer_model(input);
  model.name = document.value("ModelName", model.name);
  return model;
}

}  // namespace stator::design
