#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/arena.h"
#include "item/stored_item.h"

namespace stator::item {

// Finds attributes of one stored item by name, many times over. StoredItem looks through its
// directory for each name, which is best for a few names; where item and names are many, all
// attributes are remembered once instead, so that a large request does not take the product of
// both.
class AttributeFinder {
 public:
  // `item` may be null, for no item, and outlives this. `lookups`: about how many there will be.
  AttributeFinder(const StoredItem* item, std::size_t lookups, base::Arena& arena);

  [[nodiscard]] std::optional<std::string_view> find_text(std::string_view name) const;
  [[nodiscard]] std::optional<Value> find(std::string_view name, base::Arena& arena) const;

 private:
  const StoredItem* item_;
  std::optional<std::unordered_map<std::string_view, std::string_view>> texts_;
};

}  // namespace stator::item
