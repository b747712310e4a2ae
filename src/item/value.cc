#include "item/value.h"

#include <algorithm>
#include <array>
#include <vector>

#include "item/digits.h"

namespace stator::item {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {"S", "N", "B",  "BOOL", "NULL",
                                                         "M", "L", "SS", "NS",   "BS"};
// Up to here comparing each with each is faster than sorting.
constexpr std::size_t kSmall = 8;

// Members are strings, canonical numbers or bytes: all are equal exactly when their texts are.
bool equal_sets(std::span<const Value> a, std::span<const Value> b) {
  if (a.size() <= kSmall) {
    return std::ranges::all_of(a, [b](const Value& member) {
      return std::ranges::any_of(b,
                                 [&](const Value& other) { return other.text() == member.text(); });
    });
  }
  const auto sorted = [](std::span<const Value> members) {
    std::vector<std::string_view> texts;
    texts.reserve(members.size());
    for (const Value& member : members) texts.push_back(member.text());
    std::ranges::sort(texts);
    return texts;
  };
  return sorted(a) == sorted(b);
}

bool equal_maps(Attributes a, Attributes b) {
  if (a.size() <= kSmall) {
    return std::ranges::all_of(a, [b](const Attribute& attribute) {
      const Value* other = find(b, attribute.name);
      return other != nullptr && equal(attribute.value, *other);
    });
  }
  const auto sorted = [](Attributes attributes) {
    std::vector<const Attribute*> pointers;
    pointers.reserve(attributes.size());
    for (const Attribute& attribute : attributes) pointers.push_back(&attribute);
    std::ranges::sort(pointers, {}, [](const Attribute* attribute) { return attribute->name; });
    return pointers;
  };
  return std::ranges::equal(sorted(a), sorted(b), [](const Attribute* x, const Attribute* y) {
    return x->name == y->name && equal(x->value, y->value);
  });
}

int compare_numbers(std::string_view a, std::string_view b) noexcept {
  Digits x;
  Digits y;
  // Values hold canonical text, which always scans; a text of another origin counts as zero.
  if (scan_number(a, x) != ScanOutcome::ok) x = Digits{};
  if (scan_number(b, y) != ScanOutcome::ok) y = Digits{};
  return compare(x, y);
}

}  // namespace

std::string_view type_name(Type type) noexcept {
  return kTypeNames[static_cast<std::size_t>(type)];
}

std::optional<Type> type_from_name(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(kTypeNames, name);
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<Type>(found - kTypeNames.begin());
}

const Value* find(Attributes attributes, std::string_view name) noexcept {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

const Value* Value::find(std::string_view name) const noexcept {
  return is(Type::map) ? item::find(attributes(), name) : nullptr;
}

bool equal(const Value& a, const Value& b) noexcept {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Type::string:
    case Type::number:  // canonical, so one text per number
    case Type::binary:
      return a.text() == b.text();
    case Type::boolean:
      return a.as_bool() == b.as_bool();
    case Type::null:
      return true;
    case Type::map:
      return a.attributes().size() == b.attributes().size() &&
             equal_maps(a.attributes(), b.attributes());
    case Type::list:
      return std::ranges::equal(a.elements(), b.elements(), equal);
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return a.elements().size() == b.elements().size() && equal_sets(a.elements(), b.elements());
  }
  return false;
}

std::optional<int> compare(const Value& a, const Value& b) noexcept {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::string:
    case Type::binary:
      return a.text().compare(b.text());  // char_traits<char> compares as unsigned bytes
    case Type::number:
      return compare_numbers(a.text(), b.text());
    default:
      return std::nullopt;
  }
}

}  // namespace stator::item
