#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "expr/bound.h"
#include "expr/expression.h"
#include "expr/lexer.h"
#include "item/size.h"

namespace stator::expr {
namespace {

constexpr std::size_t kPlaceholderBytesMax = 255;
constexpr std::size_t kMapBytesMax = 2 * 1024 * 1024;  // of both maps together

std::string key_problem(std::string_view key, char first, bool tells_size) {
  if (key.size() > kPlaceholderBytesMax) {
    std::string problem = "The expression attribute map contains a key that is too long;";
    if (tells_size) problem += fmt::format(" size of key: {}", key.size());
    return problem;
  }
  const bool good = key.size() > 1 && key.front() == first &&
                    std::all_of(key.begin() + 1, key.end(), is_word_character);
  return good ? std::string() : fmt::format("Syntax error; key: \"{}\"", key);
}

void append_unused(std::string& keys, std::string_view key, bool used) {
  if (used) return;
  if (!keys.empty()) keys += ", ";
  keys += key;
}

Result<void> unused(std::string_view parameter, const std::string& keys) {
  if (keys.empty()) return {};
  return invalid(
      fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", parameter, keys));
}

// Up to here looking through all of them is cheapest.
constexpr std::size_t kFewPlaceholders = 64;

// The places of many entries in the order of their placeholders; nothing for few.
template <class Entry>
std::span<const std::uint32_t> order_of(std::span<const Entry> entries, std::string_view Entry::*placeholder,
                                        base::Arena& arena) {
  if (entries.size() <= kFewPlaceholders) return {};
  const std::span<std::uint32_t> order = arena.array<std::uint32_t>(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return entries[i].*placeholder; });
  return order;
}

// The place of the first entry with that placeholder.
template <class Entry>
std::optional<std::size_t> find_in_order(std::span<const Entry> entries, std::span<const std::uint32_t> order,
                                         std::string_view Entry::*placeholder, std::string_view wanted) {
  const auto found =
      std::ranges::lower_bound(order, wanted, {}, [&](std::uint32_t i) { return entries[i].*placeholder; });
  if (found == order.end() || entries[*found].*placeholder != wanted) return std::nullopt;
  return *found;
}

}  // namespace

Placeholders::Placeholders(std::span<const Name> names, item::Attributes values, base::Arena& arena)
    : names_(names),
      values_(values),
      names_used_(make_array<bool>(arena, names.size())),
      values_used_(make_array<bool>(arena, values.size())),
      names_order_(order_of(names, &Name::placeholder, arena)),
      values_order_(order_of(values, &item::Attribute::name, arena)),
      arena_(arena) {}

Result<void> Placeholders::check(Layer layer) const {
  std::size_t names_bytes = 0;
  std::size_t values_bytes = 0;
  for (const Name& name : names_) {
    names_bytes += name.placeholder.size() + name.attribute.size();
    if (const std::string problem = key_problem(name.placeholder, '#', true); !problem.empty()) {
      return invalid(fmt::format("ExpressionAttributeNames contains invalid key: {}", problem));
    }
    if (name.attribute.empty()) {
      return invalid(fmt::format(
          "ExpressionAttributeNames contains invalid value: Empty attribute name for key {}",
          name.placeholder));
    }
  }
  if (names_bytes > kMapBytesMax) return invalid("ExpressionAttributeNames exceeds max size");
  for (const item::Attribute& value : values_) {
    values_bytes += item::attribute_bytes(value);
    const std::string problem = key_problem(value.name, ':', layer == Layer::current);
    if (!problem.empty()) {
      return invalid(fmt::format("ExpressionAttributeValues contains invalid key: {}", problem));
    }
  }
  if (values_bytes > kMapBytesMax) return invalid("ExpressionAttributeValues exceeds max size");
  if (names_bytes + values_bytes > kMapBytesMax) {
    return invalid("Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size");
  }
  return {};
}

Result<void> Placeholders::check_all_used() const {
  std::string keys;
  for (std::size_t i = 0; i < names_.size(); ++i)
    append_unused(keys, names_[i].placeholder, names_used_[i]);
  TRY_VOID(unused("ExpressionAttributeNames", keys));
  for (std::size_t i = 0; i < values_.size(); ++i)
    append_unused(keys, values_[i].name, values_used_[i]);
  return unused("ExpressionAttributeValues", keys);
}

const std::string_view* Placeholders::name(std::string_view placeholder) {
  if (!names_order_.empty()) {
    const auto i = find_in_order(names_, names_order_, &Name::placeholder, placeholder);
    if (!i) return nullptr;
    names_used_[*i] = true;
    return &names_[*i].attribute;
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].placeholder != placeholder) continue;
    names_used_[i] = true;
    return &names_[i].attribute;
  }
  return nullptr;
}

const item::Value* Placeholders::value(std::string_view placeholder) {
  if (!values_order_.empty()) {
    const auto i = find_in_order(values_, values_order_, &item::Attribute::name, placeholder);
    if (!i) return nullptr;
    values_used_[*i] = true;
    return &values_[*i].value;
  }
  for (std::size_t tried = 0; tried < values_.size(); ++tried) {
    const std::size_t i = (next_value_ + tried) % values_.size();
    if (values_[i].name != placeholder) continue;
    values_used_[i] = true;
    next_value_ = i + 1;
    return &values_[i].value;
  }
  return nullptr;
}

}  // namespace stator::expr
