#include "engine/table.h"

#include <algorithm>
#include <numeric>

namespace stator::engine {
namespace {

bool has_name(const std::vector<KeyAttribute>& attributes, std::string_view name) noexcept {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const KeyAttribute& attribute) { return attribute.name == name; });
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void add_key_names(std::vector<std::string>& names, const KeySchema& key) {
  for (const KeyAttribute& attribute : key.partition) add_name(names, attribute.name);
  for (const KeyAttribute& attribute : key.sort) add_name(names, attribute.name);
}

}  // namespace

bool KeySchema::contains(std::string_view attribute) const noexcept {
  return has_name(partition, attribute) || has_name(sort, attribute);
}

bool Table::has_local_indexes() const noexcept {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const Index& index) { return index.kind == IndexKind::local; });
}

const Index* Table::find_index(std::string_view index_name) const noexcept {
  for (const Index& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

void finish_table(Table& table) {
  for (Index& index : table.indexes) {
    index.projected.clear();
    if (index.projection == ProjectionKind::all) continue;
    add_key_names(index.projected, table.key);
    add_key_names(index.projected, index.key);
    for (const std::string& name : index.included) add_name(index.projected, name);
  }
  table.builds_index = std::any_of(table.indexes.begin(), table.indexes.end(),
                                   [](const Index& index) { return index.state == IndexState::creating; });
  table.index_check_order.resize(table.indexes.size());
  std::iota(table.index_check_order.begin(), table.index_check_order.end(), std::uint8_t{0});
  std::sort(table.index_check_order.begin(), table.index_check_order.end(), [&](std::uint8_t a, std::uint8_t b) {
    const auto rank = [](const Index& index) {
      return std::pair(index.kind == IndexKind::local, std::string_view(index.name));
    };
    return rank(table.indexes[a]) < rank(table.indexes[b]);
  });
}

}  // namespace stator::engine
