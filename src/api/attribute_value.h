#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/json.h"
#include "api/reader.h"
#include "item/value.h"

namespace stator::api {

// Reads attribute values of a request: {"S": "x"}, {"N": "1"}, ... A wrong JSON type is a serialization error in the
// ReadState; a wrong value (an empty set, a number that is none) is remembered, the first one only, and reads as NULL.
// For one request, on its thread; values are in the arena of the ReadState or views of the request's text.
class AttributeValueReader {
 public:
  explicit AttributeValueReader(ReadState& state, Nesting nesting = Nesting::limited)
      : state_(state), nesting_(nesting) {}

  [[nodiscard]] item::Attributes read_attributes(simdjson::dom::object object, std::string_view member);
  [[nodiscard]] item::Value read(Json value, int depth);

  [[nodiscard]] std::optional<std::string> take_invalid() { return std::move(invalid_); }
  [[nodiscard]] std::string_view invalid_name() const { return invalid_name_; }
  [[nodiscard]] InvalidKind invalid_kind() const { return invalid_kind_; }

 private:
  [[nodiscard]] item::Value read_typed(std::string_view type, Json value, int depth);
  [[nodiscard]] item::Value read_null(Json value);
  [[nodiscard]] item::Value read_number(Json value);
  [[nodiscard]] item::Value read_binary(Json value);
  [[nodiscard]] item::Value read_list(Json value, int depth);
  [[nodiscard]] item::Value read_map(Json value, int depth);
  // Sets (attribute_value_set.cc).
  [[nodiscard]] item::Value read_set(item::Type type, Json value);
  void reject_null_member(item::Type type);
  void check_duplicates(item::Type type, std::span<const item::Value> members);
  // Remembers what is wrong, if it is the first.
  void reject(InvalidKind kind, std::string message);

  ReadState& state_;
  Nesting nesting_;
  std::string_view current_name_;  // of the top-level attribute that is being read
  std::optional<std::string> invalid_;
  std::string_view invalid_name_;
  InvalidKind invalid_kind_ = InvalidKind::shape;
};

}  // namespace stator::api
