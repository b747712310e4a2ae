#include <fmt/format.h>

#include <algorithm>

#include "design/rules/rules.h"

// Runs last: an allowance is used if a finding took its reason.
namespace stator::design {
namespace {

void check_list(RuleContext& context, const std::vector<Allowance>& allowances, const std::string& subject) {
  const std::vector<Finding> found = context.findings();  // a copy: reporting adds to it
  for (const Allowance& allowance : allowances) {
    const Place place{allowance.position, subject, {}};
    if (find_rule(allowance.rule) == nullptr) {
      context.report(Severity::error, place, fmt::format("there is no rule {} to allow", allowance.rule),
                     "See stator design check --rules for their names.");
      continue;
    }
    const bool used = std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
      return finding.rule == allowance.rule && finding.allowed == allowance.reason;
    });
    if (!used) {
      context.report(place, fmt::format("{} is allowed and not found", allowance.rule), "Remove the allowance.");
    }
  }
}

}  // namespace

void find_useless_allowances(RuleContext& context) {
  const Model& model = context.model();
  check_list(context, model.allow, "model " + model.name);
  for (const Index& index : model.indexes) check_list(context, index.allow, "index " + index.name);
  for (const Entity& entity : model.entities) check_list(context, entity.allow, "entity " + entity.name);
  for (const Pattern& pattern : model.patterns) check_list(context, pattern.allow, "pattern " + pattern.name);
}

}  // namespace stator::design
