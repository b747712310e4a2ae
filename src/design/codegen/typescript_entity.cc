#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::typescript {

namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         name.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") ==
             std::string::npos;
}

std::string member(const std::string& scope, const std::string& name) {
  return is_identifier(name) ? scope + "." + name : scope + "[" + code_literal(name) + "]";
}

std::string typescript_part(const Part& part, const std::string& scope) {
  const std::string field = member(scope, part.text);
  if (part.kind == PartKind::literal) return code_literal(part.text);
  if (part.kind == PartKind::shard) {
    return part.shard_kind == ShardKind::calculated
               ? fmt::format("String(shardOf({}, {}))", field, part.shard_count)
               : "String(shard)";
  }
  switch (part.format.kind) {
    case FormatKind::plain:
      return fmt::format("keyText({})", field);
    case FormatKind::number:
      return fmt::format("keyNumber({}, {}, {})", field, part.format.width, part.format.decimals);
    case FormatKind::time:
      return fmt::format("keyTime({}, {})", field, time_length(part.format.unit));
    case FormatKind::upper:
      return fmt::format("keyUpper({})", field);
    case FormatKind::lower:
      break;
  }
  return fmt::format("keyLower({})", field);
}

std::string presence_code(const std::vector<KeyPresence>& conditions) {
  std::string out;
  for (const KeyPresence& condition : conditions) {
    const std::string field = member("of", condition.field);
    std::string values;
    for (const std::string& one : condition.values)
      values += (values.empty() ? "" : ", ") + code_literal(one);
    out += out.empty() ? "" : " && ";
    out += values.empty() ? field + " !== undefined"
                          : fmt::format("[{}].includes(String({}))", values, field);
  }
  return out;
}

std::string interface_code(const Model& model, const Entity& entity, const Record& record) {
  const std::string name = pascal_name(entity.name);
  std::string out = "\n";
  if (!entity.description.empty()) out += fmt::format("/** {} */\n", entity.description);
  out += fmt::format("export interface {} {{\n  {}: {};\n", name, discriminator(model),
                     code_literal(entity.name));
  for (const RecordField& field : record.fields) {
    out += fmt::format("  {}{}: {}{};\n", property(field.attribute->name), field.optional ? "?" : "",
                       type_name(*field.attribute), field.optional ? " | undefined" : "");
  }
  out += fmt::format(
      "}}\n\nexport function is{0}(of: {{ {1}: string }}): of is {0} {{\n  return of.{1} === "
      "{2};\n}}\n",
      name, discriminator(model), code_literal(entity.name));
  return out;
}

std::string typescript_keys(const Model& model, const Entity& entity, const Record& record) {
  const std::string name = pascal_name(entity.name);
  std::string parameters;
  if (!record.key_fields.empty()) {
    std::string members;
    for (const std::string& field : record.key_fields)
      members += (members.empty() ? "" : " | ") + code_literal(field);
    parameters = fmt::format("of: Pick<{}, {}>", name, members);
  }
  if (record.random_shard_in_table_key)
    parameters += parameters.empty() ? "shard: number" : ", shard: number";
  std::string table;
  std::string all;
  for (const KeyAttribute& key : model.key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr) continue;
    const std::string code = template_code(*value, "of", key.type);
    if (is_table_key(model, key.name))
      table += fmt::format("{}{}: {}", table.empty() ? "" : ", ", property(key.name), code);
    const std::string condition = presence_code(key_presence(model, entity, record, key, *value));
    all += fmt::format("  {}keys[{}] = {};\n",
                       condition.empty() ? "" : fmt::format("if ({}) ", condition),
                       code_literal(key.name), code);
  }
  return fmt::format(
             "\n/** The table's key, for get, update and delete. */\nexport function "
             "keyOf{0}({1}): DynamoItem {{\n"
             "  return {{ {2} }};\n}}\n",
             name, parameters, table) +
         fmt::format(
             "\n/** The keys of the table and the indexes. */\nexport function keysOf{0}(of: "
             "{0}{1}): DynamoItem {{\n"
             "  const keys: DynamoItem = {{}};\n{2}  return keys;\n}}\n",
             name, record.random_shard ? ", shard: number" : "", all);
}

std::string item_code(const Model& model, const Entity& entity, const Record& record) {
  const std::string name = pascal_name(entity.name);
  const std::string_view shard = record.random_shard ? ", shard: number" : "";
  const std::string_view with_shard = record.random_shard ? ", shard" : "";
  std::string out = fmt::format(
      "\nexport function itemOf{0}(of: {0}{1}): DynamoItem {{\n  const item = keysOf{0}(of{2});\n",
      name, shard, with_shard);
  if (!model.table.type_attribute.empty() && entity.has_type) {
    out += fmt::format("  item[{}] = {};\n", code_literal(model.table.type_attribute),
                       code_literal(entity.type_value));
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored) continue;
    const std::string field = member("of", attribute.name);
    out += fmt::format("  {}item[{}] = {};\n",
                       attribute.present < 1 ? fmt::format("if ({} !== undefined) ", field) : "",
                       code_literal(attribute.name), field);
  }
  out += "  return item;\n}\n\n";
  const std::string item = fmt::format("itemOf{}(of{})", name, with_shard);
  if (record.version == nullptr) {
    return out + fmt::format(
                     "export function put{0}(of: {0}{1}): PutRequest {{\n  return {{ TableName: "
                     "TABLE, Item: {2} }};\n}}\n",
                     name, shard, item);
  }
  return out + fmt::format(
                   "/** Refused where the version is no longer that of the object (0: where there "
                   "is one). */\n"
                   "export function put{0}(of: {0}{1}): PutRequest {{\n  return versionedPut({2}, "
                   "{3});\n}}\n",
                   name, shard, item, member("of", record.version->name));
}

std::string read_code(const Model& model, const Entity& entity, const Record& record) {
  const std::string name = pascal_name(entity.name);
  std::string out = fmt::format(
      "\nexport function read{0}(item: DynamoItem): {0} {{\n  return {{\n    {1}: {2},\n", name,
      discriminator(model), code_literal(entity.name));
  for (const RecordField& field : record.fields) {
    std::string value = fmt::format("item[{}]", code_literal(field.attribute->name));
    if (field.hidden != nullptr) {
      value = fmt::format("{}(/{}/, item[{}])",
                          field.attribute->type == AttributeType::number ? "foundNumber" : "found",
                          field.hidden->pattern, code_literal(field.hidden->key_attribute));
    }
    out += fmt::format("    {}: {} as {}[{}],\n", property(field.attribute->name), value, name,
                       code_literal(field.attribute->name));
  }
  return out + "  };\n}\n";
}

}  // namespace

std::string discriminator(const Model& model) {
  std::string name = "$type";
  const auto taken = [&](const Entity& entity) { return entity.attribute(name) != nullptr; };
  while (std::any_of(model.entities.begin(), model.entities.end(), taken)) name += "$";
  return name;
}

std::string type_name(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::string:
      break;
    case AttributeType::number:
      return "number";
    case AttributeType::binary:
      return "Uint8Array";
    case AttributeType::boolean:
      return "boolean";
    case AttributeType::null:
      return "null";
    case AttributeType::list:
      return "unknown[]";
    case AttributeType::map:
      return "Record<string, unknown>";
    default:
      return "Set<unknown>";
  }
  if (attribute.values.empty()) return "string";
  std::string values;
  for (const NamedValue& value : attribute.values)
    values += (values.empty() ? "" : " | ") + code_literal(value.value);
  return values;
}

std::string property(const std::string& name) {
  return is_identifier(name) ? name : code_literal(name);
}

std::string template_code(const Template& value, const std::string& scope, AttributeType type) {
  std::string out;
  for (const Part& part : value.parts()) out += (out.empty() ? "" : " + ") + typescript_part(part, scope);
  if (out.empty()) out = "\"\"";
  return type == AttributeType::number ? "Number(" + out + ")" : out;
}

std::string entity_code(const Model& model, const Entity& entity) {
  const Record record(model, entity);
  return interface_code(model, entity, record) + typescript_keys(model, entity, record) +
         item_code(model, entity, record) + read_code(model, entity, record);
}

}  // namespace stator::design::typescript
