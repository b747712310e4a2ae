#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "request_maker.h"

namespace stator::differential {

// What "things" should hold: a plain map. It knows nothing of expressions; what an update made of
// an item is read back and entered.
class Model {
 public:
  void put(const Key& key, std::string item) { items_[key] = std::move(item); }
  void remove(const Key& key) { items_.erase(key); }
  // Wire text; empty where there is none.
  [[nodiscard]] std::string item(const Key& key) const;

  // Canonical items in any order, sorted for comparison.
  [[nodiscard]] std::vector<std::string> all() const;
  // Those of a partition in the order of their sort keys, as they were written.
  [[nodiscard]] std::vector<std::string> partition(int partition) const;

  struct IndexContent {
    std::string name;
    std::vector<std::string> items;  // like all()
    std::int64_t bytes = 0;
  };
  // What the items imply for each index.
  [[nodiscard]] std::vector<IndexContent> indexes() const;

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  std::map<Key, std::string> items_;
};

// The same text for equal items: attributes and members of sets are sorted.
[[nodiscard]] std::string canonical_item(std::string_view item_text);

}  // namespace stator::differential
