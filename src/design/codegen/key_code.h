#pragma once

#include <functional>
#include <string>
#include <vector>

#include "design/model.h"

// What the languages have in common.
namespace stator::design {

// A field that is stored in keys only, and from which key it can be read back.
struct HiddenField {
  const Attribute* attribute = nullptr;
  std::string key_attribute;  // whose text holds it
  std::string pattern;        // a regular expression with one group
};
// Fields of the entity that are no attributes of their own. Where keys hold only a part of a time, the part is read
// back.
[[nodiscard]] std::vector<HiddenField> hidden_fields(const Model& model, const Entity& entity);

// Fields that an item's type has: everything that is stored or can be read back from a key.
[[nodiscard]] std::vector<const Attribute*> record_fields(const Model& model, const Entity& entity);

// Whether an item can be without the field.
[[nodiscard]] bool is_optional(const Attribute& attribute);

// PascalCase, camelCase and snake_case of a name, for identifiers; a keyword or digit in front gets an underscore.
[[nodiscard]] std::string pascal_name(std::string_view name);
[[nodiscard]] std::string camel_name(std::string_view name);
[[nodiscard]] std::string snake_name(std::string_view name);

// Parameters of a read pattern's key condition in order, and the attribute that gives each its type (null: text).
struct CodeParameter {
  std::string name;
  const Attribute* attribute = nullptr;
};
[[nodiscard]] std::vector<CodeParameter> code_parameters(const Model& model, const Pattern& pattern);
// Get and query patterns: what is written as a function.
[[nodiscard]] bool has_code(const Pattern& pattern);

}  // namespace stator::design
