#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "design/codegen/codegen.h"
#include "design/codegen/key_code.h"

namespace stator::design {

namespace {

std::string literal(const std::string& text) { return nlohmann::json(text).dump(); }

std::string_view type_name(AttributeType type) {
  switch (type) {
    case AttributeType::string:
      return "str";
    case AttributeType::number:
      return "Decimal";
    case AttributeType::binary:
      return "Any";  // boto3's Binary, or bytes
    case AttributeType::boolean:
      return "bool";
    case AttributeType::null:
      return "None";
    case AttributeType::list:
      return "list[Any]";
    case AttributeType::map:
      return "dict[str, Any]";
    default:
      return "set[Any]";
  }
}

// One part of a template as an expression that gives text. `scope` stands before a field's name.
std::string part_code(const Part& part, const std::string& scope) {
  const std::string field = scope + snake_name(part.text);
  if (part.kind == PartKind::literal) return literal(part.text);
  if (part.kind == PartKind::shard) {
    return part.shard_kind == ShardKind::calculated ? fmt::format("str(shard_of({}, {}))", field, part.shard_count)
                                                    : "str(shard)";
  }
  switch (part.format.kind) {
    case FormatKind::plain:
      return fmt::format("text_of({})", field);
    case FormatKind::number:
      return fmt::format("padded({}, {}, {})", field, part.format.width, part.format.decimals);
    case FormatKind::time: {
      constexpr int kLengths[] = {4, 7, 10, 13, 16, 19};
      return fmt::format("text_of({})[:{}]", field, kLengths[static_cast<std::size_t>(part.format.unit)]);
    }
    case FormatKind::upper:
      return fmt::format("text_of({}).upper()", field);
    case FormatKind::lower:
      break;
  }
  return fmt::format("text_of({}).lower()", field);
}

std::string template_code(const Template& value, const std::string& scope, AttributeType type) {
  std::string out;
  for (const Part& part : value.parts()) out += (out.empty() ? "" : " + ") + part_code(part, scope);
  if (out.empty()) out = "\"\"";
  return type == AttributeType::number ? "Decimal(" + out + ")" : out;
}

bool needs_shard(const Template& value) {
  return value.shard() != nullptr && value.shard()->shard_kind != ShardKind::calculated;
}

std::string keys_code(const Model& model, const Entity& entity) {
  bool shard = false;
  for (const KeyTemplate& key : entity.keys) shard = shard || needs_shard(key.value);
  std::string out = fmt::format("    def keys(self{}) -> dict[str, Any]:\n        keys: dict[str, Any] = {{}}\n",
                                shard ? ", shard: int" : "");
  for (const KeyAttribute& key : model.key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr) continue;
    std::vector<std::string> conditions;
    for (const Index& index : model.indexes) {
      const bool own = index.partition_key.name == key.name || (index.sort_key && index.sort_key->name == key.name);
      const bool table = model.table.partition_key.name == key.name ||
                         (model.table.sort_key && model.table.sort_key->name == key.name);
      const SparseCondition* sparse = entity.sparse_in(index.name);
      if (!own || table || sparse == nullptr) continue;
      const std::string field = "self." + snake_name(sparse->attribute);
      if (sparse->values.empty()) {
        conditions.push_back(field + " is not None");
      } else {
        std::string values;
        for (const std::string& one : sparse->values) values += literal(one) + ", ";
        conditions.push_back(fmt::format("text_of({}) in ({})", field, values.substr(0, values.size() - 1)));
      }
    }
    for (const std::string& field : value->fields()) {
      const Attribute* attribute = entity.attribute(field);
      if (attribute != nullptr && is_optional(*attribute))
        conditions.push_back("self." + snake_name(field) + " is not None");
    }
    std::string condition;
    for (const std::string& one : conditions) condition += (condition.empty() ? "" : " and ") + one;
    const std::string indent = condition.empty() ? "        " : "            ";
    if (!condition.empty()) out += fmt::format("        if {}:\n", condition);
    out += fmt::format("{}keys[{}] = {}\n", indent, literal(key.name), template_code(*value, "self.", key.type));
  }
  return out + "        return keys\n";
}

std::string entity_code(const Model& model, const Entity& entity) {
  const std::string name = pascal_name(entity.name);
  std::string out = fmt::format("\n\n@dataclass\nclass {}:\n", name);
  if (!entity.description.empty()) out += fmt::format("    {}\n\n", literal(entity.description));
  const auto fields = record_fields(model, entity);
  for (const Attribute* field : fields) {
    out += fmt::format(
        "    {}: {}{}\n", snake_name(field->name),
        is_optional(*field) ? fmt::format("Optional[{}]", type_name(field->type)) : std::string(type_name(field->type)),
        is_optional(*field) ? " = None" : "");
  }
  out += "\n" + keys_code(model, entity);
  bool shard = false;
  for (const KeyTemplate& key : entity.keys) shard = shard || needs_shard(key.value);
  out += fmt::format("\n    def item(self{}) -> dict[str, Any]:\n        item = self.keys({})\n",
                     shard ? ", shard: int" : "", shard ? "shard" : "");
  if (!model.table.type_attribute.empty() && entity.has_type) {
    out += fmt::format("        item[{}] = {}\n", literal(model.table.type_attribute), literal(entity.type_value));
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored) continue;
    if (is_optional(attribute)) out += fmt::format("        if self.{} is not None:\n    ", snake_name(attribute.name));
    out += fmt::format("        item[{}] = self.{}\n", literal(attribute.name), snake_name(attribute.name));
  }
  out += fmt::format(
      "        return item\n\n    @staticmethod\n    def from_item(item: dict[str, Any]) -> {}:\n        return {}(\n",
      name, name);
  const auto hidden = hidden_fields(model, entity);
  for (const Attribute* field : fields) {
    const std::string name_text = literal(field->name);
    std::string value =
        is_optional(*field) ? fmt::format("item.get({})", name_text) : fmt::format("item[{}]", name_text);
    for (const HiddenField& one : hidden) {
      if (one.attribute != field) continue;
      value = fmt::format("found(r\"{}\", item{})", one.pattern,
                          is_optional(*field) ? fmt::format(".get({})", literal(one.key_attribute))
                                              : fmt::format("[{}]", literal(one.key_attribute)));
      if (field->type == AttributeType::number) value = fmt::format("Decimal({})", value);
    }
    out += fmt::format("            {}={},\n", snake_name(field->name), value);
  }
  return out + "        )\n";
}

std::string condition_code(const KeyCondition& condition, std::string_view name, std::string_view value,
                           std::string_view upper) {
  switch (condition.op) {
    case KeyOperator::equal:
      return fmt::format("{} = {}", name, value);
    case KeyOperator::begins_with:
      return fmt::format("begins_with({}, {})", name, value);
    case KeyOperator::less:
      return fmt::format("{} < {}", name, value);
    case KeyOperator::less_or_equal:
      return fmt::format("{} <= {}", name, value);
    case KeyOperator::greater:
      return fmt::format("{} > {}", name, value);
    case KeyOperator::greater_or_equal:
      return fmt::format("{} >= {}", name, value);
    case KeyOperator::between:
      break;
  }
  return fmt::format("{} BETWEEN {} AND {}", name, value, upper);
}

std::string pattern_code(const Model& model, const Pattern& pattern) {
  std::string parameters;
  for (const CodeParameter& parameter : code_parameters(model, pattern)) {
    parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", snake_name(parameter.name),
                              parameter.attribute == nullptr ? "str" : type_name(parameter.attribute->type));
  }
  int shards = 1;
  for (const KeyCondition& condition : pattern.key)
    if (needs_shard(condition.value)) shards = condition.value.shard()->shard_count;
  const std::string inner = shards > 1 ? "        " : "    ";
  std::string out = fmt::format("\n\ndef {}({}) -> {}:\n", snake_name(pattern.name), parameters,
                                shards > 1 ? "list[dict[str, Any]]" : "dict[str, Any]");
  const std::string what = pattern.description.empty() ? pattern.name : pattern.description;
  out += fmt::format(
      "    {}\n",
      literal(fmt::format("{}: arguments of {}{}.", what, pattern.kind == PatternKind::get ? "get_item" : "query",
                          shards > 1 ? fmt::format(", one for each of {} shards", shards) : "")));
  if (shards > 1) out += fmt::format("    requests = []\n    for shard in range({}):\n", shards);
  std::string request = "{\n" + inner + "    \"TableName\": TABLE,\n";
  const auto type_of = [&](const std::string& attribute) {
    for (const KeyAttribute& key : model.key_attributes())
      if (key.name == attribute) return key.type;
    return AttributeType::string;
  };
  if (pattern.kind == PatternKind::get) {
    request += inner + "    \"Key\": {";
    bool first = true;
    for (const KeyCondition& condition : pattern.key) {
      request += fmt::format("{}{}: {}", first ? "" : ", ", literal(condition.attribute),
                             template_code(condition.value, "", type_of(condition.attribute)));
      first = false;
    }
    request += "},\n";
  } else {
    if (!pattern.index.empty()) request += inner + fmt::format("    \"IndexName\": {},\n", literal(pattern.index));
    std::string expression;
    std::string names;
    std::string values;
    for (std::size_t at = 0; at < pattern.key.size(); ++at) {
      const KeyCondition& condition = pattern.key[at];
      const AttributeType type = type_of(condition.attribute);
      expression += (at == 0 ? "" : " AND ") + condition_code(condition, fmt::format("#k{}", at),
                                                              fmt::format(":k{}", at), fmt::format(":u{}", at));
      names += fmt::format("{}\"#k{}\": {}", at == 0 ? "" : ", ", at, literal(condition.attribute));
      values += fmt::format("{}\":k{}\": {}", at == 0 ? "" : ", ", at, template_code(condition.value, "", type));
      if (condition.op == KeyOperator::between)
        values += fmt::format(", \":u{}\": {}", at, template_code(condition.upper, "", type));
    }
    request += inner + fmt::format("    \"KeyConditionExpression\": {},\n", literal(expression));
    request += inner + fmt::format("    \"ExpressionAttributeNames\": {{{}}},\n", names);
    request += inner + fmt::format("    \"ExpressionAttributeValues\": {{{}}},\n", values);
    if (pattern.order == Order::descending) request += inner + "    \"ScanIndexForward\": False,\n";
    if (pattern.limit) request += inner + fmt::format("    \"Limit\": {:.0f},\n", *pattern.limit);
  }
  if (pattern.consistency == Consistency::strong) request += inner + "    \"ConsistentRead\": True,\n";
  request += inner + "}";
  out += shards > 1 ? fmt::format("        requests.append({})\n    return requests\n", request)
                    : fmt::format("    return {}\n", request);
  return out;
}

}  // namespace

std::string python_code(const Model& model) {
  std::string out = fmt::format(R"py("""Entities and reads of the model {}.

Written by `stator design codegen`; change the model and run it again. Values are those of boto3's resources: text as str,
numbers as Decimal. Filters are left to the caller.
"""

from __future__ import annotations

import hashlib
import heapq
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Iterable, Optional

TABLE = {}


def shard_of(value: Any, count: int) -> int:
    "The shard of a value: md5 as a big-endian number, modulo the count."
    return int.from_bytes(hashlib.md5(text_of(value).encode()).digest(), "big") % count


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value)


def padded(value: Any, width: int, decimals: int) -> str:
    return format(Decimal(value), f"0{{width}}.{{decimals}}f")


def found(pattern: str, text: Optional[str]) -> Any:
    match = re.match(pattern, text) if text is not None else None
    return match.group(1) if match else None


def merged(pages: Iterable[list[dict[str, Any]]], sort_key: str, descending: bool = False) -> list[dict[str, Any]]:
    "Items of several shards in the order of their sort key."
    return list(heapq.merge(*pages, key=lambda item: item[sort_key], reverse=descending))
)py",
                                model.name, literal(model.table.name));
  for (const Entity& entity : model.entities) out += entity_code(model, entity);
  if (!model.table.type_attribute.empty()) {
    out += "\n\nTYPES = {\n";
    for (const Entity& entity : model.entities)
      if (entity.has_type) out += fmt::format("    {}: {},\n", literal(entity.type_value), pascal_name(entity.name));
    out += fmt::format(
        "}}\n\n\ndef read_item(item: dict[str, Any]) -> Any:\n    \"An item of a collection as the object that it "
        "is.\"\n"
        "    return TYPES[item[{}]].from_item(item)\n",
        literal(model.table.type_attribute));
  }
  for (const Pattern& pattern : model.patterns)
    if (has_code(pattern)) out += pattern_code(model, pattern);
  return out;
}

}  // namespace stator::design
