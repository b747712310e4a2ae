#include "design/codegen/key_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/codegen/names.h"

namespace stator::design {

namespace {

std::string escape_expression(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}/").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The template as a regular expression in which the field is the group; empty where it is not
// there, or not whole (a time of which only the day is in the key) and `whole_only` is asked for.
std::string expression_for(const Template& key, const Entity& entity, std::string_view field,
                           char delimiter, bool whole_only) {
  std::string out = "^";
  bool found = false;
  for (const Part& part : key.parts()) {
    if (part.kind == PartKind::literal) {
      out += escape_expression(part.text);
      continue;
    }
    const Attribute* attribute =
        part.kind == PartKind::field ? entity.attribute(part.text) : nullptr;
    const bool path = attribute != nullptr && attribute->format == ValueFormat::path;
    const std::string any =
        path ? ".+" : fmt::format("[^{}]+", escape_expression(std::string(1, delimiter)));
    const bool whole =
        part.format.kind == FormatKind::plain || part.format.kind == FormatKind::number;
    const bool own =
        part.kind == PartKind::field && part.text == field && !found && (whole || !whole_only);
    out += own ? "(" + any + ")" : any;
    found = found || own;
  }
  return found ? out + "$" : "";
}

}  // namespace

std::vector<HiddenField> hidden_fields(const Model& model, const Entity& entity) {
  std::vector<HiddenField> fields;
  const auto find = [&](const Attribute& attribute, bool whole_only) {
    for (const KeyAttribute& key : model.key_attributes()) {
      const Template* value = entity.key(key.name);
      if (value == nullptr || !value->uses(attribute.name)) continue;
      const std::string expression =
          expression_for(*value, entity, attribute.name, model.delimiter, whole_only);
      if (expression.empty()) continue;
      fields.push_back({&attribute, key.name, expression});
      return true;
    }
    return false;
  };
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored && !find(attribute, true)) find(attribute, false);
  }
  return fields;
}

bool is_table_key(const Model& model, std::string_view attribute) {
  return model.table.partition_key.name == attribute ||
         (model.table.sort_key && model.table.sort_key->name == attribute);
}

AttributeType key_type(const Model& model, std::string_view attribute) {
  for (const KeyAttribute& key : model.key_attributes())
    if (key.name == attribute) return key.type;
  return AttributeType::string;
}

bool needs_shard(const Template& value) {
  return value.shard() != nullptr && value.shard()->shard_kind != ShardKind::calculated;
}

int time_length(TimeUnit unit) {
  constexpr int kLengths[] = {4, 7, 10, 13, 16, 19};
  return kLengths[static_cast<std::size_t>(unit)];
}

namespace {

// Whether items can be without a key of an index.
bool can_be_absent(const Model& model, const Entity& entity, const std::string& key_attribute) {
  if (is_table_key(model, key_attribute)) return false;
  for (const Index& index : model.indexes) {
    const bool own = index.partition_key.name == key_attribute ||
                     (index.sort_key && index.sort_key->name == key_attribute);
    if (own && entity.sparse_in(index.name) != nullptr) return true;
  }
  const Template* value = entity.key(key_attribute);
  if (value == nullptr) return true;
  const std::vector<std::string> fields = value->fields();
  return std::any_of(fields.begin(), fields.end(), [&](const std::string& name) {
    const Attribute* attribute = entity.attribute(name);
    return attribute != nullptr && attribute->present < 1;
  });
}

}  // namespace

Record::Record(const Model& model, const Entity& entity) : hidden(hidden_fields(model, entity)) {
  for (const Attribute& attribute : entity.attributes) {
    const auto found = std::find_if(hidden.begin(), hidden.end(), [&](const HiddenField& one) {
      return one.attribute == &attribute;
    });
    if (!attribute.stored && found == hidden.end()) continue;
    RecordField field{&attribute, found == hidden.end() ? nullptr : &*found, attribute.present < 1};
    if (field.hidden != nullptr && can_be_absent(model, entity, field.hidden->key_attribute))
      field.optional = true;
    fields.push_back(field);
    if (attribute.name == "version" && attribute.stored &&
        attribute.type == AttributeType::number && !field.optional)
      version = &attribute;
  }
  std::stable_partition(fields.begin(), fields.end(),
                        [](const RecordField& field) { return !field.optional; });
  for (const KeyTemplate& key : entity.keys) {
    random_shard = random_shard || needs_shard(key.value);
    if (!is_table_key(model, key.attribute)) continue;
    random_shard_in_table_key = random_shard_in_table_key || needs_shard(key.value);
    for (const std::string& name : key.value.fields()) {
      if (std::find(key_fields.begin(), key_fields.end(), name) == key_fields.end())
        key_fields.push_back(name);
    }
  }
}

const RecordField* Record::field(std::string_view name) const {
  for (const RecordField& one : fields)
    if (one.attribute->name == name) return &one;
  return nullptr;
}

std::vector<KeyPresence> key_presence(const Model& model, const Entity& entity,
                                      const Record& record, const KeyAttribute& key,
                                      const Template& value) {
  std::vector<KeyPresence> conditions;
  if (!is_table_key(model, key.name)) {
    for (const Index& index : model.indexes) {
      const bool own = index.partition_key.name == key.name ||
                       (index.sort_key && index.sort_key->name == key.name);
      const SparseCondition* sparse = entity.sparse_in(index.name);
      if (own && sparse != nullptr) conditions.push_back({sparse->attribute, sparse->values});
    }
  }
  for (const std::string& name : value.fields()) {
    const RecordField* field = record.field(name);
    if (field != nullptr && field->optional) conditions.push_back({name, {}});
  }
  return conditions;
}

std::vector<CodeParameter> code_parameters(const Model& model, const Pattern& pattern) {
  std::vector<CodeParameter> parameters;
  for (const KeyCondition& condition : pattern.key) {
    for (const Template* value : {&condition.value, &condition.upper}) {
      for (const std::string& name : value->fields()) {
        const auto same = [&](const CodeParameter& one) { return one.name == name; };
        if (std::any_of(parameters.begin(), parameters.end(), same)) continue;
        const Parameter* declared = pattern.parameter(name);
        const std::string attribute_name =
            declared == nullptr || declared->attribute.empty() ? name : declared->attribute;
        CodeParameter parameter{name, nullptr};
        for (const std::string& entity_name : pattern.entities) {
          const Entity* entity = model.entity(entity_name);
          if (entity != nullptr && parameter.attribute == nullptr)
            parameter.attribute = entity->attribute(attribute_name);
        }
        parameters.push_back(std::move(parameter));
      }
    }
  }
  return parameters;
}

std::string key_condition_text(const KeyCondition& condition, std::size_t at) {
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

int shards_of(const Pattern& pattern) {
  for (const KeyCondition& condition : pattern.key)
    if (needs_shard(condition.value)) return condition.value.shard()->shard_count;
  return 1;
}

std::string sort_keys_code(const Model& model) {
  std::string out;
  const auto add = [&](const std::string& index, const KeyAttribute* sort_key) {
    if (sort_key != nullptr)
      out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", code_literal(index),
                         code_literal(sort_key->name));
  };
  add("", model.sort_key(""));
  for (const Index& index : model.indexes) add(index.name, model.sort_key(index.name));
  return out;
}

KeyConditionCode key_condition_code(const Model& model, const Pattern& pattern,
                                    const TemplateCode& value) {
  KeyConditionCode code;
  for (std::size_t at = 0; at < pattern.key.size(); ++at) {
    const KeyCondition& condition = pattern.key[at];
    const AttributeType type = key_type(model, condition.attribute);
    const std::string comma = at == 0 ? "" : ", ";
    code.expression += (at == 0 ? "" : " AND ") + key_condition_text(condition, at);
    code.names += fmt::format("{}\"#k{}\": {}", comma, at, code_literal(condition.attribute));
    code.values += fmt::format("{}\":k{}\": {}", comma, at, value(condition.value, type));
    if (condition.op == KeyOperator::between)
      code.values += fmt::format(", \":u{}\": {}", at, value(condition.upper, type));
  }
  return code;
}

bool has_code(const Pattern& pattern) {
  return pattern.kind == PatternKind::get || pattern.kind == PatternKind::query;
}

}  // namespace stator::design
