#include "item/attribute_finder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stator::item {
namespace {

TEST(AttributeFinder, FindsWhatTheItemFinds) {
  for (const std::size_t count : {0, 3, 100}) {
    base::Arena arena;
    std::vector<Attribute> attributes;
    for (std::size_t i = 0; i < count; ++i) {
      // Some names are stored in another form than they are asked for.
      const std::string name = (i % 2 == 0 ? "\"" : "") + std::to_string(i);
      attributes.push_back({arena.copy(name), Value::number(arena.copy(std::to_string(i + 1)))});
    }
    const StoredItem item = StoredItem::open(encode_item(attributes, arena)).value();
    for (const std::size_t lookups : {1, 1000}) {
      const AttributeFinder finder(&item, lookups, arena);
      for (const Attribute& attribute : attributes) {
        EXPECT_EQ(finder.find_text(attribute.name), item.find_text(attribute.name));
        const std::optional<Value> found = finder.find(attribute.name);
        ASSERT_TRUE(found.has_value()) << attribute.name;
        EXPECT_TRUE(equal(*found, attribute.value)) << attribute.name;
      }
      EXPECT_FALSE(finder.find_text("missing").has_value());
      EXPECT_FALSE(finder.find("missing").has_value());
    }
  }
}

TEST(AttributeFinder, FindsNothingInNoItem) {
  base::Arena arena;
  const AttributeFinder finder(nullptr, 1000, arena);
  EXPECT_FALSE(finder.find_text("a").has_value());
  EXPECT_FALSE(finder.find("a").has_value());
}

}  // namespace
}  // namespace stator::item
