#pragma once

#include <string>

#include "expr/ast.h"

namespace stator::expr {

// A text that parses back to the same tree, with no more parentheses than needed. For tests and
// diagnostics.
[[nodiscard]] std::string print(const Node& condition);
[[nodiscard]] std::string print(const std::vector<Action>& update);
[[nodiscard]] std::string print(const std::vector<PathTree>& projection);

}  // namespace stator::expr
