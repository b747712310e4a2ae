// Two texts, separated by a line break: whatever parses must keep its value through every form that
// it takes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "item/key_encoding.h"
#include "item/number.h"
#include "item/size.h"

namespace stator::item {
namespace {

int sign(int order) { return (order > 0) - (order < 0); }

void check_forms(std::string_view given, const Number& number) {
  base::Arena arena;
  const std::string text = format_number(number);
  const auto again = parse_number(text);
  CHECK(again.has_value() && *again == number);
  CHECK(number_of(text) == number);
  CHECK(format_number(number, arena) == text);
  CHECK(is_canonical_number(text));
  CHECK(is_canonical_number(given) == (given == text));
  const auto canonical = canonical_number(given, arena);
  CHECK(canonical.has_value() && *canonical == text);
  CHECK(value_bytes(Value::number(text)) == number_bytes(number));
}

void check_pair(const Number& a, const Number& b) {
  const std::string a_text = format_number(a);
  const std::string b_text = format_number(b);
  base::Buffer a_key;
  append_key_part(a_key, Value::number(a_text));
  base::Buffer b_key;
  append_key_part(b_key, Value::number(b_text));
  const int order = compare(a, b);
  CHECK(order == -compare(b, a));
  CHECK((order == 0) == (a == b));
  CHECK(sign(a_key.view().compare(b_key.view())) == order);
  const auto by_value = compare(Value::number(a_text), Value::number(b_text));
  CHECK(by_value.has_value() && sign(*by_value) == order);

  const auto sum = add(a, b);
  const auto swapped = add(b, a);
  CHECK(sum.has_value() == swapped.has_value());
  if (!sum) return;
  CHECK(*sum == *swapped);
  check_forms(format_number(*sum), *sum);
  const auto back = subtract(*sum, b);
  CHECK(back.has_value() && *back == a);
}

}  // namespace
}  // namespace stator::item

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::item;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = input.find('\n');
  const std::string_view first = input.substr(0, middle);
  const std::string_view second = middle == std::string_view::npos ? "" : input.substr(middle + 1);
  const auto a = parse_number(first);
  const auto b = parse_number(second);
  if (a) check_forms(first, *a);
  if (b) check_forms(second, *b);
  if (a && b) check_pair(*a, *b);
  return 0;
}
