#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "expr/expression.h"
#include "item/stored_item.h"

// What the tests of this folder share: a request made of wire text, and items made of wire text.
namespace stator::expr::testing {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Canonical wire text to a value: {"S":"a"}
inline item::Value value_of(std::string_view text, base::Arena& arena) {
  const auto value = item::decode_value(arena.copy(text), arena);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(item::Value::null());
}

inline std::string text_of(const item::Value& value) {
  base::Buffer out;
  item::append_value(out, value);
  return std::string(out.view());
}

class Request {
 public:
  explicit Request(const Pairs& values = {}, const Pairs& names = {}) {
    for (const auto& [placeholder, text] : values) {
      values_.push_back({arena.copy(placeholder), value_of(text, arena)});
    }
    for (const auto& [placeholder, name] : names) {
      names_.push_back({arena.copy(placeholder), arena.copy(name)});
    }
    placeholders = std::make_unique<Placeholders>(names_, values_, arena);
  }

  // Attributes as wire text: {"a":{"S":"x"}}. Nothing for no item.
  const item::StoredItem* item(std::string_view text) {
    if (text.empty()) return nullptr;
    const item::Value map = value_of(std::string(R"({"M":)") + std::string(text) + "}", arena);
    auto opened = item::StoredItem::open(item::encode_item(map.attributes(), arena));
    EXPECT_TRUE(opened.has_value());
    items_.push_back(std::make_unique<item::StoredItem>(*opened));
    return items_.back().get();
  }

  base::Arena arena;
  std::unique_ptr<Placeholders> placeholders;

 private:
  std::vector<item::Attribute> values_;
  std::vector<Name> names_;
  std::vector<std::unique_ptr<item::StoredItem>> items_;
};

template <class T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().message;
}

}  // namespace stator::expr::testing
