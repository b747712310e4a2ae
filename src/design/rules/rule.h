#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/check.h"
#include "design/model.h"
#include "design/resolve.h"

// What a rule is made of. A rule looks at the model and reports; it changes nothing and knows no other rule.
namespace stator::design {

// Where a finding belongs, and whose allowances cover it.
struct Place {
  Position position;
  std::string subject;
  std::vector<const std::vector<Allowance>*> allowances;

  [[nodiscard]] Place at(Position other) const {
    Place moved = *this;
    if (other.line > 0) moved.position = other;
    return moved;
  }
  // Allowances of the second cover it too.
  [[nodiscard]] Place also(const std::vector<Allowance>& more) const {
    Place wider = *this;
    wider.allowances.push_back(&more);
    return wider;
  }
};

[[nodiscard]] Place place_of(const Pattern& pattern);
[[nodiscard]] Place place_of(const Entity& entity);
[[nodiscard]] Place place_of(const Index& index);
[[nodiscard]] Place place_of(const Table& table);

class RuleContext;

struct Rule {
  std::string_view name;
  Severity severity;
  std::string_view explanation;  // why it matters, in one or two sentences
  void (*run)(RuleContext& context);
};

class RuleContext {
 public:
  RuleContext(const Model& model, const std::vector<Resolution>& resolutions, std::vector<Finding>& findings)
      : model_(model), resolutions_(resolutions), findings_(findings) {}

  [[nodiscard]] const Model& model() const { return model_; }
  // One for each pattern, in order.
  [[nodiscard]] const std::vector<Resolution>& resolutions() const { return resolutions_; }
  // What was found so far, by this rule and those before it in the table.
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

  void begin(const Rule& rule) { rule_ = &rule; }
  void report(const Place& place, std::string message, std::string cure);
  void report(Severity severity, const Place& place, std::string message, std::string cure);

 private:
  const Model& model_;
  const std::vector<Resolution>& resolutions_;
  std::vector<Finding>& findings_;
  const Rule* rule_ = nullptr;
};

// All rules, in the order in which they run. docs/design-rules.md is written from it.
[[nodiscard]] const std::vector<Rule>& all_rules();
[[nodiscard]] const Rule* find_rule(std::string_view name);

// Shared by several rules.

// The attribute whose values a parameter of the pattern takes.
[[nodiscard]] std::string attribute_of(const Pattern& pattern, const std::string& parameter);
[[nodiscard]] std::vector<const Entity*> meant_entities(const Model& model, const Pattern& pattern);
[[nodiscard]] bool reads_by_key(const Pattern& pattern);  // a get or a query
// "the table" or "index GSI1"
[[nodiscard]] std::string target_text(std::string_view index);
[[nodiscard]] std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");
// "1,200", "3.4 million"
[[nodiscard]] std::string count_text(double count);

}  // namespace stator::design
