#include "expr/parser.h"
#include "expr/print.h"
#include "expr_fuzz.h"

// A condition that parses prints to a text of the same tree, and binds and evaluates without harm.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator;
  const std::string_view text = fuzz::as_text(data, size);
  const auto tree = expr::parse_condition(text, expr::Parameter::condition);
  if (tree) {
    const std::string printed = expr::print((*tree)->root);
    const auto again = expr::parse_condition(printed, expr::Parameter::condition);
    // Printing may add spaces; a text that was nearly too long may become so.
    if (printed.size() <= expr::kExpressionBytesMax)
      CHECK(again && (*again)->root == (*tree)->root);
  }
  fuzz::Request request;
  const auto condition =
      expr::bind_condition(text, expr::Parameter::condition, request.placeholders);
  CHECK(!condition || tree);
  if (condition) {
    (void)condition->matches(&request.item, request.arena);
    (void)condition->matches(nullptr, request.arena);
  }
  return 0;
}
