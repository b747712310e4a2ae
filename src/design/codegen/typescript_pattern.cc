#include <fmt/format.h>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::typescript {

namespace {

std::string request_code(const Model& model, const Pattern& pattern) {
  const TemplateCode value_code = [](const Template& value, AttributeType type) {
    return template_code(value, "by", type);
  };
  std::string out = "{\n    TableName: TABLE,\n";
  if (pattern.kind == PatternKind::get) {
    std::string key;
    for (const KeyCondition& condition : pattern.key) {
      key += fmt::format("{}{}: {}", key.empty() ? "" : ", ", property(condition.attribute),
                         value_code(condition.value, key_type(model, condition.attribute)));
    }
    out += fmt::format("    Key: {{ {} }},\n", key);
  } else {
    const KeyConditionCode condition = key_condition_code(model, pattern, value_code);
    if (!pattern.index.empty())
      out += fmt::format("    IndexName: {},\n", code_literal(pattern.index));
    out += fmt::format("    KeyConditionExpression: {},\n", code_literal(condition.expression));
    out += fmt::format("    ExpressionAttributeNames: {{ {} }},\n", condition.names);
    out += fmt::format("    ExpressionAttributeValues: {{ {} }},\n", condition.values);
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
