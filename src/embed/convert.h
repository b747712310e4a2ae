#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/capacity.h"
#include "engine/request.h"
#include "item/stored_item.h"
#include "item/value.h"
#include "stator/items.h"

// Between the public types, which own, and the engine's, which are views.
namespace stator::embed {

// Views into `item` and the arena. Errors are the service's: numbers that are none, empty sets,
// nesting beyond 32 levels; and text that is not UTF-8, which cannot be said over HTTP.
[[nodiscard]] Result<item::Attributes> to_attributes(const Item& item, base::Arena& arena);

// The placeholders of a request.
[[nodiscard]] Result<engine::ExpressionParameters> to_parameters(const Names& names,
                                                                 const Item& values,
                                                                 base::Arena& arena);

[[nodiscard]] inline std::optional<std::string_view> to_view(
    const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

[[nodiscard]] Item to_item(item::Attributes attributes);
[[nodiscard]] Result<Item> to_item(const item::StoredItem& stored, base::Arena& arena);
// From wire text, {"PK":{"S":"a"},...}, as the engine writes it.
[[nodiscard]] Result<Item> to_item(std::string_view wire_text, base::Arena& arena);
// From the wire texts of items with commas between.
[[nodiscard]] Result<std::vector<Item>> to_items(std::string_view wire_texts, base::Arena& arena);

[[nodiscard]] ConsumedCapacity to_capacity(const engine::ConsumedCapacity& consumed,
                                           ReturnConsumedCapacity wanted);
// The same, if it was asked for.
[[nodiscard]] std::optional<ConsumedCapacity> wanted_capacity(
    const engine::ConsumedCapacity& consumed, ReturnConsumedCapacity wanted);

}  // namespace stator::embed
