#pragma once

#include <string>

#include "design/model.h"

// The entities and reads of a model as code: types, keys from templates, items to typed objects and
// back, requests of the patterns. The generated file needs nothing but the language's standard
// library.
namespace stator::design {

[[nodiscard]] std::string python_code(const Model& model);
[[nodiscard]] std::string typescript_code(const Model& model);

}  // namespace stator::design
