#include "embed/convert.h"

#include <gtest/gtest.h>

namespace stator::embed {
namespace {

TEST(ToItems, SplitsThePagesOfTheEngineAtTheRightCommas) {
  base::Arena arena;
  const Result<std::vector<Item>> items =
      to_items(R"({"a":{"S":"},{\"\\"}},{},{"b":{"M":{"c":{"L":[{"N":"1"},{"M":{}}]}}}})", arena);
  ASSERT_TRUE(items.has_value()) << items.error().message;
  ASSERT_EQ(items->size(), 3U);
  EXPECT_EQ((*items)[0], (Item{{"a", "},{\"\\"}}));
  EXPECT_EQ((*items)[1], Item{});
  EXPECT_EQ((*items)[2], (Item{{"b", Item{{"c", List{1, Item{}}}}}}));
}

TEST(ToItems, OfNothingAreNone) {
  base::Arena arena;
  const Result<std::vector<Item>> items = to_items("", arena);
  ASSERT_TRUE(items.has_value());
  EXPECT_TRUE(items->empty());
}

TEST(ToItems, RefusesWhatTheEngineDoesNotWrite) {
  for (const std::string_view text :
       {"{", "x", R"({"a":{"S":"b"})", R"({"a":{"X":"b"}})", R"({"a":1})"}) {
    base::Arena arena;
    const Result<std::vector<Item>> items = to_items(text, arena);
    ASSERT_FALSE(items.has_value()) << text;
    EXPECT_EQ(items.error().code, ErrorCode::corruption) << text;
  }
}

}  // namespace
}  // namespace stator::embed
