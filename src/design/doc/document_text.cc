#include <fmt/format.h>

#include "design/doc/document.h"
#include "design/report/text_table.h"
#include "design/resolve.h"

namespace stator::design {

namespace {

std::string condition_text(const KeyCondition& condition) {
  if (condition.op == KeyOperator::equal) return fmt::format("{} = {}", condition.attribute, condition.value.text());
  if (condition.op == KeyOperator::between) {
    return fmt::format("{} between {} and {}", condition.attribute, condition.value.text(), condition.upper.text());
  }
  return fmt::format("{} {} {}", condition.attribute, key_operator_text(condition.op), condition.value.text());
}

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : std::string(separator)) + text;
  return out;
}

}  // namespace

std::string key_condition_text(const Pattern& pattern) {
  std::vector<std::string> texts;
  for (const KeyCondition& condition : pattern.key) texts.push_back(condition_text(condition));
  if (pattern.filter) texts.push_back("filter " + pattern.filter->text);
  if (pattern.order == Order::descending) texts.emplace_back("descending");
  if (pattern.limit) texts.push_back("limit " + figure(*pattern.limit));
  return joined(texts, ", ");
}

std::string pattern_key_text(const Model& model, const Pattern& pattern) {
  if (pattern.actions.empty()) return key_condition_text(pattern);
  std::vector<std::string> texts;
  for (const Action& action : pattern.actions) {
    std::string text = fmt::format("{} {}", action_kind_text(action.kind), action.entity);
    if (action.count != 1) text = fmt::format("{} x {}", text, rounded(action.count));
    std::vector<std::string> parts;
    if (action.kind != ActionKind::put) {
      for (const KeyCondition& key : key_of(model, action)) parts.push_back(condition_text(key));
    }
    for (const Assignment& assignment : action.set)
      parts.push_back(fmt::format("set {} = {}", assignment.attribute, assignment.value.text()));
    for (const Assignment& assignment : action.add)
      parts.push_back(fmt::format("add {} {}", assignment.attribute, assignment.value.text()));
    if (!action.remove.empty()) parts.push_back("remove " + joined(action.remove, ", "));
    if (!action.condition.empty()) parts.push_back("if " + action.condition);
    if (!parts.empty()) text += ": " + joined(parts, ", ");
    texts.push_back(std::move(text));
  }
  return joined(texts, "; ");
}

std::string projection_text(const Projection& projection) {
  switch (projection.kind) {
    case ProjectionKind::all:
      return "all attributes";
    case ProjectionKind::keys_only:
      return "keys only";
    case ProjectionKind::include:
      break;
  }
  return joined(projection.attributes, ", ");
}

std::string sparse_text(const SparseCondition& condition) {
  if (condition.values.empty()) return fmt::format("only items with {}", condition.attribute);
  if (condition.values.size() == 1)
    return fmt::format("only while {} is {}", condition.attribute, condition.values.front());
  return fmt::format("only while {} is one of {}", condition.attribute, joined(condition.values, ", "));
}

std::string rate_text(const Rate& rate) {
  if (rate.peak > rate.average) return fmt::format("{}, peak {}", rounded(rate.average), rounded(rate.peak));
  return rounded(rate.average);
}

}  // namespace stator::design
