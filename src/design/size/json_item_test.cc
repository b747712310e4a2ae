#include "design/size/json_item.h"

#include <gtest/gtest.h>

#include "design/size/size_report.h"
#include "item/size.h"

namespace stator::design {
namespace {

std::size_t bytes_of(std::string_view text) {
  const auto item = parse_json_item(text);
  return item ? item::item_bytes(item->attributes) : 0;
}

TEST(JsonItem, BothSpellingsWeighTheSame) {
  const char* typed =
      R"({"PK":{"S":"ORDER#o-9001"},"qty":{"N":"2"},"tags":{"L":[{"S":"a"},{"BOOL":true}]},"m":{"M":{"x":{"NULL":true}}}})";
  const char* plain = R"({"PK":"ORDER#o-9001","qty":2,"tags":["a",true],"m":{"x":null}})";
  EXPECT_EQ(parse_json_item(typed)->spelling, JsonSpelling::dynamodb);
  EXPECT_EQ(parse_json_item(plain)->spelling, JsonSpelling::plain);
  EXPECT_EQ(bytes_of(typed), bytes_of(plain));
  // names 2+3+4+1, text 12, number 2, list 3+2+1+1, map 3+1+1+1
  EXPECT_EQ(bytes_of(plain), 10u + 12 + 2 + 7 + 6);
}

TEST(JsonItem, UnwrapsAnAnswerOfGetItem) {
  EXPECT_EQ(bytes_of(R"({"Item":{"a":{"S":"bc"}}})"), 3u);
  EXPECT_EQ(bytes_of(R"({"Item":{"S":"bc"}})"), 6u);  // an attribute that is called Item
}

TEST(JsonItem, SetsAndBinariesCountTheirBytes) {
  EXPECT_EQ(bytes_of(R"({"b":{"B":"AAEC"},"s":{"SS":["ab","c"]},"n":{"NS":["1","12"]}})"), 4u + 4 + 5);
}

TEST(JsonItem, SaysWhatIsWrong) {
  EXPECT_NE(parse_json_item("{\"a\": ").error().message.find("not JSON"), std::string::npos);
  EXPECT_NE(parse_json_item("[1]").error().message.find("expected one item"), std::string::npos);
  EXPECT_EQ(parse_json_item(R"({"a":{"N":"x"}})").error().message.rfind("attribute \"a\":", 0), 0u);
  EXPECT_EQ(parse_json_item(R"({"a":{"B":"!"}})").error().message, "attribute \"a\": \"!\" is not base64");
  const std::string deep = std::string(R"({"a":)") + std::string(60, '[') + std::string(60, ']') + "}";
  EXPECT_NE(parse_json_item(deep).error().message.find("nested deeper"), std::string::npos);
}

TEST(SizeReport, CountsUnitsAtTheirBorders) {
  const auto units = [](std::size_t bytes) {
    const auto item = parse_json_item(R"({"a":")" + std::string(bytes - 1, 'x') + "\"}");
    return nlohmann::json::parse(size_json(*item));
  };
  EXPECT_EQ(units(1024)["writeUnits"]["plain"], 1);
  EXPECT_EQ(units(1025)["writeUnits"]["plain"], 2);
  EXPECT_EQ(units(1025)["writeUnits"]["transaction"], 4);
  EXPECT_EQ(units(4096)["readUnits"]["eventual"], 0.5);
  EXPECT_EQ(units(4097)["readUnits"]["eventual"], 1);
  EXPECT_EQ(units(4097)["readUnits"]["strong"], 2);
  EXPECT_FALSE(units(400 * 1024)["tooLarge"]);
  EXPECT_TRUE(units(400 * 1024 + 1)["tooLarge"]);
}

}  // namespace
}  // namespace stator::design
