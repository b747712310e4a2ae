#pragma once

#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/check.h"
#include "expr/expression.h"
#include "item/stored_item.h"

// What the fuzz targets of expressions share: placeholders of every type, and an item to work on.
namespace stator::fuzz {

constexpr std::size_t kBytesMax = 400 * 1024;  // of the values that an update writes

class Request {
 public:
  Request() : placeholders(kNames, values(), arena) {
    const auto map = item::decode_value(kItem, arena);
    CHECK(map.has_value());
    auto opened = item::StoredItem::open(item::encode_item(map->attributes(), arena));
    CHECK(opened.has_value());
    item = *opened;
  }

  base::Arena arena;
  expr::Placeholders placeholders;
  item::StoredItem item;

 private:
  static constexpr expr::Name kNames[] = {{"#a", "a"}, {"#b", "m"}, {"#c", "odd \"name\""}};
  static constexpr std::string_view kItem =
      R"({"M":{"a":{"N":"1"},"b":{"S":"text"},"s":{"SS":["x","y"]},"l":{"L":[{"N":"1"},{"M":{"k":{"B":"YQ=="}}}]},)"
      R"("m":{"M":{"x":{"N":"2"},"y":{"L":[]}}},"odd \"name\"":{"BOOL":true}}})";

  item::Attributes values() {
    static constexpr std::string_view kTexts[] = {
        R"({"S":"x"})",     R"({"N":"1"})",         R"({"B":"YQ=="})",
        R"({"BOOL":true})", R"({"NULL":true})",     R"({"SS":["x"]})",
        R"({"NS":["1"]})",  R"({"L":[{"N":"1"}]})", R"({"M":{}})"};
    static constexpr std::string_view kKeys[] = {":s",  ":n",  ":b", ":t", ":z",
                                                 ":ss", ":ns", ":l", ":m"};
    const auto made = arena.array<item::Attribute>(std::size(kTexts));
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] = {kKeys[i], *item::decode_value(kTexts[i], arena)};
    return made;
  }
};

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace stator::fuzz
