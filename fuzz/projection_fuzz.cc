#include "expr/parser.h"
#include "expr/print.h"
#include "expr_fuzz.h"

// A projection that parses prints to a text of the same tree; what it writes is a value that can be
// read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator;
  const std::string_view text = fuzz::as_text(data, size);
  const auto tree = expr::parse_projection(text);
  if (tree) {
    const std::string printed = expr::print((*tree)->paths);
    const auto again = expr::parse_projection(printed);
    if (printed.size() <= expr::kExpressionBytesMax)
      CHECK(again && (*again)->paths == (*tree)->paths);
  }
  fuzz::Request request;
  const auto projection = expr::bind_projection(text, request.placeholders);
  CHECK(!projection || tree);
  if (projection) {
    base::Buffer out;
    out.append("{\"M\":");
    const std::size_t count = projection->append(out, request.item, request.arena);
    out.append("}");
    const auto read = item::decode_value(out.view(), request.arena);
    CHECK(read && read->attributes().size() == count);
  }
  return 0;
}
