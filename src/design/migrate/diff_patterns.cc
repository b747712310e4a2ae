#include <fmt/format.h>

#include <map>

#include "design/migrate/diff.h"
#include "design/report/text_table.h"

// Changes of access patterns: code that changes over.
namespace stator::design {

namespace {

std::string compared_condition(const KeyCondition& condition) {
  std::string text =
      fmt::format("{} {} \"{}\"", condition.attribute, key_operator_text(condition.op), condition.value.text());
  if (!condition.upper.empty()) text += fmt::format(" .. \"{}\"", condition.upper.text());
  return text;
}

// What a pattern is, part by part, for comparing and for saying which part changed.
std::map<std::string, std::string> parts_of(const Pattern& pattern) {
  std::map<std::string, std::string> parts;
  parts["kind"] = pattern_kind_text(pattern.kind);
  parts["index"] = pattern.index.empty() ? "the table" : pattern.index;
  parts["entities"] = fmt::format("{}", fmt::join(pattern.entities, ", "));
  for (const KeyCondition& condition : pattern.key)
    parts["key"] += (parts["key"].empty() ? "" : ", ") + compared_condition(condition);
  parts["order"] = pattern.order == Order::ascending ? "ascending" : "descending";
  parts["limit"] = pattern.limit ? figure(*pattern.limit) : "none";
  parts["filter"] = pattern.filter ? pattern.filter->text : "none";
  parts["projection"] = pattern.projection.empty() ? "all" : fmt::format("[{}]", fmt::join(pattern.projection, ", "));
  parts["consistency"] = pattern.consistency == Consistency::strong ? "strong" : "eventual";
  for (const Action& action : pattern.actions) {
    std::string text = fmt::format("{} {} x {}", action_kind_text(action.kind), action.entity, figure(action.count));
    for (const KeyCondition& condition : action.key) text += ", " + compared_condition(condition);
    for (const Assignment& one : action.set) text += fmt::format(", set {} {}", one.attribute, one.value.text());
    for (const Assignment& one : action.add) text += fmt::format(", add {} {}", one.attribute, one.value.text());
    for (const std::string& one : action.remove) text += ", remove " + one;
    if (!action.condition.empty()) text += " if " + action.condition;
    parts["actions"] += (parts["actions"].empty() ? "" : "; ") + text;
  }
  return parts;
}

bool has_index(const DesignDiff& diff, const std::string& name) {
  for (const Model* model : diff.before)
    if (model->index(name) != nullptr) return true;
  return false;
}

std::string compared_rate(const Rate& rate) {
  return fmt::format("{} a second, {} at peak", rounded(rate.average), rounded(rate.peak));
}

}  // namespace

void diff_patterns(DesignDiff& diff) {
  for (const Pattern& pattern : diff.after->patterns) {
    const Pattern* was = nullptr;
    for (const Model* model : diff.before)
      if (was == nullptr) was = model->pattern(pattern.name);
    const std::string named = pattern.description.empty() ? std::string() : ": " + pattern.description;
    if (was == nullptr) {
      const bool waits = !pattern.index.empty() && !has_index(diff, pattern.index);
      diff.changes.push_back({"pattern-added", pattern.name, "new pattern" + named, Effect::application,
                              waits ? fmt::format("can be used when {} is validated", pattern.index)
                                    : "can be used when the migration is validated"});
      continue;
    }
    const auto before = parts_of(*was);
    const auto after = parts_of(pattern);
    std::vector<std::string> differences;
    for (const auto& [part, text] : after) {
      const auto earlier = before.find(part);
      const std::string old = earlier == before.end() ? "none" : earlier->second;
      if (old != text) differences.push_back(fmt::format("{} goes from {} to {}", part, old, text));
    }
    if (!differences.empty()) {
      diff.changes.push_back(
          {"pattern-changed", pattern.name, fmt::format("{}", fmt::join(differences, "; ")), Effect::application,
           pattern.is_read() ? "readers change over after the validation" : "writers change over at the change-over"});
    }
    if (compared_rate(was->rate) != compared_rate(pattern.rate)) {
      diff.changes.push_back({"rate-changed", pattern.name,
                              fmt::format("{} becomes {}", compared_rate(was->rate), compared_rate(pattern.rate)),
                              Effect::none, "look at heat and cost of the new model"});
    }
  }
  for (const Model* model : diff.before) {
    for (const Pattern& pattern : model->patterns) {
      if (diff.after->pattern(pattern.name) != nullptr) continue;
      diff.changes.push_back(
          {"pattern-removed", pattern.name,
           pattern.description.empty() ? "the pattern goes" : "the pattern goes: " + pattern.description,
           Effect::application, "its code goes"});
    }
  }
}

}  // namespace stator::design
