#include "item/attribute_finder.h"

namespace stator::item {
namespace {

constexpr std::size_t kMany = 64;

}  // namespace

AttributeFinder::AttributeFinder(const StoredItem* item, std::size_t lookups, base::Arena& arena)
    : item_(item) {
  if (item == nullptr || lookups < kMany || item->attribute_count() < kMany) return;
  texts_.emplace();
  texts_->reserve(item->attribute_count());
  item->for_each([&](std::string_view escaped_name, std::string_view value_text) {
    texts_->try_emplace(unescape(escaped_name, arena), value_text);
  });
}

std::optional<std::string_view> AttributeFinder::find_text(std::string_view name) const {
  if (item_ == nullptr) return std::nullopt;
  if (!texts_) return item_->find_text(name);
  const auto found = texts_->find(name);
  if (found == texts_->end()) return std::nullopt;
  return found->second;
}

std::optional<Value> AttributeFinder::find(std::string_view name, base::Arena& arena) const {
  if (item_ == nullptr) return std::nullopt;
  if (!texts_) return item_->find(name, arena);
  const auto found = texts_->find(name);
  if (found == texts_->end()) return std::nullopt;
  return decode_value(found->second, arena);
}

}  // namespace stator::item
