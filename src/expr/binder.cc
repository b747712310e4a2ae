#include "expr/binder.h"

#include <fmt/core.h>

namespace stator::expr {

Path Binder::bind_path(const PathTree& path) {
  const std::span<PathStep> steps = make_array<PathStep>(arena(), path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathElement& element = path[i];
    if (element.kind == PathElement::Kind::index) {
      steps[i] = {{}, element.index, true};
      continue;
    }
    steps[i].name = element.text;
    if (element.kind == PathElement::Kind::name) continue;
    if (const std::string_view* attribute = placeholders_.name(element.text)) {
      steps[i].name = *attribute;
    } else if (name_problem_.empty()) {
      name_problem_ = fmt::format(
          "An expression attribute name used in the document path is not defined; attribute name: "
          "{}",
          element.text);
      if (first_problem_.empty()) first_problem_ = name_problem_;
    }
  }
  return steps;
}

item::Value Binder::bind_value(std::string_view placeholder) {
  if (const item::Value* value = placeholders_.value(placeholder)) return *value;
  if (value_problem_.empty()) {
    value_problem_ = fmt::format(
        "An expression attribute value used in expression is not defined; attribute value: {}",
        placeholder);
    if (first_problem_.empty()) first_problem_ = value_problem_;
  }
  return item::Value::null();
}

std::string operand_count_problem(std::string_view function, std::size_t count) {
  return fmt::format(
      "Incorrect number of operands for operator or function; operator or function: {}, number of "
      "operands: {}",
      function, count);
}

std::string operand_type_problem(std::string_view function, std::string_view type) {
  return fmt::format(
      "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
      function, type);
}

std::string requires_path_problem(std::string_view function) {
  return fmt::format("Operator or function requires a document path; operator or function: {}",
                     function);
}

}  // namespace stator::expr
