#include <cmath>
#include <type_traits>

#include "embed/test_support.h"

namespace stator {
namespace {

TEST(AttributeValue, TakesTheTypeOfWhatItIsMadeFrom) {
  const std::string_view view = "view";
  const struct {
    AttributeValue value;
    AttributeType type;
  } cases[] = {
      {{}, AttributeType::null},
      {nullptr, AttributeType::null},
      {true, AttributeType::boolean},
      {"text", AttributeType::string},
      {view, AttributeType::string},
      {std::string("text"), AttributeType::string},
      {0, AttributeType::number},
      {std::uint64_t{18446744073709551615U}, AttributeType::number},
      {Number("1.5"), AttributeType::number},
      {Binary("\x01"), AttributeType::binary},
      {List{"a", 1, nullptr}, AttributeType::list},
      {Item{{"a", 1}}, AttributeType::map},
      {StringSet{"a"}, AttributeType::string_set},
      {NumberSet{1, Number("2.5")}, AttributeType::number_set},
      {BinarySet{Binary("a")}, AttributeType::binary_set},
  };
  for (const auto& [value, type] : cases) EXPECT_EQ(value.type(), type) << to_json(value);
}

TEST(AttributeValue, IsNotMadeFromADoubleOrACharacter) {
  static_assert(!std::is_constructible_v<AttributeValue, double>);
  static_assert(!std::is_constructible_v<AttributeValue, float>);
  static_assert(!std::is_constructible_v<AttributeValue, char>);
  static_assert(!std::is_constructible_v<AttributeValue, int*>);  // would be a bool
}

TEST(AttributeValue, CopiesMapsDeeply) {
  AttributeValue original = Item{{"inner", Item{{"n", 1}}}};
  AttributeValue copy = original;
  copy.as_map()["inner"].as_map()["n"] = 2;
  EXPECT_EQ(original.as_map().at("inner").as_map().at("n"), AttributeValue(1));
  EXPECT_NE(original, copy);
  original = copy;
  EXPECT_EQ(original, copy);
  AttributeValue moved = std::move(original);
  EXPECT_EQ(moved, copy);
}

TEST(AttributeValue, ThrowsWhenItIsReadAsAnotherType) {
  EXPECT_THROW(static_cast<void>(AttributeValue("text").as_number()), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(AttributeValue(1).as_map()), std::bad_variant_access);
}

TEST(AttributeValue, IsWrittenAsOnTheWire) {
  const Item item = {{"b", Binary(std::string("\x00\xff", 2))},
                     {"bs", BinarySet{Binary("a")}},
                     {"flag", false},
                     {"l", List{1, "two"}},
                     {"m", Item{{"quote\"", "line\n"}}},
                     {"n", Number("1.50")},
                     {"nothing", nullptr},
                     {"ns", NumberSet{2, 1}},
                     {"ss", StringSet{"b", "a"}}};
  EXPECT_EQ(to_json(item),
            R"({"b":{"B":"AP8="},"bs":{"BS":["YQ=="]},"flag":{"BOOL":false},)"
            R"("l":{"L":[{"N":"1"},{"S":"two"}]},"m":{"M":{"quote\"":{"S":"line\n"}}},)"
            R"("n":{"N":"1.50"},"nothing":{"NULL":true},"ns":{"NS":["1","2"]},)"
            R"("ss":{"SS":["a","b"]}})");
}

TEST(Number, IsComparedByValue) {
  EXPECT_EQ(Number("1.0"), Number("1"));
  EXPECT_EQ(Number("1e3"), Number(1000));
  EXPECT_LT(Number("-2"), Number("1.5"));
  EXPECT_LT(Number(10), Number("10.00000000000000000000000000000000001"));
  EXPECT_LT(Number("9.9E125"), Number("no number"));
  EXPECT_EQ((NumberSet{1, Number("1.00"), 2}).size(), 2U);
}

TEST(Number, BecomesAnIntegerOnlyWhereItIsOne) {
  const struct {
    const char* text;
    std::optional<std::int64_t> value;
  } cases[] = {
      {"0", 0},
      {"-7", -7},
      {"1.50", std::nullopt},
      {"15e-1", std::nullopt},
      {"1.5e1", 15},
      {"9223372036854775807", INT64_MAX},
      {"9223372036854775808", std::nullopt},
      {"-9223372036854775808", INT64_MIN},
      {"-9223372036854775809", std::nullopt},
      {"1e125", std::nullopt},
      {"x", std::nullopt},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(Number(text).to_int64(), value) << text;
}

TEST(Number, BecomesTheNearestDouble) {
  EXPECT_EQ(Number("0.1").to_double(), 0.1);
  EXPECT_EQ(Number("-12.5e1").to_double(), -125.0);
  EXPECT_EQ(Number("1e125").to_double(), 1e125);
  EXPECT_TRUE(std::isnan(Number("x").to_double()));
}

TEST(Outcome, ThrowsItsErrorWhenAskedForAValueThatItDoesNotHave) {
  const Outcome<int> failed =
      DatabaseError{ErrorKind::validation, "ValidationException", "no", std::nullopt};
  EXPECT_FALSE(failed);
  try {
    static_cast<void>(failed.value());
    FAIL();
  } catch (const DatabaseException& exception) {
    EXPECT_STREQ(exception.what(), "ValidationException: no");
    EXPECT_EQ(exception.error().kind, ErrorKind::validation);
  }
  EXPECT_EQ(Outcome<int>(7).value(), 7);
}

}  // namespace
}  // namespace stator
