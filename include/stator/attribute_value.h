#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The ten types of DynamoDB as owning C++ values:
//
//   S  std::string, "text"     BOOL  bool          SS  StringSet{"a", "b"}
//   N  Number("1.50"), 42      NULL  nullptr       NS  NumberSet{1, Number("2.5")}
//   B  Binary(bytes)           M     Item{...}     BS  BinarySet{Binary("\x01")}
//                              L     List{...}
namespace stator {

// bool and characters are no numbers.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

// A decimal of up to 38 digits, as text: exact, never a double. What is no number is refused by the
// call that it is given to, not here. Numbers that come from the database are in canonical form
// ("1.50" comes back as "1.5").
class Number {
 public:
  Number() : text_("0") {}
  explicit Number(std::string text) : text_(std::move(text)) {}
  template <Integer T>
  Number(T value) : text_(std::to_string(value)) {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  // Nothing where it is no integer of that size.
  [[nodiscard]] std::optional<std::int64_t> to_int64() const noexcept;
  // The nearest double; NaN where the text is no number.
  [[nodiscard]] double to_double() const noexcept;

  // By value: "1.0" is "1". Texts that are no numbers come after all numbers.
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

 private:
  std::string text_;
};

// Raw bytes (not base64).
struct Binary {
  Binary() = default;
  explicit Binary(std::string raw) : bytes(std::move(raw)) {}
  explicit Binary(std::span<const std::byte> raw)
      : bytes(reinterpret_cast<const char*>(raw.data()), raw.size()) {}

  std::string bytes;

  friend auto operator<=>(const Binary&, const Binary&) = default;
};

class AttributeValue;

// An item, a key or a map: attributes by name, in the order of their names.
using Item = std::map<std::string, AttributeValue, std::less<>>;
using List = std::vector<AttributeValue>;
using StringSet = std::set<std::string>;  // sets must not be empty when they are written
using NumberSet = std::set<Number>;
using BinarySet = std::set<Binary>;

enum class AttributeType : std::uint8_t {
  null,
  boolean,
  string,
  number,
  binary,
  list,
  map,
  string_set,
  number_set,
  binary_set,
};

// A value of one of the ten types. It converts from what it can hold, so that an item reads like
// one:
//   Item{{"PK", "CUST#1"}, {"visits", 3}, {"total", Number("149.00")}, {"tags", StringSet{"new"}}}
class AttributeValue {
 public:
  AttributeValue() = default;  // NULL
  AttributeValue(std::nullptr_t) {}
  AttributeValue(const char* text) : content_(std::string(text)) {}
  AttributeValue(std::string_view text) : content_(std::string(text)) {}
  AttributeValue(std::string text) : content_(std::move(text)) {}
  template <std::same_as<bool> T>
  AttributeValue(T value) : content_(value) {}
  template <Integer T>
  AttributeValue(T value) : content_(Number(value)) {}
  template <std::floating_point T>
  AttributeValue(T) = delete;  // not exact: choose the decimal with Number("0.1")
  AttributeValue(Number value) : content_(std::move(value)) {}
  AttributeValue(Binary value) : content_(std::move(value)) {}
  AttributeValue(List value);
  AttributeValue(Item value);
  AttributeValue(StringSet value) : content_(std::move(value)) {}
  AttributeValue(NumberSet value) : content_(std::move(value)) {}
  AttributeValue(BinarySet value) : content_(std::move(value)) {}

  [[nodiscard]] AttributeType type() const noexcept {
    return static_cast<AttributeType>(content_.index());
  }
  [[nodiscard]] bool is(AttributeType type_in) const noexcept { return type() == type_in; }

  // The content where it is of that type; std::bad_variant_access where it is not.
  [[nodiscard]] bool as_bool() const { return std::get<bool>(content_); }
  [[nodiscard]] const std::string& as_string() const { return std::get<std::string>(content_); }
  [[nodiscard]] const Number& as_number() const { return std::get<Number>(content_); }
  [[nodiscard]] const Binary& as_binary() const { return std::get<Binary>(content_); }
  [[nodiscard]] const List& as_list() const { return std::get<List>(content_); }
  [[nodiscard]] List& as_list() { return std::get<List>(content_); }
  [[nodiscard]] const Item& as_map() const { return std::get<MapHolder>(content_).get(); }
  [[nodiscard]] Item& as_map() { return std::get<MapHolder>(content_).get(); }
  [[nodiscard]] const StringSet& as_string_set() const { return std::get<StringSet>(content_); }
  [[nodiscard]] const NumberSet& as_number_set() const { return std::get<NumberSet>(content_); }
  [[nodiscard]] const BinarySet& as_binary_set() const { return std::get<BinarySet>(content_); }

  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  // A std::map of an incomplete type cannot be a member: it stands behind a pointer, and is copied
  // with it.
  class MapHolder {
   public:
    explicit MapHolder(Item map);
    MapHolder(const MapHolder& other);
    MapHolder(MapHolder&& other) noexcept;
    MapHolder& operator=(MapHolder other) noexcept;
    ~MapHolder();
    [[nodiscard]] Item& get() noexcept { return *map_; }
    [[nodiscard]] const Item& get() const noexcept { return *map_; }

   private:
    std::unique_ptr<Item> map_;  // null only after a move
  };

  // In the order of AttributeType.
  std::variant<std::nullptr_t, bool, std::string, Number, Binary, List, MapHolder, StringSet,
               NumberSet, BinarySet>
      content_;
};

// The wire form, {"S":"text"} and {"PK":{"S":"CUST#1"}}: for logs, tests and for sending on.
[[nodiscard]] std::string to_json(const AttributeValue& value);
[[nodiscard]] std::string to_json(const Item& item);

}  // namespace stator
