#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "item/stored_item.h"

namespace stator::item {

// Finds attributes of one stored item by name, many times over. StoredItem looks through its
// directory for each name, which is best for a few names; where item and names are many, all
// attributes are remembered once instead, so that a large request does not take the product of
// both. A long value is decoded once, however often it is asked for.
class AttributeFinder {
 public:
  // How long values come back: as they are stored, or as item::sorted() makes them.
  enum class Form : std::uint8_t { stored, sorted };

  // `item` may be null, for no item. It and the arena, in which values are decoded, outlive this.
  // `lookups`: about how many there will be.
  AttributeFinder(const StoredItem* item, std::size_t lookups, base::Arena& arena, Form form = Form::stored);

  [[nodiscard]] std::optional<std::string_view> find_text(std::string_view name) const;
  [[nodiscard]] std::optional<Value> find(std::string_view name) const;

 private:
  [[nodiscard]] std::optional<Value> decode(std::string_view text) const;

  const StoredItem* item_;
  base::Arena& arena_;
  Form form_;
  std::optional<std::vector<std::pair<std::string_view, std::string_view>>> texts_;  // by name, in order
  mutable std::unordered_map<const char*, std::optional<Value>> decoded_;  // long values, by where their text is
};

}  // namespace stator::item
