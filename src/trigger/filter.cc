#include "trigger/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trigger/filter_node.h"

namespace stator::trigger {
namespace {

// Deeper than any record: an attribute is nested at most 32 levels, with two levels of JSON for each.
constexpr int kDepthMax = 80;

using Node = FilterPattern::Node;

// Reads patterns and remembers where it is, for errors.
class PatternReader {
 public:
  Result<std::shared_ptr<const Node>> object(const Json& pattern) {
    if (!pattern.is_object()) return wrong("must be an object");
    if (pattern.empty()) return wrong("must have at least one field");
    if (path_.size() > kDepthMax) return wrong("is nested too deeply");
    auto node = std::make_shared<Node>();
    for (const auto& [name, value] : pattern.items()) {
      path_.push_back(name);
      if (name == "$or") {
        TRY(auto choices, or_list(value));
        node->choices.push_back(std::move(choices));
      } else {
        TRY(Node::Field field, one_field(name, value));
        node->fields.push_back(std::move(field));
      }
      path_.pop_back();
    }
    return std::shared_ptr<const Node>(std::move(node));
  }

  bool compares_number_attributes = false;

 private:
  tl::unexpected<Error> wrong(std::string_view what) const {
    return invalid(
        fmt::format("filter pattern: {} {}", path_.empty() ? "it" : fmt::format("{}", fmt::join(path_, ".")), what));
  }

  Result<std::vector<std::shared_ptr<const Node>>> or_list(const Json& value) {
    if (!value.is_array() || value.size() < 2) return wrong("must be a list of at least two patterns");
    std::vector<std::shared_ptr<const Node>> choices;
    for (const Json& choice : value) {
      TRY(auto node, object(choice));
      choices.push_back(std::move(node));
    }
    return choices;
  }

  Result<Node::Field> one_field(const std::string& name, const Json& value) {
    Node::Field field;
    field.name = name;
    if (value.is_object()) {
      TRY(field.node, object(value));
      return field;
    }
    if (!value.is_array()) return wrong("must be an object, or a list of the values that match, such as [\"value\"]");
    if (value.empty()) return wrong("must list at least one value");
    for (const Json& one : value) {
      TRY(Rule rule, value_rule(one));
      field.rules.push_back(std::move(rule));
    }
    return field;
  }

  Result<Rule> value_rule(const Json& value) {
    if (value.is_array()) return wrong("must not hold a list in its list");
    if (!value.is_object()) return Rule{.value = value};
    if (value.size() != 1) return wrong("must have one operator in each object of its list");
    const std::string& name = value.begin().key();
    const Json& operand = value.begin().value();
    if (name == "exists") {
      if (!operand.is_boolean()) return wrong("needs true or false for exists");
      return Rule{.kind = Rule::Kind::exists, .value = operand};
    }
    if (name == "numeric") return numeric(operand);
    if (name == "anything-but") return anything_but(operand);
    return text_rule(name, operand);
  }

  Result<Rule> text_rule(const std::string& name, const Json& operand) {
    Rule rule;
    if (name == "prefix") {
      rule.kind = Rule::Kind::prefix;
    } else if (name == "suffix") {
      rule.kind = Rule::Kind::suffix;
    } else if (name == "equals-ignore-case") {
      rule.kind = Rule::Kind::equals_ignore_case;
    } else {
      return wrong(
          fmt::format("has the operator '{}'; there are prefix, suffix, equals-ignore-case, anything-but, numeric, "
                      "exists and $or",
                      name));
    }
    const bool nested = operand.is_object() && operand.size() == 1 && operand.begin().key() == "equals-ignore-case" &&
                        rule.kind != Rule::Kind::equals_ignore_case;
    rule.ignore_case = nested;
    rule.value = nested ? operand.begin().value() : operand;
    if (!rule.value.is_string()) return wrong(fmt::format("needs a string for {}", name));
    return rule;
  }

  Result<Rule> anything_but(const Json& operand) {
    Rule rule{.kind = Rule::Kind::anything_but};
    if (operand.is_object()) {
      if (operand.size() != 1) return wrong("must have one operator in anything-but");
      TRY(Rule excluded, text_rule(operand.begin().key(), operand.begin().value()));
      rule.excluded.push_back(std::move(excluded));
      return rule;
    }
    const Json list = operand.is_array() ? operand : Json::array({operand});
    if (list.empty()) return wrong("must list at least one value for anything-but");
    for (const Json& value : list) {
      if (value.is_structured()) return wrong("needs strings, numbers, booleans or null in the list of anything-but");
      rule.excluded.push_back(Rule{.value = value});
    }
    return rule;
  }

  Result<Rule> numeric(const Json& operand) {
    constexpr std::string_view kShape = "needs one or two comparisons for numeric, such as [\">\", 0, \"<=\", 5]";
    if (!operand.is_array() || (operand.size() != 2 && operand.size() != 4)) return wrong(kShape);
    Rule rule{.kind = Rule::Kind::numeric};
    for (std::size_t i = 0; i < operand.size(); i += 2) {
      if (!operand[i].is_string() || !operand[i + 1].is_number()) return wrong(kShape);
      const auto comparator = operand[i].get<std::string>();
      constexpr std::array<std::string_view, 5> kComparators = {"<", "<=", "=", ">=", ">"};
      if (std::find(kComparators.begin(), kComparators.end(), comparator) == kComparators.end()) return wrong(kShape);
      rule.comparisons.push_back({comparator, operand[i + 1].get<double>()});
    }
    if (path_.back() == "N") compares_number_attributes = true;
    return rule;
  }

  std::vector<std::string> path_;
};

}  // namespace

Result<FilterPattern> FilterPattern::parse(std::string_view text) {
  const Json pattern = Json::parse(text, nullptr, false);
  if (pattern.is_discarded()) return invalid(fmt::format("filter pattern: it is not JSON: {}", text.substr(0, 200)));
  return from_json(pattern);
}

Result<FilterPattern> FilterPattern::from_json(const Json& pattern) {
  PatternReader reader;
  FilterPattern filter;
  TRY(filter.root_, reader.object(pattern));
  filter.compares_number_attributes_ = reader.compares_number_attributes;
  return filter;
}

bool FilterPattern::matches(const Json& record) const { return root_->matches(&record); }

Result<void> Filters::add(std::string_view text) {
  const Json pattern = Json::parse(text, nullptr, false);
  const auto filters = pattern.is_object() ? pattern.find("Filters") : pattern.end();
  const bool criteria = pattern.is_object() && pattern.size() == 1 && filters != pattern.end() && filters->is_array();
  if (!criteria || filters->empty() || !filters->front().is_object()) {
    TRY(FilterPattern one, FilterPattern::parse(text));
    patterns_.push_back(std::move(one));
    return {};
  }
  for (const Json& filter : *filters) {
    const auto inner = filter.is_object() ? filter.find("Pattern") : filter.end();
    if (!filter.is_object() || inner == filter.end() || !inner->is_string()) {
      return invalid("filter criteria: each of Filters must have a Pattern, which is a string");
    }
    TRY(FilterPattern one, FilterPattern::parse(inner->get<std::string>()));
    patterns_.push_back(std::move(one));
  }
  return {};
}

bool Filters::matches(const Json& record) const {
  return patterns_.empty() || std::any_of(patterns_.begin(), patterns_.end(),
                                          [&](const FilterPattern& pattern) { return pattern.matches(record); });
}

bool Filters::compares_number_attributes() const {
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [](const FilterPattern& pattern) { return pattern.compares_number_attributes(); });
}

}  // namespace stator::trigger
