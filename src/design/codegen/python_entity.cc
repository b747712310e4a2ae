#include <fmt/format.h>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::python {

namespace {

// One part of a template as an expression that gives text.
std::string python_part(const Part& part, const std::string& scope) {
  const std::string field = scope + snake_name(part.text);
  if (part.kind == PartKind::literal) return code_literal(part.text);
  if (part.kind == PartKind::shard) {
    return part.shard_kind == ShardKind::calculated
               ? fmt::format("str(shard_of({}, {}))", field, part.shard_count)
               : "str(shard)";
  }
  switch (part.format.kind) {
    case FormatKind::plain:
      return fmt::format("_text({})", field);
    case FormatKind::number:
      return fmt::format("_padded({}, {}, {})", field, part.format.width, part.format.decimals);
    case FormatKind::time:
      return fmt::format("_cut({}, {})", field, time_length(part.format.unit));
    case FormatKind::upper:
      return fmt::format("_upper({})", field);
    case FormatKind::lower:
      break;
  }
  return fmt::format("_lower({})", field);
}

std::string presence_code(const std::vector<KeyPresence>& conditions, const Record& record) {
  std::string out;
  for (const KeyPresence& condition : conditions) {
    const std::string field = "self." + snake_name(condition.field);
    std::string values;
    for (const std::string& one : condition.values) values += code_literal(one) + ", ";
    out += out.empty() ? "" : " and ";
    const RecordField* declared = record.field(condition.field);
    const bool text = declared == nullptr || declared->attribute->type == AttributeType::string;
    const bool optional = declared != nullptr && declared->optional;
    if (values.empty() || (optional && !text)) out += field + " is not None";
    if (!values.empty() && optional && !text) out += " and ";
    if (!values.empty())
      out += fmt::format("{} in ({})", text ? field : "_text(" + field + ")",
                         values.substr(0, values.size() - 1));
  }
  return out;
}

// Arguments of the static method that makes the table's key.
std::string key_arguments(const Record& record, bool typed) {
  std::string out;
  for (const std::string& name : record.key_fields) {
    const RecordField* field = record.field(name);
    out += (out.empty() ? "" : ", ") + snake_name(name);
    if (typed)
      out += fmt::format(": {}", field == nullptr ? "str" : type_name(field->attribute->type));
  }
  if (record.random_shard_in_table_key)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", typed ? "shard: int" : "shard");
  return out;
}

std::string python_keys(const Model& model, const Entity& entity, const Record& record) {
  std::string table;
  std::string out = fmt::format(
      "    def keys(self{}) -> DynamoItem:\n        \"The keys of the table and the indexes.\"\n   "
      "     keys: DynamoItem = {{}}\n",
      record.random_shard ? ", shard: int" : "");
  for (const KeyAttribute& key : model.key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr) continue;
    if (is_table_key(model, key.name)) {
      table += fmt::format("{}{}: {}", table.empty() ? "" : ", ", code_literal(key.name),
                           template_code(*value, "", key.type));
    }
    const std::string condition =
        presence_code(key_presence(model, entity, record, key, *value), record);
    const std::string indent = condition.empty() ? "        " : "            ";
    if (!condition.empty()) out += fmt::format("        if {}:\n", condition);
    out += fmt::format("{}keys[{}] = {}\n", indent, code_literal(key.name),
                       template_code(*value, "self.", key.type));
  }
  return fmt::format(
             "    @staticmethod\n    def key({}) -> DynamoItem:\n        \"The table's key, for "
             "get, update and delete.\"\n"
             "        return {{{}}}\n\n",
             key_arguments(record, true), table) +
         out + "        return keys\n";
}

std::string reading_code(const Record& record) {
  std::string out;
  for (const RecordField& field : record.fields) {
    const std::string name = code_literal(field.attribute->name);
    std::string value =
        field.optional ? fmt::format("item.get({})", name) : fmt::format("item[{}]", name);
    if (field.hidden != nullptr) {
      value = fmt::format("_found(r\"{}\", item{})", field.hidden->pattern,
                          field.optional
                              ? fmt::format(".get({})", code_literal(field.hidden->key_attribute))
                              : fmt::format("[{}]", code_literal(field.hidden->key_attribute)));
      if (field.attribute->type == AttributeType::number) value = fmt::format("_number({})", value);
    }
    out += fmt::format("            {}={},\n", snake_name(field.attribute->name), value);
  }
  return out;
}

}  // namespace

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

std::string template_code(const Template& value, const std::string& scope, AttributeType type) {
  std::string out;
  for (const Part& part : value.parts()) out += (out.empty() ? "" : " + ") + python_part(part, scope);
  if (out.empty()) out = "\"\"";
  return type == AttributeType::number ? "Decimal(" + out + ")" : out;
}

std::string entity_code(const Model& model, const Entity& entity) {
  const Record record(model, entity);
  const std::string name = pascal_name(entity.name);
  std::string out = fmt::format("\n\n@dataclass\nclass {}:\n", name);
  if (!entity.description.empty())
    out += fmt::format("    {}\n\n", code_literal(entity.description));
  for (const RecordField& field : record.fields) {
    const std::string type(type_name(field.attribute->type));
    out += fmt::format("    {}: {}\n", snake_name(field.attribute->name),
                       field.optional ? fmt::format("Optional[{}] = None", type) : type);
  }
  out += "\n" + python_keys(model, entity, record);
  const std::string_view shard = record.random_shard ? ", shard: int" : "";
  const std::string_view with_shard = record.random_shard ? "shard" : "";
  out += fmt::format("\n    def item(self{}) -> DynamoItem:\n        item = self.keys({})\n", shard,
                     with_shard);
  if (!model.table.type_attribute.empty() && entity.has_type) {
    out += fmt::format("        item[{}] = {}\n", code_literal(model.table.type_attribute),
                       code_literal(entity.type_value));
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored) continue;
    const std::string field = snake_name(attribute.name);
    if (attribute.present < 1) out += fmt::format("        if self.{} is not None:\n    ", field);
    out += fmt::format("        item[{}] = self.{}\n", code_literal(attribute.name), field);
  }
  out += "        return item\n";
  out += fmt::format(
      "\n    def put(self{}) -> DynamoRequest:\n        {}\n        return _put(self.item({}){})\n",
      shard,
      record.version == nullptr
          ? "\"Arguments of put_item.\""
          : "\"Arguments of put_item: refused where the version is no longer that of the object "
            "(0: where there is one).\"",
      with_shard, record.version == nullptr ? "" : ", self." + snake_name(record.version->name));
  out += fmt::format(
      "\n    @staticmethod\n    def from_item(item: DynamoItem) -> {0}:\n        return {0}(\n",
      name);
  return out + reading_code(record) + "        )\n";
}

}  // namespace stator::design::python
