#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trigger/event.h"

namespace stator::trigger {

// What a function's response says about its batch.
struct BatchResponse {
  std::optional<std::size_t> first_failed;  // index in the batch; nothing: all went well
  std::string message;                      // why, for people
};

// Reads {"batchItemFailures": [{"itemIdentifier": sequence number}]} as Lambda does: no response, null, or no failures
// is success; the lowest sequence number counts; an identifier that is empty, null or not in the batch fails the whole
// batch. A program may print other lines before its response.
[[nodiscard]] BatchResponse read_response(std::string_view response, std::span<const Record> batch);

}  // namespace stator::trigger
