#pragma once

#include "engine/read_page.h"

namespace stator::engine {

struct QueryRequest {
  PageRequest page;
  ExpressionSource<expr::KeyCondition> key_condition;
  bool forward = true;
};

[[nodiscard]] base::Task<Result<Page>> query(Engine& engine, const QueryRequest& request, base::Buffer& items,
                                             base::Arena& arena);

}  // namespace stator::engine
