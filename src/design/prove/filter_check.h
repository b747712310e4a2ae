#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "design/generate/item_text.h"
#include "design/model.h"
#include "expr/ast.h"

namespace stator::design {

// A filter evaluated on generated items, apart from the evaluator of the server: a witness of its own. It knows
// top-level attributes with comparisons, BETWEEN, IN, the functions and AND, OR, NOT; create() refuses what it does not
// know.
class FilterCheck {
 public:
  [[nodiscard]] static Result<FilterCheck> create(const Filter& filter);

  // Parameters by name without the colon, as texts; they take the type of what they are compared with.
  [[nodiscard]] bool keeps(const GeneratedItem& item, const FieldValues& parameters) const;

 private:
  struct Parsed {
    std::string text;  // the tree points into it
    expr::Node root;
  };
  std::shared_ptr<const Parsed> parsed_;  // shared because checks are copied with their patterns
};

// Order of two values of one type as the service has it: numbers by value, everything else by bytes.
[[nodiscard]] int compare_values(AttributeType type, const std::string& a, const std::string& b);

}  // namespace stator::design
