#include "design/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace stator::design {

Place place_of(const Pattern& pattern) { return {pattern.position, "pattern " + pattern.name, {&pattern.allow}}; }
Place place_of(const Entity& entity) { return {entity.position, "entity " + entity.name, {&entity.allow}}; }
Place place_of(const Index& index) { return {index.position, "index " + index.name, {&index.allow}}; }
Place place_of(const Table& table) { return {table.position, "table " + table.name, {}}; }

void RuleContext::report(const Place& place, std::string message, std::string cure) {
  CHECK(rule_ != nullptr);
  report(rule_->severity, place, std::move(message), std::move(cure));
}

void RuleContext::report(Severity severity, const Place& place, std::string message, std::string cure) {
  CHECK(rule_ != nullptr);
  Finding finding{std::string(rule_->name), severity, place.position, place.subject, std::move(message),
                  std::move(cure),          {}};
  std::vector<const std::vector<Allowance>*> scopes = place.allowances;
  scopes.push_back(&model_.allow);
  for (const std::vector<Allowance>* scope : scopes) {
    for (const Allowance& allowance : *scope) {
      if (allowance.rule == finding.rule && !finding.allowed) finding.allowed = allowance.reason;
    }
  }
  findings_.push_back(std::move(finding));
}

std::string attribute_of(const Pattern& pattern, const std::string& parameter) {
  const Parameter* declared = pattern.parameter(parameter);
  return declared != nullptr && !declared->attribute.empty() ? declared->attribute : parameter;
}

std::vector<const Entity*> meant_entities(const Model& model, const Pattern& pattern) {
  std::vector<const Entity*> entities;
  for (const std::string& name : pattern.entities) {
    if (const Entity* entity = model.entity(name)) entities.push_back(entity);
  }
  return entities;
}

bool reads_by_key(const Pattern& pattern) {
  return pattern.kind == PatternKind::get || pattern.kind == PatternKind::query;
}

std::string target_text(std::string_view index) { return index.empty() ? "the table" : fmt::format("index {}", index); }

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string count_text(double count) {
  if (count >= 1e6) return fmt::format("{:.3g} million", count / 1e6);
  if (count < 10 && count != std::floor(count)) return fmt::format("{:.1f}", count);
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t i = 3; i < digits.size(); i += 4) digits.insert(digits.size() - i, ",");
  return digits;
}

}  // namespace stator::design
