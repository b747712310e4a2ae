#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/reader.h"
#include "base/arena.h"
#include "item/stored_item.h"

// What the tests of the parameters from before expressions share: a request made of JSON.
namespace stator::api::testing {

class Request {
 public:
  explicit Request(std::string_view json) : state_(arena) {
    const auto body = parser_.parse(simdjson::padded_string(json));
    EXPECT_EQ(body.error(), simdjson::SUCCESS) << json;
    in_ = std::make_unique<Reader>(body.value_unsafe(), state_);
  }

  [[nodiscard]] const Reader& in() const { return *in_; }
  // What reading has found; "" for nothing.
  [[nodiscard]] std::string serialization_error() const {
    const Result<void> read = state_.result();
    return read ? "" : read.error().message;
  }
  [[nodiscard]] std::optional<std::string_view> conditional_operator() const {
    return in_->string("ConditionalOperator");
  }
  // The item in the member "Item", null where there is none.
  [[nodiscard]] const item::StoredItem* item() {
    const std::optional<ReadAttributes> attributes = in_->attributes("Item");
    if (!attributes) return nullptr;
    item_ = item::StoredItem::open(item::encode_item(attributes->attributes, arena)).value();
    return &*item_;
  }

  base::Arena arena;

 private:
  simdjson::dom::parser parser_;
  ReadState state_;
  std::unique_ptr<Reader> in_;
  std::optional<item::StoredItem> item_;
};

// The text of an error; "" for success.
template <class T>
std::string error_of(const Result<T>& result) {
  return result ? "" : result.error().message;
}

}  // namespace stator::api::testing
