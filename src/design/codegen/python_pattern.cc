#include <fmt/format.h>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::python {

namespace {

// The request as a dict; `indent` is that of its members.
std::string request_code(const Model& model, const Pattern& pattern, const std::string& indent) {
  std::string out = "{\n" + indent + "\"TableName\": TABLE,\n";
  const TemplateCode value_code = [](const Template& value, AttributeType type) {
    return template_code(value, "", type);
  };
  if (pattern.kind == PatternKind::get) {
    std::string key;
    for (const KeyCondition& condition : pattern.key) {
      key += fmt::format("{}{}: {}", key.empty() ? "" : ", ", code_literal(condition.attribute),
                         value_code(condition.value, key_type(model, condition.attribute)));
    }
    out += indent + "\"Key\": {" + key + "},\n";
  } else {
    const KeyConditionCode condition = key_condition_code(model, pattern, value_code);
    if (!pattern.index.empty())
      out += indent + fmt::format("\"IndexName\": {},\n", code_literal(pattern.index));
    out += indent + fmt::format("\"KeyConditionExpression\": {},\n", code_literal(condition.expression));
    out += indent + fmt::format("\"ExpressionAttributeNames\": {{{}}},\n", condition.names);
    out += indent + fmt::format("\"ExpressionAttributeValues\": {{{}}},\n", condition.values);
    if (pattern.order == Order::descending) out += indent + "\"ScanIndexForward\": False,\n";
    if (pattern.limit) out += indent + fmt::format("\"Limit\": {:.0f},\n", *pattern.limit);
  }
  if (pattern.consistency == Consistency::strong) out += indent + "\"ConsistentRead\": True,\n";
  return out + indent.substr(4) + "}";
}

}  // namespace

std::string pattern_code(const Model& model, const Pattern& pattern) {
  std::string parameters;
  for (const CodeParameter& parameter : code_parameters(model, pattern)) {
    parameters +=
        fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", snake_name(parameter.name),
                    parameter.attribute == nullptr ? "str" : type_name(parameter.attribute->type));
  }
  const int shards = shards_of(pattern);
  const std::string what = pattern.description.empty() ? pattern.name : pattern.description;
  std::string out = fmt::format("\n\ndef {}({}) -> {}:\n", snake_name(pattern.name), parameters,
                                shards > 1 ? "list[DynamoRequest]" : "DynamoRequest");
  out += fmt::format(
      "    {}\n",
      code_literal(fmt::format(
          "{}: arguments of {}{}.", what, pattern.kind == PatternKind::get ? "get_item" : "query",
          shards > 1 ? fmt::format(", one for each of {} shards", shards) : "")));
  if (shards == 1)
    return out + fmt::format("    return {}\n", request_code(model, pattern, "        "));
  return out + fmt::format(
                   "    requests = []\n    for shard in range({}):\n        requests.append({})\n  "
                   "  return requests\n",
                   shards, request_code(model, pattern, "            "));
}

}  // namespace stator::design::python
