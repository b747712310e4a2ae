#include "expr/parser.h"

namespace stator::expr {

// projection := path (',' path)*
bool Parser::parse_projection(std::vector<PathTree>& out) {
  keywords_ = {};
  for (;;) {
    if (!parse_path(out.emplace_back())) return false;
    if (peek().kind == TokenKind::end) return true;
    if (!expect_symbol(",")) return false;
  }
}

}  // namespace stator::expr
