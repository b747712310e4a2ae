#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "design/deploy/table_definition.h"

// The table of a model for tools that create infrastructure from text.
namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

const KeyAttribute* sort_key_of(const Index& index) { return index.sort_key ? &*index.sort_key : nullptr; }

// A YAML scalar that no reader takes for something else.
std::string quoted(const std::string& text) { return OrderedJson(text).dump(); }

// Plain words as they are, everything that YAML could read as something else in quotes.
std::string yaml_scalar(const OrderedJson& value) {
  if (!value.is_string()) return value.dump();
  const std::string& text = value.get_ref<const std::string&>();
  const bool word =
      !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == std::string::npos;
  constexpr std::string_view kReserved[] = {"true", "false", "yes", "no", "on", "off", "null"};
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool reserved = std::find(std::begin(kReserved), std::end(kReserved), lower) != std::end(kReserved);
  return word && !reserved ? text : value.dump();
}

// YAML of a JSON value in block style. CloudFormation reads JSON's scalars as they are.
void append_yaml(std::string& out, const OrderedJson& value, int indent) {
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      out += blanks + name + ":";
      if (member.is_structured()) {
        out += '\n';
        append_yaml(out, member, indent + 2);
      } else {
        out += ' ' + yaml_scalar(member) + '\n';
      }
    }
  } else if (value.is_array()) {
    for (const OrderedJson& element : value) {
      if (!element.is_structured()) {
        out += blanks + "- " + yaml_scalar(element) + "\n";
        continue;
      }
      std::string inner;
      append_yaml(inner, element, indent + 2);
      inner[static_cast<std::size_t>(indent)] = '-';
      out += inner;
    }
  }
}

std::string_view projection_type(const Projection& projection) {
  switch (projection.kind) {
    case ProjectionKind::all:
      return "ALL";
    case ProjectionKind::keys_only:
      return "KEYS_ONLY";
    case ProjectionKind::include:
      break;
  }
  return "INCLUDE";
}

std::string terraform_index(const Model& model, const Index& index) {
  const bool global = index.kind == IndexKind::global;
  std::string out = fmt::format("\n  {} {{\n    name            = {}\n",
                                global ? "global_secondary_index" : "local_secondary_index", quoted(index.name));
  if (global) out += fmt::format("    hash_key        = {}\n", quoted(index.partition_key.name));
  if (const KeyAttribute* sort = sort_key_of(index))
    out += fmt::format("    range_key       = {}\n", quoted(sort->name));
  out += fmt::format("    projection_type = \"{}\"\n", projection_type(index.projection));
  if (index.projection.kind == ProjectionKind::include) {
    out += fmt::format("    non_key_attributes = {}\n", OrderedJson(index.projection.attributes).dump());
  }
  if (global && model.table.capacity.mode == CapacityMode::provisioned) {
    const Capacity& capacity = index.capacity ? *index.capacity : model.table.capacity;
    out +=
        fmt::format("    read_capacity   = {}\n    write_capacity  = {}\n", capacity.read_units, capacity.write_units);
  }
  return out + "  }\n";
}

// A scaling target and its policy for one direction of the table or an index.
std::string terraform_scaling(const std::string& resource, const std::string& suffix, const std::string& resource_id,
                              std::string_view dimension, std::string_view metric, const AutoScaling& scaling) {
  const std::string name = resource + "_" + suffix;
  return fmt::format(R"(
resource "aws_appautoscaling_target" "{0}" {{
  service_namespace  = "dynamodb"
  resource_id        = "{1}"
  scalable_dimension = "dynamodb:{2}"
  min_capacity       = {4}
  max_capacity       = {5}
}}

resource "aws_appautoscaling_policy" "{0}" {{
  name               = "{0}"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.{0}.service_namespace
  resource_id        = aws_appautoscaling_target.{0}.resource_id
  scalable_dimension = aws_appautoscaling_target.{0}.scalable_dimension

  target_tracking_scaling_policy_configuration {{
    target_value = {6}
    predefined_metric_specification {{
      predefined_metric_type = "{3}"
    }}
  }}
}}
)",
                     name, resource_id, dimension, metric, scaling.minimum, scaling.maximum,
                     scaling.target_utilization * 100);
}

std::string terraform_scaling_of(const std::string& resource, const std::string& resource_id, std::string_view kind,
                                 const Capacity& capacity) {
  std::string out;
  if (capacity.read_scaling) {
    out += terraform_scaling(resource, "read", resource_id, fmt::format("{}:ReadCapacityUnits", kind),
                             "DynamoDBReadCapacityUtilization", *capacity.read_scaling);
  }
  if (capacity.write_scaling) {
    out += terraform_scaling(resource, "write", resource_id, fmt::format("{}:WriteCapacityUnits", kind),
                             "DynamoDBWriteCapacityUtilization", *capacity.write_scaling);
  }
  return out;
}

}  // namespace

std::string resource_identifier(const std::string& name, bool underscores) {
  std::string out;
  bool upper = !underscores;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      if (underscores) out += '_';
      upper = !underscores;
      continue;
    }
    out += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0)
    out.insert(0, underscores ? "table_" : "Table");
  return out;
}

std::string cloudformation_text(const Model& model) {
  OrderedJson properties = create_table_request(model);
  if (properties.contains("StreamSpecification")) properties["StreamSpecification"].erase("StreamEnabled");
  if (!model.ttl_attribute().empty()) {
    properties["TimeToLiveSpecification"] = {{"AttributeName", std::string(model.ttl_attribute())}, {"Enabled", true}};
  }
  const std::string name = resource_identifier(model.table.name, false);
  OrderedJson document;
  document["AWSTemplateFormatVersion"] = "2010-09-09";
  document["Description"] = fmt::format("Table of the model {}", model.name);
  document["Resources"][name] = {{"Type", "AWS::DynamoDB::Table"},
                                 {"DeletionPolicy", "Retain"},
                                 {"UpdateReplacePolicy", "Retain"},
                                 {"Properties", properties}};
  std::string out;
  append_yaml(out, document, 0);
  out += fmt::format("Outputs:\n  {0}Arn:\n    Value: !GetAtt {0}.Arn\n", name);
  return out;
}

std::string terraform_text(const Model& model) {
  const Table& table = model.table;
  const std::string name = resource_identifier(table.name, true);
  const bool provisioned = table.capacity.mode == CapacityMode::provisioned;
  std::string out =
      fmt::format("resource \"aws_dynamodb_table\" \"{}\" {{\n  name         = {}\n  billing_mode = \"{}\"\n", name,
                  quoted(table.name), provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (provisioned) {
    out += fmt::format("  read_capacity  = {}\n  write_capacity = {}\n", table.capacity.read_units,
                       table.capacity.write_units);
  }
  out += fmt::format("  hash_key     = {}\n", quoted(table.partition_key.name));
  if (table.sort_key) out += fmt::format("  range_key    = {}\n", quoted(table.sort_key->name));
  if (!table.stream_view.empty()) {
    out += fmt::format("  stream_enabled   = true\n  stream_view_type = \"{}\"\n", table.stream_view);
  }
  for (const KeyAttribute& key : model.key_attributes()) {
    out += fmt::format("\n  attribute {{\n    name = {}\n    type = \"{}\"\n  }}\n", quoted(key.name),
                       attribute_type_text(key.type));
  }
  for (const Index& index : model.indexes) out += terraform_index(model, index);
  if (!model.ttl_attribute().empty()) {
    out += fmt::format("\n  ttl {{\n    attribute_name = {}\n    enabled        = true\n  }}\n",
                       quoted(std::string(model.ttl_attribute())));
  }
  const bool scaled = provisioned && (table.capacity.read_scaling || table.capacity.write_scaling);
  if (scaled) out += "\n  lifecycle {\n    ignore_changes = [read_capacity, write_capacity]\n  }\n";
  out += "}\n";
  if (provisioned) {
    out += terraform_scaling_of(name, "table/" + table.name, "table", table.capacity);
    for (const Index& index : model.indexes) {
      if (index.kind != IndexKind::global) continue;
      out += terraform_scaling_of(name + "_" + resource_identifier(index.name, true),
                                  fmt::format("table/{}/index/{}", table.name, index.name), "index",
                                  index.capacity.value_or(table.capacity));
    }
  }
  return out;
}

std::string cli_text(const Model& model) {
  OrderedJson request = create_table_request(model);
  std::string out = "#!/bin/sh\n# Creates the table of the model " + model.name +
                    ". Point it elsewhere with AWS_ENDPOINT_URL.\nset -e\n";
  // Names come from the model, so the text is quoted for the shell.
  const auto shell = [](const std::string& text) {
    std::string quoted_text = "'";
    for (const char c : text) quoted_text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted_text + "'";
  };
  out += fmt::format("aws dynamodb create-table --cli-input-json {}\n", shell("\n" + request.dump(2) + "\n"));
  out += fmt::format("aws dynamodb wait table-exists --table-name {}\n", shell(model.table.name));
  if (const OrderedJson ttl = time_to_live_request(model); !ttl.is_null()) {
    out += fmt::format("aws dynamodb update-time-to-live --table-name {} \\\n  --time-to-live-specification {}\n",
                       shell(model.table.name), shell(ttl["TimeToLiveSpecification"].dump()));
  }
  return out;
}

}  // namespace stator::design
