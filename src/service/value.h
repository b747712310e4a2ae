#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stator::service {

// Milliseconds since the epoch; each protocol writes it in its own way.
struct Time {
  std::int64_t ms = 0;
};

// A request or an answer of a service, free of the protocol that carried it. Values of a structure keep the order in which
// they were added. A map is a structure whose names are data: the XML form differs.
class Value {
 public:
  using Members = std::vector<std::pair<std::string, Value>>;
  using List = std::vector<Value>;

  Value() = default;
  // Not inline: g++ 12 warns of members of a variant that it is not, wherever it sees these.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(bool value) : content_(value) {}
  Value(int value) : content_(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(Time value) : content_(value) {}
  Value(std::string value) : content_(std::move(value)) {}
  Value(std::string_view value) : content_(std::string(value)) {}
  Value(const char* value) : content_(std::string(value)) {}
  Value(List value) : content_(std::move(value)) {}

  [[nodiscard]] static Value structure() {
    Value value;
    value.content_ = Members();
    return value;
  }
  [[nodiscard]] static Value map() {
    Value value = structure();
    value.is_map_ = true;
    return value;
  }
  [[nodiscard]] static Value list() { return Value(List()); }

  // Adds a member to a structure or an element to a list.
  Value& set(std::string_view name, Value value);
  Value& push(Value value);

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(content_); }
  [[nodiscard]] bool is_map() const { return is_map_; }
  // Null where it is something else.
  template <class T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&content_);
  }
  [[nodiscard]] const Members* members() const { return get<Members>(); }
  [[nodiscard]] const List* elements() const { return get<List>(); }
  [[nodiscard]] List* elements() { return std::get_if<List>(&content_); }
  // A member of a structure; null where it is absent or null itself, or where this is no structure.
  [[nodiscard]] const Value* find(std::string_view name) const {
    const Members* members = get<Members>();
    if (members == nullptr) return nullptr;
    for (const auto& [key, value] : *members) {
      if (key == name) return value.is_null() ? nullptr : &value;
    }
    return nullptr;
  }
  // A member to be filled in, added where it is absent.
  [[nodiscard]] Value& member(std::string_view name) {
    Members& members = members_mutable();
    for (auto& [key, value] : members) {
      if (key == name) return value;
    }
    return members.emplace_back(std::string(name), Value()).second;
  }

 private:
  Members& members_mutable() {
    if (!std::holds_alternative<Members>(content_)) content_ = Members();
    return std::get<Members>(content_);
  }
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Time, List, Members> content_;
  bool is_map_ = false;
};

// Requests that are deeper, or have more values, than this are refused before they are taken apart. The largest request that
// a service takes, 500 queries of metrics with 30 dimensions, has about 50,000.
inline constexpr int kDepthMax = 32;
inline constexpr std::size_t kValuesMax = 100'000;

}  // namespace stator::service
