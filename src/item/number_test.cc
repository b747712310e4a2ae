#include "item/number.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace stator::item {
namespace {

const std::string kNines38(38, '9');

std::string zeros(int count) { return std::string(static_cast<std::size_t>(count), '0'); }

Number parse(std::string_view text) {
  const auto number = parse_number(text);
  EXPECT_TRUE(number.has_value()) << text << ": " << (number ? "" : number.error().message);
  return number.value_or(Number{});
}

// A number of any size and sign, with its digits spread over the whole range.
std::string random_text(std::mt19937& random, int exponent_span) {
  const auto below = [&random](int bound) {
    return static_cast<int>(random() % static_cast<unsigned>(bound));
  };
  std::string text = below(2) == 0 ? "" : "-";
  const int digits = 1 + below(38);
  for (int i = 0; i < digits; ++i) {
    // Nines and zeros are frequent, so that sums carry and borrow over many places.
    const int kind = below(4);
    text.push_back(static_cast<char>('0' + (kind == 0 ? 9 : kind == 1 ? 0 : below(10))));
  }
  text.append("E").append(std::to_string(below(exponent_span) - exponent_span / 2));
  return text;
}

TEST(Number, IsWrittenAsPlainDigits) {
  const struct {
    std::string given, expected;
  } cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"0.000", "0"},
      {"0e125", "0"},
      {"0e-130", "0"},
      {"+7", "7"},
      {"007", "7"},
      {"-007.50", "-7.5"},
      {"1E+3", "1000"},
      {"1e3", "1000"},
      {"0.10", "0.1"},
      {".5", "0.5"},
      {"5.", "5"},
      {"5.e1", "50"},
      {"123.456", "123.456"},
      {"123456E-3", "123.456"},
      {"-12e-5", "-0.00012"},
      {"1E-130", "0." + zeros(129) + "1"},
      {"-1.5E-130", "-0." + zeros(129) + "15"},
      {"9.9E125", "99" + zeros(124)},
      {"9." + std::string(37, '9') + "E125", kNines38 + zeros(88)},
      {kNines38, kNines38},
      {kNines38 + zeros(80) + ".000", kNines38 + zeros(80)},
      {zeros(500) + "1" + zeros(100) + "." + zeros(500), "1" + zeros(100)},
      {"1" + zeros(300) + "E-300", "1"},
      {"0." + zeros(300) + "1E301", "1"},
  };
  base::Arena arena;
  for (const auto& c : cases) {
    EXPECT_EQ(format_number(parse(c.given)), c.expected) << c.given;
    EXPECT_EQ(format_number(parse(c.given), arena), c.expected) << c.given;
    EXPECT_EQ(canonical_number(c.given, arena).value_or("error"), c.expected) << c.given;
    EXPECT_EQ(is_canonical_number(c.given), c.given == c.expected) << c.given;
    EXPECT_EQ(number_of(c.expected), parse(c.given)) << c.given;
  }
}

TEST(Number, ClassicRulesHaveExponentsOf32Bits) {
  const std::string not_numeric = "The parameter cannot be converted to a numeric value";
  const struct {
    std::string given, expected;
  } cases[] = {
      {"", not_numeric},
      {"1e2147483648", not_numeric + ": 1e2147483648"},
      {"1e-2147483648", not_numeric + ": 1e-2147483648"},
      {"1.5e-2147483647", not_numeric + ": 1.5e-2147483647"},
      {"1e2147483647",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
      {"1e126", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
  };
  base::Arena arena;
  for (const auto& c : cases) {
    const auto refused = canonical_number(c.given, arena, NumberRules::classic);
    ASSERT_FALSE(refused.has_value()) << c.given;
    EXPECT_EQ(refused.error().message, c.expected);
  }
  EXPECT_EQ(canonical_number("1.50e2", arena, NumberRules::classic).value_or("error"), "150");
}

TEST(Number, TellsWhyATextIsRefused) {
  const std::string not_numeric = "The parameter cannot be converted to a numeric value";
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const std::string digits = "Attempting to store more than 38 significant digits in a Number";
  const struct {
    std::string given, expected;
  } cases[] = {
      {"", not_numeric + ": "},
      {"abc", not_numeric + ": abc"},
      {"-", not_numeric + ": -"},
      {"--1", not_numeric + ": --1"},
      {".", not_numeric + ": ."},
      {"1.2.3", not_numeric + ": 1.2.3"},
      {"e5", not_numeric + ": e5"},
      {"1e", not_numeric + ": 1e"},
      {"1e+", not_numeric + ": 1e+"},
      {"1e5.0", not_numeric + ": 1e5.0"},
      {" 1", not_numeric + ":  1"},
      {"1 ", not_numeric + ": 1 "},
      {"NaN", not_numeric + ": NaN"},
      {"Infinity", not_numeric + ": Infinity"},
      {"0x10", not_numeric + ": 0x10"},
      {"1e126", overflow},
      {"-1e126", overflow},
      {"10E125", overflow},
      {"1e9999999999", overflow},
      {"1e9223372036854775807", overflow},
      {"1e9223372036854775808", not_numeric + ": 1e9223372036854775808"},
      {"0e126", overflow},
      {"0e-131", underflow},
      {"1e-131", underflow},
      {"-0.1e-130", underflow},
      {"1e-9999999999", underflow},
      {"123456789012345678901234567890123456789", digits},
      {"-1.23456789012345678901234567890123456789", digits},
      {"1" + zeros(37) + "1", digits},
  };
  base::Arena arena;
  for (const auto& c : cases) {
    const auto parsed = parse_number(c.given);
    ASSERT_FALSE(parsed.has_value()) << c.given;
    EXPECT_EQ(parsed.error().code, ErrorCode::validation);
    EXPECT_EQ(parsed.error().message, c.expected);
    const auto canonical = canonical_number(c.given, arena);
    ASSERT_FALSE(canonical.has_value()) << c.given;
    EXPECT_EQ(canonical.error().message, c.expected);
    EXPECT_FALSE(is_canonical_number(c.given)) << c.given;
  }
}

TEST(Number, KeepsCanonicalTextWhereItIs) {
  base::Arena arena;
  for (const std::string text : {"0", "-1", "1000", "0.25", "-0.5", "12345678901234567890.5"}) {
    EXPECT_EQ(canonical_number(text, arena)->data(), text.data()) << text;
  }
}

TEST(Number, HasOneNormalForm) {
  EXPECT_EQ(parse("1000"), (Number{1, 3, false}));
  EXPECT_EQ(parse("-0.0120"), (Number{12, -3, true}));
  EXPECT_EQ(parse("-0.0"), (Number{0, 0, false}));
}

TEST(Number, ComparesByValue) {
  const std::vector<std::string> ascending = {
      "-9.9e125", "-1e38",    "-" + kNines38, "-100",   "-99.5",   "-99",
      "-10",      "-9",       "-1.01",        "-1",     "-1e-130", "0",
      "1e-130",   "1.1e-130", "0.09",         "0.1",    "1",       "1.1",
      "9",        "9.999999", "10",           "11",     "99",      "100",
      "101",      "1000",     "1e37",         kNines38, "1e38",    "1e125",
      "9.9e125"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      const int expected = i < j ? -1 : i > j ? 1 : 0;
      EXPECT_EQ(compare(parse(ascending[i]), parse(ascending[j])), expected)
          << ascending[i] << " " << ascending[j];
    }
  }
}

TEST(Number, AddsExactly) {
  const struct {
    std::string a, b, sum;
  } cases[] = {
      {"1", "2", "3"},
      {"0.1", "0.2", "0.3"},
      {"5", "-5", "0"},
      {"-5", "2", "-3"},
      {"0", "-7", "-7"},
      {"-7", "0", "-7"},
      {"999", "1", "1000"},
      {"1e125", "8e125", "9" + zeros(125)},
      {kNines38, "1", "1" + zeros(38)},
      {"1E38", "-1", kNines38},
      {"-1E38", "1", "-" + kNines38},
      {"1E38", "-" + kNines38, "1"},
      {"1E37", "-1E-1", std::string(37, '9') + ".9"},
      {"2E-130", "-1E-130", "0." + zeros(129) + "1"},
      {"18446744073709551615", "1", "18446744073709551616"},
      {"12345678901234567890123456789012345678", "-12345678901234567890123456789012345677", "1"},
  };
  for (const auto& c : cases) {
    const auto sum = add(parse(c.a), parse(c.b));
    ASSERT_TRUE(sum.has_value()) << c.a << " + " << c.b;
    EXPECT_EQ(format_number(*sum), c.sum) << c.a << " + " << c.b;
    EXPECT_EQ(add(parse(c.b), parse(c.a)).value(), *sum) << c.a << " + " << c.b;
    EXPECT_EQ(subtract(*sum, parse(c.b)).value(), parse(c.a)) << c.a << " + " << c.b;
  }
}

TEST(Number, RefusesSumsThatDoNotFit) {
  const struct {
    std::string a, b, message;
  } cases[] = {
      {"1E38", "1", "Number overflow"},        {"1E39", "-1", "Number overflow"},
      {"2E38", "-1", "Number overflow"},       {"1E125", "1E-130", "Number overflow"},
      {kNines38, kNines38, "Number overflow"}, {"9E125", "1E125", "Number overflow"},
      {"-9E125", "-9E125", "Number overflow"},       {"1.1E-130", "-1E-130", "Number underflow"},
  };
  for (const auto& c : cases) {
    const auto sum = add(parse(c.a), parse(c.b));
    ASSERT_FALSE(sum.has_value()) << c.a << " + " << c.b;
    EXPECT_NE(sum.error().message.find(c.message), std::string::npos) << sum.error().message;
  }
}

// Schoolbook arithmetic over every place of the range, as a second opinion.
constexpr int kLowestPlace = -170;
using Places = std::array<int, 320>;

Places places_of(const Number& number) {
  Places places{};
  Uint128 rest = number.coefficient;
  for (int place = number.exponent - kLowestPlace; rest != 0; ++place, rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    places[static_cast<std::size_t>(place)] = number.negative ? -digit : digit;
  }
  return places;
}

// Text of the sum, as any spelling; what the limits say about it is left to parse_number.
std::string schoolbook_sum(const Number& a, const Number& b) {
  Places sum = places_of(a);
  const Places other = places_of(b);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
  int highest = static_cast<int>(sum.size()) - 1;
  while (highest >= 0 && sum[static_cast<std::size_t>(highest)] == 0) --highest;
  if (highest < 0) return "0";  // zero has the magnitude that it is written with, which may be out of range
  const bool negative = sum[static_cast<std::size_t>(highest)] < 0;
  std::string digits;
  int carry = 0;
  for (int place : sum) {
    int digit = (negative ? -place : place) + carry;
    carry = digit < 0 ? -1 : digit / 10;
    digit = digit < 0 ? digit + 10 : digit % 10;
    digits.insert(digits.begin(), static_cast<char>('0' + digit));
  }
  return (negative ? "-" : "") + digits + "E" + std::to_string(kLowestPlace);
}

TEST(Number, SumsAgreeWithSchoolbookArithmetic) {
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto a = parse_number(random_text(random, 60));
    const auto b = parse_number(random_text(random, 60));
    ASSERT_TRUE(a && b);
    const auto expected = parse_number(schoolbook_sum(*a, *b));
    const auto sum = add(*a, *b);
    ASSERT_EQ(sum.has_value(), expected.has_value())
        << format_number(*a) << " + " << format_number(*b);
    if (sum) {
      ASSERT_EQ(*sum, *expected) << format_number(*a) << " + " << format_number(*b);
      ASSERT_EQ(subtract(*sum, *b).value(), *a) << format_number(*a) << " + " << format_number(*b);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 19000);
}

TEST(Number, SurvivesFormattingAndParsing) {
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    const auto number = parse_number(random_text(random, 240));
    if (!number) continue;
    const std::string text = format_number(*number);
    ASSERT_EQ(parse(text), *number) << text;
    ASSERT_EQ(number_of(text), *number) << text;
    ASSERT_TRUE(is_canonical_number(text)) << text;
  }
}

TEST(Number, SizeCountsPairsOfDigitsFromTheDecimalPoint) {
  const struct {
    std::string_view text;
    std::size_t expected;
  } cases[] = {
      {"0", 1},
      {"1", 2},
      {"-1", 3},
      {"10", 2},
      {"99", 2},
      {"100", 2},
      {"101", 3},
      {"123", 3},
      {"1000", 2},
      {"1010", 3},
      {"1234", 3},
      {"12345", 4},
      {"0.1", 2},
      {"0.12", 2},
      {"0.012", 3},
      {"1.2", 3},
      {"12.3", 3},
      {"-12.34", 4},
      {"1E125", 2},
      {"1E-130", 2},
      {"12345678901234567890123456789012345678", 20},
      {"1.2345678901234567890123456789012345678", 21},
      {"-1.2345678901234567890123456789012345678", 22},
  };
  for (const auto& c : cases) EXPECT_EQ(number_bytes(parse(c.text)), c.expected) << c.text;
}

}  // namespace
}  // namespace stator::item
