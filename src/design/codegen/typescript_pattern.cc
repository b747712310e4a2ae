#include <fmt/format.h>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::typescript {

namespace {

std::string request_code(const Model& model, const Pattern& pattern) {
  std::string key;
  std::string expression;
  std::string names;
  std::string values;
  for (std::size_t at = 0; at < pattern.key.size(); ++at) {
    const KeyCondition& condition = pattern.key[at];
    const AttributeType type = key_type(model, condition.attribute);
    const std::string comma = at == 0 ? "" : ", ";
    const std::string value = template_code(condition.value, "by", type);
    key += fmt::format("{}{}: {}", comma, property(condition.attribute), value);
    expression += (at == 0 ? "" : " AND ") + key_condition_text(condition, at);
    names += fmt::format("{}\"#k{}\": {}", comma, at, code_literal(condition.attribute));
    values += fmt::format("{}\":k{}\": {}", comma, at, value);
    if (condition.op == KeyOperator::between)
      values += fmt::format(", \":u{}\": {}", at, template_code(condition.upper, "by", type));
  }
  std::string out = "{\n    TableName: TABLE,\n";
  if (pattern.kind == PatternKind::get) {
    out += fmt::format("    Key: {{ {} }},\n", key);
  } else {
    if (!pattern.index.empty())
      out += fmt::format("    IndexName: {},\n", code_literal(pattern.index));
    out += fmt::format("    KeyConditionExpression: {},\n", code_literal(expression));
    out += fmt::format("    ExpressionAttributeNames: {{ {} }},\n", names);
    out += fmt::format("    ExpressionAttributeValues: {{ {} }},\n", values);
    if (pattern.order == Order::descending) out += "    ScanIndexForward: false,\n";
    if (pattern.limit) out += fmt::format("    Limit: {:.0f},\n", *pattern.limit);
  }
  if (pattern.consistency == Consistency::strong) out += "    ConsistentRead: true,\n";
  return out + "  }";
}

}  // namespace

std::string pattern_code(const Model& model, const Pattern& pattern) {
  std::string members;
  for (const CodeParameter& parameter : code_parameters(model, pattern)) {
    members +=
        fmt::format("{}{}: {}", members.empty() ? "" : "; ", property(parameter.name),
                    parameter.attribute == nullptr ? "string" : type_name(*parameter.attribute));
  }
  const int shards = shards_of(pattern);
  const std::string parameters = members.empty() ? "" : fmt::format("by: {{ {} }}", members);
  const std::string name = camel_name(pattern.name);
  const std::string_view type = pattern.kind == PatternKind::get ? "GetRequest" : "QueryRequest";
  const std::string out = fmt::format(
      "\n/** {}{} */\n", pattern.description.empty() ? pattern.name : pattern.description,
      shards > 1 ? fmt::format(" (one request for each of {} shards)", shards) : "");
  if (shards > 1) {
    return out + fmt::format(
                     "export function {}({}): {}[] {{\n  return Array.from({{ length: {} }}, (_, "
                     "shard) => ({}));\n}}\n",
                     name, parameters, type, shards, request_code(model, pattern));
  }
  return out + fmt::format("export function {}({}): {} {{\n  return {};\n}}\n", name, parameters,
                           type, request_code(model, pattern));
}

}  // namespace stator::design::typescript
