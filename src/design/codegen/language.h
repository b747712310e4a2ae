#pragma once

#include <string>

#include "design/model.h"

// The parts of the generated texts, for the files of this folder alone.
namespace stator::design {

namespace python {
[[nodiscard]] std::string_view type_name(AttributeType type);
// A template as an expression; `scope` stands before a field's name ("self.").
[[nodiscard]] std::string template_code(const Template& value, const std::string& scope,
                                        AttributeType type);
[[nodiscard]] std::string entity_code(const Model& model, const Entity& entity);
[[nodiscard]] std::string pattern_code(const Model& model, const Pattern& pattern);
}  // namespace python

namespace typescript {
// The property that tells objects apart; no attribute of the model has this name.
[[nodiscard]] std::string discriminator(const Model& model);
[[nodiscard]] std::string type_name(const Attribute& attribute);
// A property's name; one that is no identifier is written in quotes.
[[nodiscard]] std::string property(const std::string& name);
[[nodiscard]] std::string template_code(const Template& value, const std::string& scope,
                                        AttributeType type);
[[nodiscard]] std::string entity_code(const Model& model, const Entity& entity);
[[nodiscard]] std::string pattern_code(const Model& model, const Pattern& pattern);
}  // namespace typescript

}  // namespace stator::design
