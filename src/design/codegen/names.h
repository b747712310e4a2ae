#pragma once

#include <string>
#include <string_view>

// Identifiers out of names of a model.
namespace stator::design {

// PascalCase, camelCase and snake_case of a name; a keyword or digit in front gets an underscore.
[[nodiscard]] std::string pascal_name(std::string_view name);
[[nodiscard]] std::string camel_name(std::string_view name);
[[nodiscard]] std::string snake_name(std::string_view name);

// A text in quotes, as JSON, Python and TypeScript write it.
[[nodiscard]] std::string code_literal(std::string_view text);

}  // namespace stator::design
