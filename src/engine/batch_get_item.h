#pragma once

#include <vector>

#include "base/buffer.h"
#include "engine/engine.h"
#include "engine/request.h"

namespace stator::engine {

inline constexpr std::size_t kBatchGetKeysMax = 100;
inline constexpr std::size_t kBatchGetBytesMax = 16 * 1024 * 1024;

struct BatchGetTable {
  std::string_view table_name;
  std::span<const item::Attributes> keys;
  std::string_view invalid_key = {};  // what is wrong with a value in the keys; reported after the expressions
  ExpressionSource<expr::Projection> projection;
  ExpressionParameters parameters;
  bool consistent = false;
};

struct BatchGetTableResult {
  base::Buffer items;                    // wire text with commas between
  std::vector<std::size_t> unprocessed;  // positions in `keys`
  bool throttled = false;                // whether some of those were
  ConsumedCapacity consumed;
};

// One result per table, in the order of the request.
[[nodiscard]] base::Task<Result<std::vector<BatchGetTableResult>>> batch_get_item(
    Engine& engine, std::span<const BatchGetTable> tables, base::Arena& arena);

}  // namespace stator::engine
