#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "item/stored_item.h"

namespace stator::item {
namespace {

using namespace std::string_literals;

std::string text_of(const Value& value) {
  base::Buffer out;
  append_value(out, value);
  return std::string(out.view());
}

std::string escaped(std::string_view text) {
  base::Buffer out;
  append_escaped(out, text);
  return std::string(out.view());
}

TEST(WireText, OfEachType) {
  const Value strings[] = {Value::string("a"), Value::string("\"")};
  const Value numbers[] = {Value::number("1"), Value::number("-2.5")};
  const Value binaries[] = {Value::binary("foo"), Value::binary("f")};
  const Value mixed[] = {Value::null(), Value::list({}), Value::boolean(false)};
  const Attribute attributes[] = {{"a\n", Value::string("x")}, {"b", Value::list(mixed)}};
  const struct {
    Value value;
    std::string_view text;
  } cases[] = {
      {Value::string(""), R"({"S":""})"},
      {Value::string("caf\xc3\xa9"), "{\"S\":\"caf\xc3\xa9\"}"},
      {Value::string("a\"b"), R"({"S":"a\"b"})"},
      {Value::number("-1.5"), R"({"N":"-1.5"})"},
      {Value::binary("foo"), R"({"B":"Zm9v"})"},
      {Value::binary(""), R"({"B":""})"},
      {Value::boolean(true), R"({"BOOL":true})"},
      {Value::boolean(false), R"({"BOOL":false})"},
      {Value::null(), R"({"NULL":true})"},
      {Value::list({}), R"({"L":[]})"},
      {Value::map({}), R"({"M":{}})"},
      {Value::list(mixed), R"({"L":[{"NULL":true},{"L":[]},{"BOOL":false}]})"},
      {Value::map(attributes),
       R"({"M":{"a\n":{"S":"x"},"b":{"L":[{"NULL":true},{"L":[]},{"BOOL":false}]}}})"},
      {Value::set(Type::string_set, strings), R"({"SS":["\"","a"]})"},
      {Value::set(Type::number_set, numbers), R"({"NS":["-2.5","1"]})"},
      {Value::set(Type::binary_set, binaries), R"({"BS":["Zg==","Zm9v"]})"},
  };
  base::Arena arena;
  for (const auto& c : cases) {
    EXPECT_EQ(text_of(c.value), c.text);
    const auto decoded = decode_value(c.text, arena);
    ASSERT_TRUE(decoded.has_value()) << c.text;
    EXPECT_TRUE(equal(*decoded, c.value)) << c.text;
  }
}

TEST(WireText, EscapesOnlyWhatJsonMust) {
  EXPECT_EQ(escaped("plain \x7f /'<> \xf0\x9f\x98\x80"), "plain \x7f /'<> \xf0\x9f\x98\x80");
  EXPECT_EQ(escaped("\"\\\n\t\r\b\f"), R"(\"\\\n\t\r\b\f)");
  EXPECT_EQ(escaped("\0\x01\x0b\x1f"s), R"(\u0000\u0001\u000b\u001f)");
}

TEST(WireText, EscapesAtEveryPlaceOfLongStrings) {
  base::Arena arena;
  for (std::size_t length = 1; length <= 40; ++length) {
    for (std::size_t place = 0; place < length; ++place) {
      for (const char special : {'"', '\\', '\n', '\x1f', '\x00'}) {
        std::string text(length, '\x80');
        text[place] = special;
        const std::string once = escaped(text);
        ASSERT_EQ(unescape(once, arena), text);
        ASSERT_EQ(decode_value(text_of(Value::string(text)), arena)->text(), text);
        ASSERT_EQ(once.size(), length + escaped({&special, 1}).size() - 1);
      }
    }
  }
}

TEST(WireText, DecodesUnescapedStringsAsViews) {
  base::Arena arena;
  const std::string text = R"({"S":"hello"})";
  EXPECT_EQ(decode_value(text, arena)->text().data(), text.data() + 6);
  const std::string name = "name";
  EXPECT_EQ(unescape(name, arena).data(), name.data());
}

TEST(WireText, RefusesEverythingElse) {
  base::Arena arena;
  for (const std::string& text : std::vector<std::string>{"",
                                                          "{",
                                                          "{}",
                                                          R"({"S":"a"} )",
                                                          R"( {"S":"a"})",
                                                          R"({"S": "a"})",
                                                          R"({"S":"a")",
                                                          R"({"S":"a})",
                                                          R"({"S":"a","N":"1"})",
                                                          R"({"S":1})",
                                                          R"({"X":"a"})",
                                                          R"({"XS":["a"]})",
                                                          R"({"SSS":["a"]})",
                                                          R"({"S":"\/"})",
                                                          R"({"S":"\u0041"})",
                                                          R"({"S":"\u001F"})",
                                                          R"({"S":"\u000a"})",
                                                          R"({"S":"\u00)",
                                                          R"({"S":"\x"})",
                                                          R"({"S":"\"})",
                                                          R"({"S":"\)",
                                                          "{\"S\":\"a\nb\"}",
                                                          R"({"N":""})",
                                                          R"({"N":"abc"})",
                                                          R"({"N":"1e3"})",
                                                          R"({"N":"01"})",
                                                          R"({"N":"-0"})",
                                                          R"({"N":"0.10"})",
                                                          R"({"N":"1\u0000"})",
                                                          R"({"B":"Zg"})",
                                                          R"({"B":"Zh=="})",
                                                          R"({"BOOL":1})",
                                                          R"({"BOOL":"true"})",
                                                          R"({"BOOL":tru)",
                                                          R"({"NULL":false})",
                                                          R"({"NULL":true)",
                                                          R"({"L":[{"S":"a"},]})",
                                                          R"({"L":[,]})",
                                                          R"({"L":[{"S":"a"}})",
                                                          R"({"L":{}})",
                                                          R"({"M":[]})",
                                                          R"({"M":{"a"}})",
                                                          R"({"M":{"a":{"S":"b"},}})",
                                                          R"({"M":{"a":"b"}})",
                                                          R"({"M":{a:{"S":"b"}}})",
                                                          R"({"SS":[]})",
                                                          R"({"SS":["a",]})",
                                                          R"({"SS":"a"})",
                                                          R"({"NS":["a"]})",
                                                          R"({"BS":["a"]})",
                                                          R"({"NS":[1]})"}) {
    EXPECT_FALSE(decode_value(text, arena).has_value()) << text;
  }
}

TEST(WireText, RefusesEveryCutOfAGoodText) {
  base::Arena arena;
  const std::string text =
      R"({"M":{"a\u0001":{"L":[{"NS":["1","2"]},{"BOOL":false},{"B":"Zg=="},{"S":"\"x"}]},"b":{"NULL":true}}})";
  ASSERT_TRUE(decode_value(text, arena).has_value());
  for (std::size_t size = 0; size < text.size(); ++size) {
    // A copy of exactly that size lets the address sanitizer see a read behind it.
    const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_FALSE(decode_value({cut.data(), cut.size()}, arena).has_value()) << size;
  }
}

TEST(WireText, LimitsDepth) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text.append(R"({"L":[)");
    text.append(R"({"NULL":true})");
    for (int i = 0; i < depth; ++i) text.append("]}");
    return text;
  };
  base::Arena arena;
  EXPECT_TRUE(decode_value(nested(40), arena).has_value());
  EXPECT_FALSE(decode_value(nested(41), arena).has_value());
  EXPECT_FALSE(decode_value(nested(100000), arena).has_value());
}

}  // namespace

}  // namespace stator::item
