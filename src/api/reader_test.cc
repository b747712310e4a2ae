#include "api/reader.h"

#include <gtest/gtest.h>

#include "api/legacy_test_support.h"

namespace stator::api {
namespace {

using testing::Request;

// Reads the member "v" as one kind of thing.
using Read = void (*)(const Reader&);

struct ReaderCase {
  std::string_view json;  // of the member
  std::string_view error = "";
};

void expect_errors(Read read, std::initializer_list<ReaderCase> cases) {
  for (const ReaderCase& test : cases) {
    const Request request(std::string(R"({"v":)").append(test.json).append("}"));
    read(request.in());
    EXPECT_EQ(request.serialization_error(), test.error) << test.json;
  }
}

constexpr std::string_view kStructure = "Start of structure or map found where not expected";

TEST(Reader, OfStrings) {
  expect_errors([](const Reader& in) { static_cast<void>(in.string("v")); },
                {{R"("text")"},
                 {R"("")"},
                 {"null"},
                 {"true", "TRUE_VALUE cannot be converted to String"},
                 {"false", "FALSE_VALUE cannot be converted to String"},
                 {"3", "NUMBER_VALUE cannot be converted to String"},
                 {"18446744073709551615", "NUMBER_VALUE cannot be converted to String"},
                 {"3.5", "DECIMAL_VALUE cannot be converted to String"},
                 {"[]", "Unrecognized collection type class java.lang.String"},
                 {"{}", kStructure}});
}

TEST(Reader, OfIntegers) {
  expect_errors([](const Reader& in) { static_cast<void>(in.integer("v")); },
                {{"3"},
                 {"-3"},
                 {"3.5"},
                 {"null"},
                 {"true", "TRUE_VALUE cannot be converted to Integer"},
                 {R"("3")", "STRING_VALUE cannot be converted to Integer"},
                 {"[]", "Unrecognized collection type class java.lang.Integer"},
                 {"{}", kStructure}});
  expect_errors([](const Reader& in) { static_cast<void>(in.long_integer("v")); },
                {{"3"},
                 {"false", "FALSE_VALUE cannot be converted to Long"},
                 {R"("3")", "STRING_VALUE cannot be converted to Long"},
                 {"[]", "Unrecognized collection type class java.lang.Long"}});
}

TEST(Reader, CutsFractionsAndHugeNumbers) {
  const Request request(R"({"a":3.9,"b":-3.9,"c":1e300,"d":-1e300,"e":18446744073709551615})");
  EXPECT_EQ(request.in().integer("a"), 3);
  EXPECT_EQ(request.in().integer("b"), -3);
  EXPECT_EQ(request.in().long_integer("c"), INT64_MAX);
  EXPECT_EQ(request.in().long_integer("d"), INT64_MIN);
  EXPECT_EQ(request.in().long_integer("e"), INT64_MAX);
}

TEST(Reader, OfBooleans) {
  expect_errors([](const Reader& in) { static_cast<void>(in.boolean("v")); },
                {{"true"},
                 {R"("yes")"},
                 {R"("maybe")", "Unexpected token received from parser"},
                 {R"("")", "Unexpected token received from parser"},
                 {"1", "NUMBER_VALUE cannot be converted to Boolean"},
                 {"1.5", "DECIMAL_VALUE cannot be converted to Boolean"},
                 {"[]", "Unrecognized collection type class java.lang.Boolean"},
                 {"{}", kStructure}});
  const Request request(R"({"a":"TRUE","b":"1","c":"Yes","d":"False","e":"0","f":"NO"})");
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(request.in().boolean(name), true);
  for (const char* name : {"d", "e", "f"}) EXPECT_EQ(request.in().boolean(name), false);
}

TEST(Reader, OfMaps) {
  constexpr std::string_view kOfAttributes =
      "Unrecognized collection type java.util.Map<java.lang.String, "
      "com.amazonaws.dynamodb.v20120810.AttributeValue>";
  expect_errors([](const Reader& in) { static_cast<void>(in.attributes("v")); },
                {{"{}"},
                 {R"({"a":{"S":"x"}})"},
                 {"true", "Unexpected field type"},
                 {"3", "Unexpected field type"},
                 {R"("x")", "Unexpected field type"},
                 {"[]", kOfAttributes},
                 {R"({"a":true})", "Unexpected value type in payload"},
                 {R"({"a":"x"})", "Unexpected value type in payload"},
                 {R"({"a":[]})",
                  "Unrecognized collection type class "
                  "com.amazonaws.dynamodb.v20120810.AttributeValue"}});
  expect_errors(
      [](const Reader& in) { static_cast<void>(in.names("v")); },
      {{R"({"#a":"a"})"},
       {"[]", "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
       {"3", "Unexpected field type"},
       {R"({"#a":3})", "NUMBER_VALUE cannot be converted to String"},
       {R"({"#a":[]})", "Unrecognized collection type class java.lang.String"}});
}

TEST(Reader, OfLists) {
  expect_errors([](const Reader& in) { static_cast<void>(in.strings("v")); },
                {{R"(["a","b"])"},
                 {"[]"},
                 {"{}", kStructure},
                 {R"("a")", "Unexpected field type"},
                 {"3", "Unexpected field type"},
                 {"[3]", "NUMBER_VALUE cannot be converted to String"}});
  expect_errors(
      [](const Reader& in) { static_cast<void>(in.objects("v", "Tag")); },
      {{"[{}]"},
       {"{}", kStructure},
       {"true", "Unexpected field type"},
       {R"(["a"])", "Unexpected value type in payload"},
       {"[[]]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Tag"}});
}

TEST(Reader, OfStructures) {
  expect_errors([](const Reader& in) { static_cast<void>(in.object("v", "Projection")); },
                {{"{}"},
                 {"null"},
                 {"3", "Unexpected field type"},
                 {R"("x")", "Unexpected field type"},
                 {"[]",
                  "Unrecognized collection type class "
                  "com.amazonaws.dynamodb.v20120810.Projection"}});
}

TEST(Reader, TreatsNullAndUnknownMembersAsAbsent) {
  const Request request(R"({"a":null,"unknown":[[]]})");
  EXPECT_FALSE(request.in().has("a"));
  EXPECT_FALSE(request.in().has("b"));
  EXPECT_EQ(request.in().string("a"), std::nullopt);
  EXPECT_EQ(request.in().boolean("b"), std::nullopt);
  EXPECT_EQ(request.serialization_error(), "");
}

TEST(Reader, TakesTheLastOfTwoMembersOfOneName) {
  const Request request(R"({"a":"first","a":"last","i":{"x":{"S":"1"},"x":{"S":"2"}}})");
  EXPECT_EQ(request.in().string("a"), "last");
  const auto attributes = request.in().attributes("i");
  ASSERT_TRUE(attributes.has_value());
  ASSERT_EQ(attributes->attributes.size(), 1u);
  EXPECT_EQ(attributes->attributes[0].value.text(), "2");
}

TEST(Reader, ReportsTheFirstWrongType) {
  const Request request(R"({"a":1,"b":true})");
  static_cast<void>(request.in().string("b"));
  static_cast<void>(request.in().string("a"));
  EXPECT_EQ(request.serialization_error(), "TRUE_VALUE cannot be converted to String");
}

}  // namespace
}  // namespace stator::api
