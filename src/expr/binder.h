#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/bound.h"
#include "expr/expression.h"
#include "expr/parser.h"

namespace stator::expr {

// Turns the parts that all expressions share into their bound form. Placeholders that are not
// defined do not stop it: the first problem of each kind is kept, because which one is reported
// depends on the kind of expression.
class Binder {
 public:
  explicit Binder(Placeholders& placeholders) : placeholders_(placeholders) {}

  [[nodiscard]] Path bind_path(const PathTree& path);
  [[nodiscard]] item::Value bind_value(std::string_view placeholder);

  [[nodiscard]] base::Arena& arena() { return placeholders_.arena(); }
  [[nodiscard]] const std::string& first_problem() const { return first_problem_; }
  [[nodiscard]] const std::string& name_problem() const { return name_problem_; }
  [[nodiscard]] const std::string& value_problem() const { return value_problem_; }

 private:
  Placeholders& placeholders_;
  std::string first_problem_;  // of either kind
  std::string name_problem_;
  std::string value_problem_;
};

[[nodiscard]] std::string operand_count_problem(std::string_view function, std::size_t count);
[[nodiscard]] std::string operand_type_problem(std::string_view function, std::string_view type);
[[nodiscard]] std::string requires_path_problem(std::string_view function);

}  // namespace stator::expr
