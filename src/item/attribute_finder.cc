#include "item/attribute_finder.h"

#include <algorithm>

namespace stator::item {
namespace {

constexpr std::size_t kMany = 64;
constexpr std::size_t kLongBytes = 256;  // shorter texts are decoded faster than they are remembered

}  // namespace

AttributeFinder::AttributeFinder(const StoredItem* item, std::size_t lookups, base::Arena& arena, Form form)
    : item_(item), arena_(arena), form_(form) {
  if (item == nullptr || lookups < kMany || item->attribute_count() < kMany) return;
  texts_.emplace();
  texts_->reserve(item->attribute_count());
  item->for_each([&](std::string_view escaped_name, std::string_view value_text) {
    texts_->emplace_back(unescape(escaped_name, arena), value_text);
  });
  std::ranges::sort(*texts_, {}, [](const auto& entry) { return entry.first; });
}

std::optional<std::string_view> AttributeFinder::find_text(std::string_view name) const {
  if (item_ == nullptr) return std::nullopt;
  if (!texts_) return item_->find_text(name);
  const auto found = std::ranges::lower_bound(*texts_, name, {}, [](const auto& entry) { return entry.first; });
  if (found == texts_->end() || found->first != name) return std::nullopt;
  return found->second;
}

std::optional<Value> AttributeFinder::find(std::string_view name) const {
  const std::optional<std::string_view> text = find_text(name);
  if (!text) return std::nullopt;
  if (text->size() < kLongBytes) return decode_value(*text, arena_);
  const auto [at, is_new] = decoded_.try_emplace(text->data());
  if (is_new) at->second = decode(*text);
  return at->second;
}

std::optional<Value> AttributeFinder::decode(std::string_view text) const {
  std::optional<Value> value = decode_value(text, arena_);
  if (value && form_ == Form::sorted) value = sorted(*value, arena_);
  return value;
}

}  // namespace stator::item
