#include "expr_fuzz.h"

// A key condition resolves against schemas with one and with several key attributes without harm.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator;
  fuzz::Request request;
  const auto condition = expr::bind_key_condition(fuzz::as_text(data, size), request.placeholders);
  if (!condition) return 0;
  const expr::KeyAttribute partition[] = {{"a", item::Type::string}, {"b", item::Type::number}};
  const expr::KeyAttribute sort[] = {
      {"c", item::Type::string}, {"d", item::Type::number}, {"e", item::Type::binary}};
  for (std::size_t partitions = 1; partitions <= 2; ++partitions) {
    for (std::size_t sorts = 0; sorts <= 3; ++sorts) {
      const auto resolved =
          expr::resolve_key_condition(*condition, std::span(partition).first(partitions),
                                      std::span(sort).first(sorts), request.arena);
      CHECK(!resolved || resolved->partition.size() == partitions);
    }
  }
  return 0;
}
