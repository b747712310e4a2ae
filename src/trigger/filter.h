#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Filter patterns of Lambda event source mappings: which records of a stream a function wants to see.
//
//   pattern  = { field: pattern | values, ..., "$or": [ pattern, pattern, ... ] }
//   values   = [ value, ... ]             at least one; any of them may hold
//   value    = string | number | boolean | null
//            | { "prefix": string | { "equals-ignore-case": string } }
//            | { "suffix": string | { "equals-ignore-case": string } }
//            | { "equals-ignore-case": string }
//            | { "anything-but": value | [ value, ... ] | { "prefix" or "suffix" or "equals-ignore-case": ... } }
//            | { "numeric": [ "<" | "<=" | "=" | ">=" | ">", number, ... ] }    one or two comparisons
//            | { "exists": boolean }
namespace stator::trigger {

using Json = nlohmann::json;

// One value of a list in a pattern.
struct Rule {
  enum class Kind { equals, prefix, suffix, equals_ignore_case, anything_but, numeric, exists };
  struct Comparison {
    std::string comparator;
    double number;
  };

  Kind kind = Kind::equals;
  Json value;                  // equals: a scalar; prefix, suffix, equals_ignore_case: a string; exists: a boolean
  bool ignore_case = false;    // prefix, suffix
  std::vector<Rule> excluded;  // anything_but
  std::vector<Comparison> comparisons;  // numeric

  // Whether a scalar of the record holds; null stands for a field that is not there.
  [[nodiscard]] bool matches(const Json* scalar) const;
};

// A parsed pattern. Immutable: may be used by many threads.
class FilterPattern {
 public:
  // An error names the place in the pattern and what may stand there.
  [[nodiscard]] static Result<FilterPattern> parse(std::string_view text);
  [[nodiscard]] static Result<FilterPattern> from_json(const Json& pattern);

  [[nodiscard]] bool matches(const Json& record) const;

  // Whether a numeric comparison stands where the stream has a number attribute. Those are strings there ({"N": "5"}),
  // so that it never holds, neither here nor in Lambda.
  [[nodiscard]] bool compares_number_attributes() const { return compares_number_attributes_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;  // shared, so that patterns can be copied; nodes never change
  bool compares_number_attributes_ = false;
};

// A list of patterns, of which one must match. An empty list matches everything.
class Filters {
 public:
  // Adds a pattern, or the patterns of a whole FilterCriteria object ({"Filters": [{"Pattern": "..."}]}).
  [[nodiscard]] Result<void> add(std::string_view text);
  [[nodiscard]] bool matches(const Json& record) const;
  [[nodiscard]] bool compares_number_attributes() const;
  [[nodiscard]] bool empty() const { return patterns_.empty(); }

 private:
  std::vector<FilterPattern> patterns_;
};

}  // namespace stator::trigger
