#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trigger/filter.h"

namespace stator::trigger {

// One object of a pattern: all fields and all choices must hold.
struct FilterPattern::Node {
  struct Field {
    std::string name;
    std::vector<Rule> rules;           // of a leaf
    std::shared_ptr<const Node> node;  // of an object; then there are no rules
  };
  std::vector<Field> fields;
  std::vector<std::vector<std::shared_ptr<const Node>>> choices;  // each "$or" is one list

  // `value` is null where the record has no such object.
  [[nodiscard]] bool matches(const Json* value) const;
};

}  // namespace stator::trigger
