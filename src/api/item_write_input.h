#pragma once

#include <optional>
#include <string_view>

#include "api/call.h"
#include "api/parameters.h"

namespace stator::api {

enum class WriteKind : std::uint8_t { put, update, remove };

// What PutItem, UpdateItem and DeleteItem read and check alike.
struct ItemWriteInput {
  std::string_view table_name;
  std::string_view given_name;  // the name or the ARN of it, as the answer repeats it
  item::Attributes attributes;  // Item of a put, Key of the others
  engine::ExpressionSource<expr::Update> update;
  engine::ExpressionSource<expr::Condition> condition;
  engine::ExpressionParameters parameters;
  std::string_view return_values = "NONE";
  bool return_item_on_failure = false;
  bool collection_metrics = false;
  ReturnCapacity capacity = ReturnCapacity::none;
};

[[nodiscard]] Result<ItemWriteInput> read_item_write(const Call& call, WriteKind kind);

}  // namespace stator::api
