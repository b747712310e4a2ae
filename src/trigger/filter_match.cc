#include <algorithm>

#include "trigger/filter_node.h"

namespace stator::trigger {
namespace {

// The letters of ASCII alone: what differs in case elsewhere differs.
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return text;
}

bool compare(double left, const Rule::Comparison& comparison) {
  if (comparison.comparator == "<") return left < comparison.number;
  if (comparison.comparator == "<=") return left <= comparison.number;
  if (comparison.comparator == ">") return left > comparison.number;
  if (comparison.comparator == ">=") return left >= comparison.number;
  return left == comparison.number;
}

bool matches_text(const Rule& rule, const std::string& found) {
  const bool ignore_case = rule.ignore_case || rule.kind == Rule::Kind::equals_ignore_case;
  const auto& wanted = rule.value.get_ref<const std::string&>();
  if (ignore_case) {
    const Rule same{.kind = rule.kind == Rule::Kind::equals_ignore_case ? Rule::Kind::equals : rule.kind,
                    .value = lower(wanted)};
    return matches_text(same, lower(found));
  }
  if (rule.kind == Rule::Kind::prefix) return found.starts_with(wanted);
  if (rule.kind == Rule::Kind::suffix) return found.ends_with(wanted);
  return found == wanted;
}

bool any_rule(const std::vector<Rule>& rules, const Json* scalar) {
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.matches(scalar); });
}

// A list holds where one of its values does. An object is no leaf: as far as rules are concerned it is not there.
bool matches_leaf(const std::vector<Rule>& rules, const Json* value) {
  if (value == nullptr || value->is_object()) return any_rule(rules, nullptr);
  if (!value->is_array()) return any_rule(rules, value);
  bool leaf = false;
  for (const Json& one : *value) {
    if (one.is_structured()) continue;
    leaf = true;
    if (any_rule(rules, &one)) return true;
  }
  return !leaf && any_rule(rules, nullptr);
}

const Json* member(const Json* value, const std::string& name) {
  if (value == nullptr || !value->is_object()) return nullptr;
  const auto found = value->find(name);
  return found == value->end() ? nullptr : &*found;
}

}  // namespace

bool Rule::matches(const Json* scalar) const {
  if (kind == Kind::exists) return (scalar != nullptr) == value.get<bool>();
  if (scalar == nullptr) return false;
  switch (kind) {
    case Kind::equals:
      return *scalar == value;
    case Kind::numeric:
      return scalar->is_number() &&
             std::all_of(comparisons.begin(), comparisons.end(),
                         [&](const Comparison& comparison) { return compare(scalar->get<double>(), comparison); });
    case Kind::anything_but:
      return std::none_of(excluded.begin(), excluded.end(), [&](const Rule& rule) { return rule.matches(scalar); });
    default:
      return scalar->is_string() && matches_text(*this, scalar->get_ref<const std::string&>());
  }
}

bool FilterPattern::Node::matches(const Json* value) const {
  // In a list of objects, such as the members of an attribute of type L, one must match as a whole.
  if (value != nullptr && value->is_array()) {
    return std::any_of(value->begin(), value->end(), [&](const Json& one) { return one.is_object() && matches(&one); });
  }
  for (const Field& field : fields) {
    const Json* found = member(value, field.name);
    if (!(field.node ? field.node->matches(found) : matches_leaf(field.rules, found))) return false;
  }
  return std::all_of(choices.begin(), choices.end(), [&](const auto& choice) {
    return std::any_of(choice.begin(), choice.end(), [&](const auto& node) { return node->matches(value); });
  });
}

}  // namespace stator::trigger
