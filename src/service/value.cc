#include "service/value.h"

namespace stator::service {

Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value& Value::set(std::string_view name, Value value) {
  members_mutable().emplace_back(name, std::move(value));
  return *this;
}

Value& Value::push(Value value) {
  if (!std::holds_alternative<List>(content_)) content_ = List();
  std::get<List>(content_).push_back(std::move(value));
  return *this;
}

}  // namespace stator::service
