// Key parts of each type from arbitrary bytes, and strings through their encoding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "item/key_encoding.h"

namespace stator::item {
namespace {

int sign(int order) { return (order > 0) - (order < 0); }

// What can be read has exactly one encoding: the bytes that were read.
void check_reading(std::string_view bytes, Type type) {
  base::Arena arena;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const auto part = read_key_part(rest, type, arena);
    if (!part) return;
    CHECK(rest.size() < before.size());
    base::Buffer again;
    append_key_part(again, *part);
    CHECK(again.view() == before.substr(0, before.size() - rest.size()));
  }
}

void check_strings(std::string_view a, std::string_view b) {
  base::Arena arena;
  base::Buffer a_key;
  append_key_part(a_key, Value::binary(a));
  base::Buffer b_key;
  append_key_part(b_key, Value::binary(b));
  CHECK(sign(a_key.view().compare(b_key.view())) == sign(a.compare(b)));
  CHECK(a == b || !b_key.view().starts_with(a_key.view()));
  std::string_view rest = a_key.view();
  const auto part = read_key_part(rest, Type::binary, arena);
  CHECK(part.has_value() && part->text() == a && rest.empty());

  base::Buffer from;
  append_key_prefix(from, a);
  const std::string low(from.view());
  increment_prefix(from);
  const bool inside = b_key.view() >= low && (from.empty() || b_key.view() < from.view());
  CHECK(inside == b.starts_with(a));
}

}  // namespace
}  // namespace stator::item

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::item;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check_reading(input, Type::string);
  check_reading(input, Type::binary);
  check_reading(input, Type::number);
  if (!input.empty()) {
    const std::string_view body = input.substr(1);
    const std::size_t middle = static_cast<unsigned char>(input[0]) % (body.size() + 1);
    check_strings(body.substr(0, middle), body.substr(middle));
    check_strings(body.substr(0, middle), body);
  }
  (void)partition_hash(input);
  return 0;
}
