#include "item/size.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "item/number.h"

namespace stator::item {
namespace {

TEST(Size, OfScalars) {
  EXPECT_EQ(value_bytes(Value::string("")), 0u);
  EXPECT_EQ(value_bytes(Value::string("\xc3\xa4")), 2u);
  EXPECT_EQ(value_bytes(Value::binary(std::string_view("\0\0\0", 3))), 3u);
  EXPECT_EQ(value_bytes(Value::boolean(false)), 1u);
  EXPECT_EQ(value_bytes(Value::null()), 1u);
  EXPECT_EQ(value_bytes(Value::number("0")), 1u);
  EXPECT_EQ(value_bytes(Value::number("-12.34")), 4u);
}

TEST(Size, OfContainersAddsOverhead) {
  const Value elements[] = {Value::string("ab"), Value::null()};
  EXPECT_EQ(value_bytes(Value::list({})), 3u);
  EXPECT_EQ(value_bytes(Value::list(elements)), 3u + (1 + 2) + (1 + 1));
  const Attribute attributes[] = {{"name", Value::string("ab")}, {"l", Value::list(elements)}};
  EXPECT_EQ(value_bytes(Value::map({})), 3u);
  EXPECT_EQ(value_bytes(Value::map(attributes)), 3u + (1 + 4 + 2) + (1 + 1 + 8));
}

TEST(Size, OfSetsIsThatOfTheirMembers) {
  const Value strings[] = {Value::string("ab"), Value::string("c")};
  const Value numbers[] = {Value::number("100"), Value::number("-1")};
  EXPECT_EQ(value_bytes(Value::set(Type::string_set, strings)), 3u);
  EXPECT_EQ(value_bytes(Value::set(Type::number_set, numbers)), 5u);
}

TEST(Size, OfItemsCountsNames) {
  const Attribute attributes[] = {{"pk", Value::string("a")}, {"n", Value::number("1")}};
  EXPECT_EQ(attribute_bytes(attributes[0]), 3u);
  EXPECT_EQ(item_bytes(attributes), 6u);
  EXPECT_EQ(item_bytes({}), 0u);
}

TEST(Size, OfNumberTextIsThatOfTheNumber) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string text = random() % 2 == 0 ? "" : "-";
    for (unsigned digits = 1 + random() % 38; digits > 0; --digits) {
      text.push_back(static_cast<char>('0' + (random() % 3 == 0 ? 0 : random() % 10)));
    }
    text.append("e").append(std::to_string(static_cast<int>(random() % 200) - 120));
    const auto number = parse_number(text);
    if (!number) continue;
    ASSERT_EQ(value_bytes(Value::number(format_number(*number))), number_bytes(*number)) << text;
  }
}

}  // namespace
}  // namespace stator::item
