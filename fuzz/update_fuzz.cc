#include "expr/parser.h"
#include "expr/print.h"
#include "expr_fuzz.h"

// An update that parses prints to a text of the same tree, and applies without harm, twice with the
// same result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator;
  const std::string_view text = fuzz::as_text(data, size);
  const auto tree = expr::parse_update(text);
  if (tree) {
    const std::string printed = expr::print((*tree)->actions);
    const auto again = expr::parse_update(printed);
    if (printed.size() <= expr::kExpressionBytesMax)
      CHECK(again && (*again)->actions == (*tree)->actions);
  }
  fuzz::Request request;
  const auto update = expr::bind_update(text, request.placeholders);
  CHECK(!update || tree);
  if (update) {
    const auto first = update->apply(&request.item, fuzz::kBytesMax, request.arena);
    const auto second = update->apply(&request.item, fuzz::kBytesMax, request.arena);
    CHECK(first.has_value() == second.has_value());
    if (first) {
      CHECK(first->changes.size() == second->changes.size());
      base::Buffer out;
      for (const auto& change : first->changes) {
        if (change.after) item::append_value(out, *change.after);
      }
    }
    (void)update->apply(nullptr, fuzz::kBytesMax, request.arena);
  }
  return 0;
}
