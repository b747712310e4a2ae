#pragma once

#include <map>
#include <string>
#include <vector>

#include "design/model.h"

// Finding the template behind key texts of one entity: what is the same everywhere is literal, the rest are fields.
namespace stator::design {

using Column = std::vector<std::string>;  // the values of one field or attribute, item by item

struct KeyGuess {
  std::string text;                          // CUST#{customerId}
  std::map<std::string, Column> new_fields;  // fields that are no attribute, with their values
};

// `known` are fields and attributes by name; a component that always equals one of them takes its name.
[[nodiscard]] KeyGuess guess_template(const std::string& key_attribute, const Column& texts, char delimiter,
                                      const std::map<std::string, Column>& known);

// The sign that separates components: the most frequent of # | : /
[[nodiscard]] char guess_delimiter(const std::vector<std::string>& texts);

[[nodiscard]] ValueFormat guess_format(const Column& values);

}  // namespace stator::design
