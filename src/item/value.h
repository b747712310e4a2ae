#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/check.h"

namespace stator::item {

// DynamoDB's ten attribute types.
enum class Type : std::uint8_t {
  string,
  number,
  binary,
  boolean,
  null,
  map,
  list,
  string_set,
  number_set,
  binary_set,
};

// The type's name on the wire: S N B BOOL NULL M L SS NS BS.
[[nodiscard]] std::string_view type_name(Type type) noexcept;
[[nodiscard]] std::optional<Type> type_from_name(std::string_view name) noexcept;

[[nodiscard]] constexpr bool is_set(Type type) noexcept { return type >= Type::string_set; }
// The type of the members of a set type.
[[nodiscard]] constexpr Type set_member_type(Type set) noexcept {
  return static_cast<Type>(static_cast<int>(set) - static_cast<int>(Type::string_set));
}

struct Attribute;
class Value;

// The value with all its larger sets and maps in order, so that equal() need not sort them each time. For a value that is
// compared often and never written: a set is written in the order in which it was given. What changes is in the arena.
[[nodiscard]] Value sorted(const Value& value, base::Arena& arena);

// An attribute value as a small tree. A Value owns nothing: the bytes and elements that it points to live
// in an arena, in the request body or in a stored item, and outlive it by agreement of whoever made it.
// Copying is cheap and shares them. Invariants: numbers are canonical text (number.h), strings are valid
// UTF-8, binaries are raw bytes (not base64), sets are not empty and have no duplicates.
class Value {
 public:
  Value() = default;  // NULL

  static Value string(std::string_view text) { return Value(Type::string, text); }
  static Value number(std::string_view canonical) { return Value(Type::number, canonical); }
  static Value binary(std::string_view bytes) { return Value(Type::binary, bytes); }
  static Value boolean(bool value) {
    Value result(Type::boolean, std::string_view());
    result.boolean_ = value;
    return result;
  }
  static Value null() { return {}; }
  static Value list(std::span<const Value> elements) { return Value(Type::list, elements); }
  static Value set(Type type, std::span<const Value> members) {
    DCHECK(is_set(type));
    return Value(type, members);
  }
  static Value map(std::span<const Attribute> attributes);

  [[nodiscard]] Type type() const noexcept { return type_; }
  [[nodiscard]] bool is(Type type) const noexcept { return type_ == type; }

  // The bytes of a string, number (canonical text) or binary.
  [[nodiscard]] std::string_view text() const noexcept {
    DCHECK(type_ <= Type::binary);
    return {text_, size_};
  }
  [[nodiscard]] bool as_bool() const noexcept {
    DCHECK(type_ == Type::boolean);
    return boolean_;
  }
  // The elements of a list, or the members of a set in the order in which they were given.
  [[nodiscard]] std::span<const Value> elements() const noexcept {
    DCHECK(type_ == Type::list || is_set(type_));
    return {elements_, size_};
  }
  [[nodiscard]] std::span<const Attribute> attributes() const noexcept;
  // The attribute of that name in a map; null where there is none.
  [[nodiscard]] const Value* find(std::string_view name) const noexcept;
  // Whether sorted() has put the members of a set or the attributes of a map in order.
  [[nodiscard]] bool is_sorted() const noexcept { return is_sorted_; }

 private:
  friend Value sorted(const Value& value, base::Arena& arena);
  Value(Type type, std::string_view text)
      : type_(type), size_(static_cast<std::uint32_t>(text.size())), text_(text.data()) {}
  Value(Type type, std::span<const Value> elements)
      : type_(type), size_(static_cast<std::uint32_t>(elements.size())), elements_(elements.data()) {}

  Type type_ = Type::null;
  bool boolean_ = false;
  bool is_sorted_ = false;
  std::uint32_t size_ = 0;
  union {
    const char* text_ = nullptr;
    const Value* elements_;
    const Attribute* attributes_;
  };
};
static_assert(sizeof(Value) == 16);

struct Attribute {
  std::string_view name;
  Value value;
};

// Defined here because a span needs its complete element type.
inline Value Value::map(std::span<const Attribute> attributes) {
  Value result(Type::map, std::string_view());
  result.attributes_ = attributes.data();
  result.size_ = static_cast<std::uint32_t>(attributes.size());
  return result;
}
inline std::span<const Attribute> Value::attributes() const noexcept {
  DCHECK(type_ == Type::map);
  return {attributes_, size_};
}

// The attributes of an item or of a key. Names are distinct.
using Attributes = std::span<const Attribute>;

[[nodiscard]] const Value* find(Attributes attributes, std::string_view name) noexcept;

// DynamoDB's equality: numbers by value, sets regardless of order (nested ones too), binaries by bytes.
[[nodiscard]] bool equal(const Value& a, const Value& b) noexcept;

// Order of two values of the same type among string, number, binary: <0, 0, >0. Strings compare by UTF-8
// bytes and binaries by unsigned bytes. Nothing for other types or for mixed ones.
[[nodiscard]] std::optional<int> compare(const Value& a, const Value& b) noexcept;

}  // namespace stator::item
