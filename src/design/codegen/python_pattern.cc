#include <fmt/format.h>

#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design::python {

namespace {

// The request as a dict; `indent` is that of its members.
std::string request_code(const Model& model, const Pattern& pattern, const std::string& indent) {
  std::string out = "{\n" + indent + "\"TableName\": TABLE,\n";
  std::string key;
  std::string expression;
  std::string names;
  std::string values;
  for (std::size_t at = 0; at < pattern.key.size(); ++at) {
    const KeyCondition& condition = pattern.key[at];
    const AttributeType type = key_type(model, condition.attribute);
    const std::string comma = at == 0 ? "" : ", ";
    const std::string value = template_code(condition.value, "", type);
    key += fmt::format("{}{}: {}", comma, code_literal(condition.attribute), value);
    expression += (at == 0 ? "" : " AND ") + key_condition_text(condition, at);
    names += fmt::format("{}\"#k{}\": {}", comma, at, code_literal(condition.attribute));
    values += fmt::format("{}\":k{}\": {}", comma, at, value);
    if (condition.op == KeyOperator::between)
      values += fmt::format(", \":u{}\": {}", at, template_code(condition.upper, "", type));
  }
  if (pattern.kind == PatternKind::get) {
    out += indent + "\"Key\": {" + key + "},\n";
  } else {
    if (!pattern.index.empty())
      out += indent + fmt::format("\"IndexName\": {},\n", code_literal(pattern.index));
    out += indent + fmt::format("\"KeyConditionExpression\": {},\n", code_literal(expression));
    out += indent + fmt::format("\"ExpressionAttributeNames\": {{{}}},\n", names);
    out += indent + fmt::format("\"ExpressionAttributeValues\": {{{}}},\n", values);
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
