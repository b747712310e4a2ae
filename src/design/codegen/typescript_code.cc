#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "design/codegen/codegen.h"
#include "design/codegen/key_code.h"

namespace stator::design {

namespace {

std::string literal(const std::string& text) { return nlohmann::json(text).dump(); }

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
  for (const NamedValue& value : attribute.values) values += (values.empty() ? "" : " | ") + literal(value.value);
  return values;
}

// A property or a parameter; names that are no identifiers are written in quotes.
bool is_identifier(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") ==
             std::string::npos;
}
std::string property(const std::string& name) { return is_identifier(name) ? name : literal(name); }
std::string member(const std::string& scope, const std::string& name) {
  return is_identifier(name) ? scope + "." + name : scope + "[" + literal(name) + "]";
}

std::string part_code(const Part& part, const std::string& scope) {
  const std::string field = member(scope, part.text);
  if (part.kind == PartKind::literal) return literal(part.text);
  if (part.kind == PartKind::shard) {
    return part.shard_kind == ShardKind::calculated ? fmt::format("String(shardOf({}, {}))", field, part.shard_count)
                                                    : "String(shard)";
  }
  switch (part.format.kind) {
    case FormatKind::plain:
      return fmt::format("String({})", field);
    case FormatKind::number:
      return fmt::format("padded({}, {}, {})", field, part.format.width, part.format.decimals);
    case FormatKind::time: {
      constexpr int kLengths[] = {4, 7, 10, 13, 16, 19};
      return fmt::format("String({}).slice(0, {})", field, kLengths[static_cast<std::size_t>(part.format.unit)]);
    }
    case FormatKind::upper:
      return fmt::format("String({}).toUpperCase()", field);
    case FormatKind::lower:
      break;
  }
  return fmt::format("String({}).toLowerCase()", field);
}

std::string template_code(const Template& value, const std::string& scope, AttributeType type) {
  std::string out;
  for (const Part& part : value.parts()) out += (out.empty() ? "" : " + ") + part_code(part, scope);
  if (out.empty()) out = "\"\"";
  return type == AttributeType::number ? "Number(" + out + ")" : out;
}

bool needs_shard(const Template& value) {
  return value.shard() != nullptr && value.shard()->shard_kind != ShardKind::calculated;
}

bool entity_needs_shard(const Entity& entity) {
  for (const KeyTemplate& key : entity.keys)
    if (needs_shard(key.value)) return true;
  return false;
}

std::string condition_of(const Model& model, const Entity& entity, const KeyAttribute& key, const Template& value) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " && ") + text; };
  const bool table =
      model.table.partition_key.name == key.name || (model.table.sort_key && model.table.sort_key->name == key.name);
  for (const Index& index : model.indexes) {
    const bool own = index.partition_key.name == key.name || (index.sort_key && index.sort_key->name == key.name);
    const SparseCondition* sparse = entity.sparse_in(index.name);
    if (!own || table || sparse == nullptr) continue;
    const std::string field = member("of", sparse->attribute);
    std::string values;
    for (const std::string& one : sparse->values) values += (values.empty() ? "" : ", ") + literal(one);
    add(values.empty() ? field + " !== undefined" : fmt::format("[{}].includes(String({}))", values, field));
  }
  for (const std::string& field : value.fields()) {
    const Attribute* attribute = entity.attribute(field);
    if (attribute != nullptr && is_optional(*attribute)) add(member("of", field) + " !== undefined");
  }
  return out;
}

std::string entity_code(const Model& model, const Entity& entity) {
  const std::string name = pascal_name(entity.name);
  const auto fields = record_fields(model, entity);
  const bool typed = !model.table.type_attribute.empty() && entity.has_type;
  std::string out = "\n";
  if (!entity.description.empty()) out += fmt::format("/** {} */\n", entity.description);
  out += fmt::format("export interface {} {{\n  kind: {};\n", name, literal(entity.name));
  for (const Attribute* field : fields) {
    out += fmt::format("  {}{}: {};\n", property(field->name), is_optional(*field) ? "?" : "", type_name(*field));
  }
  const std::string shard = entity_needs_shard(entity) ? ", shard: number" : "";
  out += fmt::format("}}\n\nexport function keysOf{0}(of: {0}{1}): Item {{\n  const keys: Item = {{}};\n", name, shard);
  for (const KeyAttribute& key : model.key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr) continue;
    const std::string condition = condition_of(model, entity, key, *value);
    out += fmt::format("  {}keys[{}] = {};\n", condition.empty() ? "" : fmt::format("if ({}) ", condition),
                       literal(key.name), template_code(*value, "of", key.type));
  }
  out += fmt::format(
      "  return keys;\n}}\n\nexport function itemOf{0}(of: {0}{1}): Item {{\n  const item = keysOf{0}(of{2});\n", name,
      shard, shard.empty() ? "" : ", shard");
  if (typed) out += fmt::format("  item[{}] = {};\n", literal(model.table.type_attribute), literal(entity.type_value));
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored) continue;
    const std::string field = member("of", attribute.name);
    out +=
        fmt::format("  {}item[{}] = {};\n", is_optional(attribute) ? fmt::format("if ({} !== undefined) ", field) : "",
                    literal(attribute.name), field);
  }
  out += fmt::format("  return item;\n}}\n\nexport function read{0}(item: Item): {0} {{\n  return {{\n    kind: {1},\n",
                     name, literal(entity.name));
  const auto hidden = hidden_fields(model, entity);
  for (const Attribute* field : fields) {
    std::string value = fmt::format("item[{}]", literal(field->name));
    for (const HiddenField& one : hidden) {
      if (one.attribute != field) continue;
      value = fmt::format("found(/{}/, item[{}])", one.pattern, literal(one.key_attribute));
      if (field->type == AttributeType::number) value = fmt::format("Number({})", value);
    }
    out += fmt::format("    {}: {} as {}[{}],\n", property(field->name), value, name, literal(field->name));
  }
  return out + "  };\n}\n";
}

std::string condition_code(const KeyCondition& condition, std::size_t at) {
  switch (condition.op) {
    case KeyOperator::equal:
      return fmt::format("#k{0} = :k{0}", at);
    case KeyOperator::begins_with:
      return fmt::format("begins_with(#k{0}, :k{0})", at);
    case KeyOperator::less:
      return fmt::format("#k{0} < :k{0}", at);
    case KeyOperator::less_or_equal:
      return fmt::format("#k{0} <= :k{0}", at);
    case KeyOperator::greater:
      return fmt::format("#k{0} > :k{0}", at);
    case KeyOperator::greater_or_equal:
      return fmt::format("#k{0} >= :k{0}", at);
    case KeyOperator::between:
      break;
  }
  return fmt::format("#k{0} BETWEEN :k{0} AND :u{0}", at);
}

std::string request_code(const Model& model, const Pattern& pattern) {
  const auto type_of = [&](const std::string& attribute) {
    for (const KeyAttribute& key : model.key_attributes())
      if (key.name == attribute) return key.type;
    return AttributeType::string;
  };
  std::string out = "{\n    TableName: TABLE,\n";
  if (pattern.kind == PatternKind::get) {
    std::string key;
    for (const KeyCondition& condition : pattern.key) {
      key += fmt::format("{}{}: {}", key.empty() ? "" : ", ", property(condition.attribute),
                         template_code(condition.value, "by", type_of(condition.attribute)));
    }
    out += fmt::format("    Key: {{ {} }},\n", key);
  } else {
    if (!pattern.index.empty()) out += fmt::format("    IndexName: {},\n", literal(pattern.index));
    std::string expression;
    std::string names;
    std::string values;
    for (std::size_t at = 0; at < pattern.key.size(); ++at) {
      const KeyCondition& condition = pattern.key[at];
      const AttributeType type = type_of(condition.attribute);
      expression += (at == 0 ? "" : " AND ") + condition_code(condition, at);
      names += fmt::format("{}\"#k{}\": {}", at == 0 ? "" : ", ", at, literal(condition.attribute));
      values += fmt::format("{}\":k{}\": {}", at == 0 ? "" : ", ", at, template_code(condition.value, "by", type));
      if (condition.op == KeyOperator::between)
        values += fmt::format(", \":u{}\": {}", at, template_code(condition.upper, "by", type));
    }
    out += fmt::format(
        "    KeyConditionExpression: {},\n    ExpressionAttributeNames: {{ {} }},\n    ExpressionAttributeValues: {{ "
        "{} }},\n",
        literal(expression), names, values);
    if (pattern.order == Order::descending) out += "    ScanIndexForward: false,\n";
    if (pattern.limit) out += fmt::format("    Limit: {:.0f},\n", *pattern.limit);
  }
  if (pattern.consistency == Consistency::strong) out += "    ConsistentRead: true,\n";
  return out + "  }";
}

std::string pattern_code(const Model& model, const Pattern& pattern) {
  std::string members;
  for (const CodeParameter& parameter : code_parameters(model, pattern)) {
    members += fmt::format("{}{}: {}", members.empty() ? "" : "; ", property(parameter.name),
                           parameter.attribute == nullptr ? "string" : type_name(*parameter.attribute));
  }
  int shards = 1;
  for (const KeyCondition& condition : pattern.key)
    if (needs_shard(condition.value)) shards = condition.value.shard()->shard_count;
  const std::string parameters = members.empty() ? "" : fmt::format("by: {{ {} }}", members);
  std::string out = fmt::format("\n/** {}{} */\n", pattern.description.empty() ? pattern.name : pattern.description,
                                shards > 1 ? fmt::format(" (one request for each of {} shards)", shards) : "");
  if (shards > 1) {
    return out +
           fmt::format(
               "export function {}({}): Request[] {{\n  return Array.from({{ length: {} }}, (_, shard) => ({}));\n}}\n",
               camel_name(pattern.name), parameters, shards, request_code(model, pattern));
  }
  return out + fmt::format("export function {}({}): Request {{\n  return {};\n}}\n", camel_name(pattern.name),
                           parameters, request_code(model, pattern));
}

}  // namespace

std::string typescript_code(const Model& model) {
  std::string out = fmt::format(R"ts(// Entities and reads of the model {}.
// Written by `stator design codegen`; change the model and run it again. Values are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import {{ createHash }} from "node:crypto";

export const TABLE = {};

export type Item = Record<string, any>;
/** Input of a GetCommand or QueryCommand. */
export interface Request {{
  TableName: string;
  IndexName?: string;
  Key?: Item;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
  ScanIndexForward?: boolean;
  Limit?: number;
  ConsistentRead?: boolean;
}}

/** The shard of a value: md5 as a big-endian number, modulo the count. */
export function shardOf(value: unknown, count: number): number {{
  const digest = createHash("md5").update(String(value)).digest("hex");
  return Number(BigInt("0x" + digest) % BigInt(count));
}}

function padded(value: unknown, width: number, decimals: number): string {{
  return Number(value).toFixed(decimals).padStart(width, "0");
}}

function found(pattern: RegExp, text: unknown): string | undefined {{
  return typeof text === "string" ? pattern.exec(text)?.[1] : undefined;
}}

/** Items of several shards in the order of their sort key. */
export function merged(pages: Item[][], sortKey: string, descending = false): Item[] {{
  const sign = descending ? -1 : 1;
  return pages.flat().sort((a, b) => (a[sortKey] < b[sortKey] ? -sign : a[sortKey] > b[sortKey] ? sign : 0));
}}
)ts",
                                model.name, literal(model.table.name));
  for (const Entity& entity : model.entities) out += entity_code(model, entity);
  if (!model.table.type_attribute.empty()) {
    std::string names;
    std::string cases;
    for (const Entity& entity : model.entities) {
      if (!entity.has_type) continue;
      names += (names.empty() ? "" : " | ") + pascal_name(entity.name);
      cases += fmt::format("    case {}:\n      return read{}(item);\n", literal(entity.type_value),
                           pascal_name(entity.name));
    }
    out += fmt::format(
        "\nexport type AnyEntity = {};\n\n/** An item of a collection as the object that it is; `kind` tells them "
        "apart. */\n"
        "export function readItem(item: Item): AnyEntity {{\n  switch (item[{}]) {{\n{}    default:\n"
        "      throw new Error(`no entity has the type ${{item[{}]}}`);\n  }}\n}}\n",
        names, literal(model.table.type_attribute), cases, literal(model.table.type_attribute));
  }
  for (const Pattern& pattern : model.patterns)
    if (has_code(pattern)) out += pattern_code(model, pattern);
  return out;
}

}  // namespace stator::design
