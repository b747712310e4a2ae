#include "item/key_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "item/number.h"

namespace stator::item {
namespace {

using namespace std::string_literals;

std::string encoded(const Value& value) {
  base::Buffer out;
  append_key_part(out, value);
  return std::string(out.view());
}

std::string encoded_number(std::string_view text) {
  base::Arena arena;
  return encoded(Value::number(canonical_number(text, arena).value()));
}

TEST(KeyEncoding, BytesAreAStoredFormat) {
  EXPECT_EQ(encoded(Value::string("ab")), "ab\0\x01"s);
  EXPECT_EQ(encoded(Value::string("")), "\0\x01"s);
  EXPECT_EQ(encoded(Value::binary("a\0b"s)), "a\0\xff"s + "b\0\x01"s);
  EXPECT_EQ(encoded_number("0"), "\x80\0"s);
  EXPECT_EQ(encoded_number("1"), "\xc1\x02"s);
  EXPECT_EQ(encoded_number("42"), "\xc1\x54"s);
  EXPECT_EQ(encoded_number("100"), "\xc2\x02"s);
  EXPECT_EQ(encoded_number("123.4"), "\xc2\x03\x2f\x50"s);
  EXPECT_EQ(encoded_number("-1"), "\x3e\xfd"s);
  EXPECT_EQ(encoded_number("1e-130"), "\x80\x02"s);
  EXPECT_EQ(encoded_number("-9e125"), "\x00\x4b"s);
  EXPECT_EQ(encoded_number("9e125"), "\xff\xb4"s);
}

TEST(KeyEncoding, PartitionHashIsAStoredFormat) {
  // The upper half of XXH3-64; a change here would lose every stored item.
  EXPECT_EQ(partition_hash(""), 0x2d068005u);
  EXPECT_EQ(partition_hash(encoded(Value::string("user#1"))), partition_hash("user#1\0\x01"s));
  EXPECT_NE(partition_hash(encoded(Value::string("user#1"))),
            partition_hash(encoded(Value::string("user#2"))));
}

// Values of one type in ascending order, with all the neighbours that tend to go wrong.
std::vector<Value> ascending_strings() {
  static const std::vector<std::string> texts = {
      "",   "\0"s,  "\0\0"s,    "\0\x01"s, "\0\xff"s,  "\x01",  "\x01\0"s,
      "a",  "a\0"s, "a\0\x01"s, "a\0a"s,   "a\0\xff"s, "a\x01", "aa",
      "ab", "b",    "\xc3\xa4", "\xff",    "\xff\xff"};
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(Value::binary(text));
  return values;
}

std::vector<Value> ascending_numbers() {
  static std::vector<std::string> texts = [] {
    std::vector<Number> numbers = {Number{}};
    std::mt19937 random(5);
    for (int exponent = -130; exponent <= 125; ++exponent) {
      for (const char* digits : {"1", "9", "1.1", "1.01", "9.9", "9.99", "1.0000001",
                                 "9.9999999999999999999999999999999999999"}) {
        for (const char* sign : {"", "-"}) {
          numbers.push_back(
              parse_number(sign + std::string(digits) + "e" + std::to_string(exponent)).value());
        }
      }
    }
    for (int i = -1200; i <= 1200; ++i) numbers.push_back(parse_number(std::to_string(i)).value());
    std::ranges::sort(numbers, [](const Number& a, const Number& b) { return compare(a, b) < 0; });
    std::vector<std::string> sorted;
    for (const Number& number : numbers) sorted.push_back(format_number(number));
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }();
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(Value::number(text));
  return values;
}

TEST(KeyEncoding, KeepsTheOrderOfValues) {
  for (const auto& values : {ascending_strings(), ascending_numbers()}) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      const std::string low = encoded(values[i - 1]);
      const std::string high = encoded(values[i]);
      ASSERT_LT(low, high) << values[i - 1].text() << " " << values[i].text();
      ASSERT_FALSE(high.starts_with(low)) << values[i - 1].text() << " " << values[i].text();
    }
  }
}

TEST(KeyEncoding, ReadsPartsBackOneAfterTheOther) {
  base::Arena arena;
  for (const auto& values : {ascending_strings(), ascending_numbers()}) {
    base::Buffer out;
    for (const Value& value : values) append_key_part(out, value);
    std::string_view rest = out.view();
    for (const Value& value : values) {
      const auto part = read_key_part(rest, value.type(), arena);
      ASSERT_TRUE(part.has_value()) << value.text();
      ASSERT_TRUE(equal(*part, value)) << part->text() << " " << value.text();
    }
    EXPECT_TRUE(rest.empty());
  }
}

TEST(KeyEncoding, SkipsWhatReadingWouldRead) {
  const std::vector<std::pair<Type, std::string>> parts = {
      {Type::string, encoded(Value::string(""))},          {Type::string, encoded(Value::string("plain"))},
      {Type::binary, encoded(Value::binary("\0\xff\0\x01"s))}, {Type::number, encoded_number("0")},
      {Type::number, encoded_number("123456.789")},        {Type::number, encoded_number("-123456.789")},
      {Type::number, encoded_number("-1")}};
  for (const auto& [type, bytes] : parts) {
    const std::string together = bytes + "rest";
    std::string_view rest = together;
    skip_key_part(rest, type);
    EXPECT_EQ(rest, "rest") << together;
    std::string_view cut = std::string_view(bytes).substr(0, bytes.size() - 1);
    skip_key_part(cut, type);
    EXPECT_EQ(cut, "") << "damaged: to the end, not beyond";
  }
  std::string_view nothing;
  skip_key_part(nothing, Type::number);
  skip_key_part(nothing, Type::string);
  EXPECT_EQ(nothing, "");
}

TEST(KeyEncoding, StringsWithoutZerosAreViews) {
  base::Arena arena;
  const std::string bytes = encoded(Value::string("abc")) + "rest";
  std::string_view rest = bytes;
  EXPECT_EQ(read_key_part(rest, Type::string, arena)->text().data(), bytes.data());
  EXPECT_EQ(rest, "rest");
}

TEST(KeyEncoding, DamagedPartsAreCorruption) {
  const struct {
    Type type;
    std::string bytes;
  } cases[] = {
      {Type::string, ""},
      {Type::string, "abc"},
      {Type::string, "abc\0"s},
      {Type::string, "abc\0\x02"s},
      {Type::binary, "abc\0\xff"s},
      {Type::number, ""},
      {Type::number, "\xc1"},
      {Type::number, "\xc1\x03"},                                     // announces another pair
      {Type::number, "\xc1\xc8"},                                     // a pair of 100
      {Type::number, "\xc1\0"s},                                      // first pair 00
      {Type::number, "\xc1\x03\0"s},                                  // last pair 00
      {Type::number, "\x7f\xff"},                                     // negative zero
      {Type::number, "\xc1" + std::string(25, '\x03') + "\x02"},      // too long
      {Type::number, "\xc1\x03" + std::string(18, '\x03') + "\x04"},  // 39 digits
  };
  base::Arena arena;
  for (const auto& c : cases) {
    std::string_view rest = c.bytes;
    const auto part = read_key_part(rest, c.type, arena);
    ASSERT_FALSE(part.has_value()) << testing::PrintToString(c.bytes);
    EXPECT_EQ(part.error().code, ErrorCode::corruption);
  }
}

TEST(KeyEncoding, PrefixCoversExactlyTheStringsThatStartWithIt) {
  for (const Value& prefix : ascending_strings()) {
    base::Buffer from;
    append_key_prefix(from, prefix.text());
    base::Buffer to;
    to.append(from.view());
    increment_prefix(to);
    for (const Value& value : ascending_strings()) {
      const std::string key = encoded(value);
      const bool inside = key >= from.view() && (to.empty() || key < to.view());
      EXPECT_EQ(inside, value.text().starts_with(prefix.text()))
          << testing::PrintToString(std::string(prefix.text()))
          << testing::PrintToString(std::string(value.text()));
    }
  }
}

TEST(KeyEncoding, IncrementedPrefixIsTheNextAbove) {
  const struct {
    std::string given, expected;
  } cases[] = {{"a", "b"},         {"a\xff", "b"}, {"a\xff\xff", "b"},
               {"a\x7f", "a\x80"}, {"\xff", ""},   {"", ""}};
  for (const auto& c : cases) {
    base::Buffer prefix;
    prefix.append(c.given);
    increment_prefix(prefix);
    EXPECT_EQ(prefix.view(), c.expected);
  }
}

}  // namespace
}  // namespace stator::item
