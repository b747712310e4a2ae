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

// The parts of a container in the order of `key`; `parts` itself where it is in that order already.
template <class Part, class Key>
std::span<const Part> in_order(std::span<const Part> parts, bool is_sorted, Key key, std::vector<Part>& room) {
  if (is_sorted) return parts;
  room.assign(parts.begin(), parts.end());
  std::ranges::sort(room, {}, key);
  return room;
}

// Members are strings, canonical numbers or bytes: all are equal exactly when their texts are.
bool same_member(const Value& a, const Value& b) noexcept { return a.text() == b.text(); }

bool equal_sets(const Value& a, const Value& b) {
  const std::span<const Value> x = a.elements();
  const std::span<const Value> y = b.elements();
  if (x.size() != y.size()) return false;
  if (x.size() <= kSmall) {
    return std::ranges::all_of(x, [y](const Value& member) {
      return std::ranges::any_of(y, [&](const Value& other) { return same_member(other, member); });
    });
  }
  if (std::ranges::equal(x, y, same_member)) return true;
  if (a.is_sorted() && b.is_sorted()) return false;
  std::vector<Value> room_x;
  std::vector<Value> room_y;
  return std::ranges::equal(in_order(x, a.is_sorted(), &Value::text, room_x),
                            in_order(y, b.is_sorted(), &Value::text, room_y), same_member);
}

bool equal_maps(const Value& a, const Value& b) {
  const Attributes x = a.attributes();
  const Attributes y = b.attributes();
  if (x.size() != y.size()) return false;
  if (x.size() <= kSmall) {
    return std::ranges::all_of(x, [y](const Attribute& attribute) {
      const Value* other = find(y, attribute.name);
      return other != nullptr && equal(attribute.value, *other);
    });
  }
  std::vector<Attribute> room_x;
  std::vector<Attribute> room_y;
  return std::ranges::equal(in_order(x, a.is_sorted(), &Attribute::name, room_x),
                            in_order(y, b.is_sorted(), &Attribute::name, room_y),
                            [](const Attribute& one, const Attribute& other) {
                              return one.name == other.name && equal(one.value, other.value);
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

Value sorted(const Value& value, base::Arena& arena) {
  const auto is_flat = [](const Value& element) { return element.type() <= Type::null; };
  Value result = value;
  if (value.is(Type::map)) {
    const std::span<Attribute> attributes = arena.copy(value.attributes());
    for (Attribute& attribute : attributes) attribute.value = sorted(attribute.value, arena);
    if (attributes.size() > kSmall) {
      std::ranges::sort(attributes, {}, &Attribute::name);
      result.is_sorted_ = true;
    }
    result.attributes_ = attributes.data();
  } else if (value.is(Type::list) && !std::ranges::all_of(value.elements(), is_flat)) {
    const std::span<Value> elements = arena.copy(value.elements());
    for (Value& element : elements) element = sorted(element, arena);
    result.elements_ = elements.data();
  } else if (is_set(value.type()) && value.elements().size() > kSmall && !value.is_sorted_) {
    const std::span<Value> members = arena.copy(value.elements());
    std::ranges::sort(members, {}, &Value::text);
    result.elements_ = members.data();
    result.is_sorted_ = true;
  }
  return result;
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
      return equal_maps(a, b);
    case Type::list:
      return std::ranges::equal(a.elements(), b.elements(), equal);
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return equal_sets(a, b);
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
