#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "item/value.h"

// An item from a JSON text, in DynamoDB's spelling ({"qty": {"N": "2"}}) or plain ({"qty": 2}).
namespace stator::design {

enum class JsonSpelling : unsigned char { dynamodb, plain };

// Owns what its attributes point to.
struct JsonItem {
  std::unique_ptr<base::Arena> arena;
  item::Attributes attributes;
  JsonSpelling spelling = JsonSpelling::plain;
};

// DynamoDB's spelling where every attribute has it; an answer of GetItem ({"Item": {...}}) is unwrapped. Plain numbers
// keep 17 digits. Errors name the attribute and say what was expected.
[[nodiscard]] Result<JsonItem> parse_json_item(std::string_view text);

// One value in DynamoDB's spelling, such as {"S": "x"}, with everything that it needs in the arena.
[[nodiscard]] Result<item::Value> read_attribute_value(const nlohmann::ordered_json& value, base::Arena& arena);
// All attributes of an object of such values.
[[nodiscard]] Result<item::Attributes> read_attributes(const nlohmann::ordered_json& object, base::Arena& arena);

}  // namespace stator::design
