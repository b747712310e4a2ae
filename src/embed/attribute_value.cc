// The parts of the public value types that need a complete AttributeValue or the engine's numbers.
#include "stator/attribute_value.h"

#include <charconv>
#include <limits>

#include "base/buffer.h"
#include "item/base64.h"
#include "item/number.h"
#include "item/stored_item.h"

namespace stator {

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  const Result<item::Number> left = item::parse_number(a.text_);
  const Result<item::Number> right = item::parse_number(b.text_);
  if (left && right) return item::compare(*left, *right) <=> 0;
  if (left || right) return left ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.text_ <=> b.text_;
}

std::optional<std::int64_t> Number::to_int64() const noexcept {
  const Result<item::Number> number = item::parse_number(text_);
  if (!number || number->exponent < 0) return std::nullopt;
  const item::Uint128 limit = (item::Uint128{1} << 63) - (number->negative ? 0 : 1);
  item::Uint128 magnitude = number->coefficient;
  for (int i = 0; i < number->exponent && magnitude <= limit; ++i) magnitude *= 10;
  if (magnitude > limit) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(number->negative ? 0 - bits : bits);
}

double Number::to_double() const noexcept {
  const Result<item::Number> number = item::parse_number(text_);
  if (!number) return std::numeric_limits<double>::quiet_NaN();
  const std::string canonical = item::format_number(*number);
  double value = 0;
  std::from_chars(canonical.data(), canonical.data() + canonical.size(), value);
  return value;
}

AttributeValue::AttributeValue(List value) : content_(std::move(value)) {}
AttributeValue::AttributeValue(Item value) : content_(MapHolder(std::move(value))) {}

AttributeValue::MapHolder::MapHolder(Item map) : map_(std::make_unique<Item>(std::move(map))) {}
AttributeValue::MapHolder::MapHolder(const MapHolder& other)
    : map_(other.map_ ? std::make_unique<Item>(*other.map_) : nullptr) {}
AttributeValue::MapHolder::MapHolder(MapHolder&& other) noexcept = default;
AttributeValue::MapHolder& AttributeValue::MapHolder::operator=(MapHolder other) noexcept {
  map_ = std::move(other.map_);
  return *this;
}
AttributeValue::MapHolder::~MapHolder() = default;

bool operator==(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case AttributeType::null:
      return true;
    case AttributeType::boolean:
      return a.as_bool() == b.as_bool();
    case AttributeType::string:
      return a.as_string() == b.as_string();
    case AttributeType::number:
      return a.as_number() == b.as_number();
    case AttributeType::binary:
      return a.as_binary() == b.as_binary();
    case AttributeType::list:
      return a.as_list() == b.as_list();
    case AttributeType::map:
      return a.as_map() == b.as_map();
    case AttributeType::string_set:
      return a.as_string_set() == b.as_string_set();
    case AttributeType::number_set:
      return a.as_number_set() == b.as_number_set();
    case AttributeType::binary_set:
      return a.as_binary_set() == b.as_binary_set();
  }
  return false;
}

namespace {

// Values need not be ones that a database takes, so this cannot go by way of item::Value.
class JsonText {
 public:
  void value(const AttributeValue& value) {
    switch (value.type()) {
      case AttributeType::null:
        return out_.append(R"({"NULL":true})");
      case AttributeType::boolean:
        return out_.append(value.as_bool() ? R"({"BOOL":true})" : R"({"BOOL":false})");
      case AttributeType::string:
        return typed("S", [&] { string(value.as_string()); });
      case AttributeType::number:
        return typed("N", [&] { string(value.as_number().text()); });
      case AttributeType::binary:
        return typed("B", [&] { base64(value.as_binary()); });
      case AttributeType::list:
        return typed("L", [&] { array(value.as_list(), [&](const auto& v) { this->value(v); }); });
      case AttributeType::map:
        return typed("M", [&] { item(value.as_map()); });
      case AttributeType::string_set:
        return typed("SS",
                     [&] { array(value.as_string_set(), [&](const auto& v) { string(v); }); });
      case AttributeType::number_set:
        return typed(
            "NS", [&] { array(value.as_number_set(), [&](const auto& v) { string(v.text()); }); });
      case AttributeType::binary_set:
        return typed("BS",
                     [&] { array(value.as_binary_set(), [&](const auto& v) { base64(v); }); });
    }
  }
  void item(const Item& item) {
    out_.push_back('{');
    bool first = true;
    for (const auto& [name, content] : item) {
      if (!first) out_.push_back(',');
      first = false;
      string(name);
      out_.push_back(':');
      value(content);
    }
    out_.push_back('}');
  }
  [[nodiscard]] std::string take() const { return std::string(out_.view()); }

 private:
  template <class Write>
  void typed(std::string_view type, Write&& write) {
    out_.append("{\"");
    out_.append(type);
    out_.append("\":");
    write();
    out_.push_back('}');
  }
  template <class Range, class Write>
  void array(const Range& range, Write&& write) {
    out_.push_back('[');
    bool first = true;
    for (const auto& element : range) {
      if (!first) out_.push_back(',');
      first = false;
      write(element);
    }
    out_.push_back(']');
  }
  void string(std::string_view text) {
    out_.push_back('"');
    item::append_escaped(out_, text);
    out_.push_back('"');
  }
  void base64(const Binary& binary) {
    out_.push_back('"');
    item::append_base64(out_, binary.bytes);
    out_.push_back('"');
  }

  base::Buffer out_;
};

}  // namespace

std::string to_json(const AttributeValue& value) {
  JsonText text;
  text.value(value);
  return text.take();
}

std::string to_json(const Item& item) {
  JsonText text;
  text.item(item);
  return text.take();
}

}  // namespace stator
