#include "api/attribute_value.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/legacy_test_support.h"

namespace stator::api {
namespace {

using testing::Request;

struct Reading {
  std::string text;           // canonical, of the value of "a"
  std::string invalid;        // a wrong value
  std::string serialization;  // a wrong JSON type
};

Reading read(std::string_view json, Nesting nesting = Nesting::limited) {
  const Request request(std::string(R"({"Item":{"a":)").append(json).append("}}"));
  const auto attributes = request.in().attributes("Item", nesting);
  Reading reading;
  reading.serialization = request.serialization_error();
  if (!attributes) return reading;
  reading.invalid = attributes->invalid.value_or("");
  if (attributes->invalid || !reading.serialization.empty()) return reading;  // the value is not whole
  base::Buffer out;
  item::append_value(out, attributes->attributes.front().value);
  reading.text = out.view();
  return reading;
}

TEST(AttributeValue, ReadsEveryType) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"S":"a\u00e4\n\""})", "{\"S\":\"a\u00e4\\n\\\"\"}"},
      {R"({"S":""})", R"({"S":""})"},
      {R"({"N":"+007.50"})", R"({"N":"7.5"})"},
      {R"({"N":"-0"})", R"({"N":"0"})"},
      {R"({"N":"1e3"})", R"({"N":"1000"})"},
      {R"({"B":"AP8="})", R"({"B":"AP8="})"},
      {R"({"B":""})", R"({"B":""})"},
      {R"({"BOOL":true})", R"({"BOOL":true})"},
      {R"({"BOOL":"false"})", R"({"BOOL":false})"},
      {R"({"NULL":true})", R"({"NULL":true})"},
      {R"({"M":{"x":{"N":"1"},"y":{"M":{}}}})", R"({"M":{"x":{"N":"1"},"y":{"M":{}}}})"},
      {R"({"L":[{"S":"x"},{"L":[]}]})", R"({"L":[{"S":"x"},{"L":[]}]})"},
      {R"({"SS":["b","a",""]})", R"({"SS":["","a","b"]})"},
      {R"({"NS":["1.0","2"]})", R"({"NS":["1","2"]})"},
      {R"({"BS":["AQ==",""]})", R"({"BS":["","AQ=="]})"},
      {R"({"S":"a","N":null,"unknown":1})", R"({"S":"a"})"},
  };
  for (const auto& [json, text] : cases) {
    const Reading reading = read(json);
    EXPECT_EQ(reading.text, text);
    EXPECT_EQ(reading.invalid, "") << json;
    EXPECT_EQ(reading.serialization, "") << json;
  }
}

TEST(AttributeValue, RefusesWrongValues) {
  constexpr std::string_view kPrefix = "One or more parameter values were invalid: ";
  constexpr std::string_view kNumeric = "The parameter cannot be converted to a numeric value";
  const std::pair<std::string_view, std::string> cases[] = {
      {"{}",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S":null})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S":"a","N":"1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      // What is wrong with one of them is found first.
      {R"({"S":"a","N":"x"})", std::string(kNumeric) + ": x"},
      {R"({"NULL":false})",
       std::string(kPrefix) + "Null attribute value types must have the value of true"},
      {R"({"SS":[]})", std::string(kPrefix) + "An string set  may not be empty"},
      {R"({"NS":[]})", std::string(kPrefix) + "An number set  may not be empty"},
      {R"({"BS":[]})", std::string(kPrefix) + "Binary sets should not be empty"},
      {R"({"SS":["a","b","a"]})",
       std::string(kPrefix) + "Input collection [a, b, a] contains duplicates."},
      {R"({"BS":["AQ==","AQ=="]})",
       std::string(kPrefix) + "Input collection [AQ==, AQ==]of type BS contains duplicates."},
      {R"({"NS":["1","1.0"]})", "Input collection contains duplicates"},
      {R"({"NS":["1","x"]})", std::string(kNumeric) + ": x"},
      {R"({"N":""})", std::string(kNumeric)},
      {R"({"N":"1_000"})", std::string(kNumeric) + ": 1_000"},
      {R"({"N":"NaN"})", std::string(kNumeric) + ": NaN"},
      {R"({"N":"1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"N":"1e-131"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported "
       "range"},
      {R"({"N":"123456789012345678901234567890123456789"})",
       "Attempting to store more than 38 significant digits in a Number"},
      {R"({"M":{"x":{}}})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"L":[{"SS":[]}]})", std::string(kPrefix) + "An string set  may not be empty"},
  };
  for (const auto& [json, text] : cases) {
    const Reading reading = read(json);
    EXPECT_EQ(reading.invalid, text) << json;
    EXPECT_EQ(reading.serialization, "") << json;
  }
}

TEST(AttributeValue, RefusesWrongJsonTypes) {
  constexpr std::string_view kStructure = "Start of structure or map found where not expected";
  constexpr std::string_view kNotBytes = "only base-64-encoded strings are convertible to bytes";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"S":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"N":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"N":[]})", "Unrecognized collection type class java.lang.String"},
      {R"({"B":true})", kNotBytes},
      {R"({"B":1})", kNotBytes},
      {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"B":{}})", kStructure},
      {R"({"B":"abc"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {R"({"B":"AB=="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"BOOL":1})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"NULL":"x"})", "Unexpected token received from parser"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"M":1})", "Unexpected field type"},
      {R"({"L":{}})", kStructure},
      {R"({"L":1})", "Unexpected field type"},
      {R"({"L":["x"]})", "Unexpected value type in payload"},
      {R"({"SS":"x"})", "Unexpected field type"},
      {R"({"SS":{}})", kStructure},
      {R"({"SS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"NS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"BS":[1]})", kNotBytes},
  };
  for (const auto& [json, text] : cases) {
    EXPECT_EQ(read(json).serialization, text) << json;
  }
}

TEST(AttributeValue, TellsWhichAttributeIsWrong) {
  const Request request(R"({"Item":{"good":{"S":"x"},"bad":{"N":"x"},"worse":{}}})");
  const auto attributes = request.in().attributes("Item");
  ASSERT_TRUE(attributes.has_value());
  EXPECT_EQ(attributes->invalid_name, "bad");
  EXPECT_EQ(attributes->invalid_kind, InvalidKind::content);
}

std::string nested(int levels, std::string_view open, std::string_view close) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += open;
  text += R"({"S":"x"})";
  for (int i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(AttributeValue, NestsThirtyOneLevels) {
  constexpr std::string_view kTooDeep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  const std::pair<std::string_view, std::string_view> kinds[] = {{R"({"L":[)", "]}"},
                                                                 {R"({"M":{"x":)", "}}"}};
  for (const auto& [open, close] : kinds) {
    EXPECT_EQ(read(nested(31, open, close)).invalid, "");
    EXPECT_EQ(read(nested(32, open, close)).invalid, kTooDeep);
    EXPECT_EQ(read(nested(100, open, close)).invalid, kTooDeep);
    EXPECT_EQ(read(nested(100, open, close), Nesting::unlimited).invalid, "");
  }
}

TEST(AttributeValue, KeepsTheLastOfManyAttributesOfOneName) {
  std::string json = R"({"Item":{)";
  for (int i = 0; i < 100; ++i) {
    json += fmt::format(R"("k{}":{{"N":"{}"}},)", i % 50, i);
  }
  json += R"("last":{"S":""}}})";
  const Request request(json);
  const auto attributes = request.in().attributes("Item");
  ASSERT_TRUE(attributes.has_value());
  ASSERT_EQ(attributes->attributes.size(), 51u);
  for (int i = 0; i < 50; ++i) {
    const item::Value* value = item::find(attributes->attributes, fmt::format("k{}", i));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->text(), std::to_string(i + 50));
  }
}

}  // namespace
}  // namespace stator::api
